#!/usr/bin/env python3
"""Real queries: strata beside z3, in one run, by folder.

usage: bench/solve.py [--queries DIR] [--strata BINARY] [--z3 BINARY] [--repeat N]

Both solvers run one process a folder and read the same files: strata as arguments, z3 (-in) on its standard input with a reset
after each. CPU seconds of the process, start included. z3 is PyPI's z3-solver, put into target/bench-venv on the first run.
Exit status 1 if an answer differs from the file's :status or a bound does not hold.
"""
import argparse, glob, json, math, os, resource, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)


def children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def cpu(command, text=None):
    """The output of a command and the CPU seconds it took."""
    before = children()
    done = subprocess.run(command, input=text, capture_output=True)
    return done.stdout.decode(), children() - before


def find_z3():
    """PyPI's z3-solver, in a virtual environment of its own."""
    home = os.path.join(ROOT, "target", "bench-venv")
    binary = os.path.join(home, "bin", "z3")
    if not os.path.exists(binary):
        print("installing z3-solver into target/bench-venv", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", home], check=True)
        pip = [os.path.join(home, "bin", "pip"), "install", "--quiet", "--disable-pip-version-check", "z3-solver"]
        subprocess.run(pip, check=True)
    return binary


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    shared = os.path.join(ROOT, "..", "shared", "queries")
    parser.add_argument("--queries", default=shared if os.path.isdir(shared) else os.path.join(ROOT, "tests", "queries"))
    parser.add_argument("--strata", default=os.path.join(ROOT, "target", "release", "strata"))
    parser.add_argument("--z3")
    parser.add_argument("--repeat", type=int, default=3, help="the median of so many runs")
    options = parser.parse_args()
    z3 = options.z3 or find_z3()
    folders = sorted(d for d in glob.glob(os.path.join(options.queries, "*")) if os.path.isdir(d))
    if not folders:
        sys.exit(f"no folders with queries in {options.queries}")
    print(f"{'folder':<20} {'queries':>7} {'z3 s':>8} {'strata s':>9} {'ratio':>7}   wrong")
    totals, ratios, times, wrong = [0.0, 0.0], [], [], 0
    for folder in folders:
        files = sorted(glob.glob(os.path.join(folder, "*.smt2")))
        script = "".join(open(f).read().replace("(exit)", "") + "\n(reset)\n" for f in files).encode()
        theirs, ours = [], []
        for _ in range(options.repeat):
            _, seconds = cpu([z3, "-in"], script)
            theirs.append(seconds)
            output, seconds = cpu([options.strata, "solve", "--json", "--timeout", "10s"] + files)
            ours.append(seconds)
        document = json.loads(output)
        bad = 0
        for entry, file in zip(document["files"], files):
            expected = "unsat" if ":status unsat" in open(file).read(4096) else "sat"
            answers = [answer["answer"] for answer in entry["answers"]]
            bad += answers != [expected]
            times.append((entry["answers"][0]["time_us"] if entry["answers"] else 0, file))
        wrong += bad
        a, b = percentile(theirs, 0.5), percentile(ours, 0.5)
        totals[0] += a
        totals[1] += b
        ratios.append(b / a)
        print(f"{os.path.basename(folder):<20} {len(files):>7} {a:>8.3f} {b:>9.3f} {b / a:>7.3f}   {bad}", flush=True)
    total = totals[1] / totals[0]
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"{'total':<20} {len(times):>7} {totals[0]:>8.3f} {totals[1]:>9.3f} {total:>7.3f}   {wrong}")
    print(f"geometric mean of the ratios {mean:.3f}, worst folder {max(ratios):.3f}")
    micros = [t for t, _ in times]
    print(f"strata by query: p50 {percentile(micros, 0.5)} us, p99 {percentile(micros, 0.99)} us; the ten slowest:")
    for micro, file in sorted(times, reverse=True)[:10]:
        print(f"  {micro / 1000:9.3f} ms  {os.path.relpath(file, options.queries)}")
    held = wrong == 0 and total <= 1 / 3 and mean <= 1 / 4 and max(ratios) <= 1
    print("all answers as stated; bounds (total 1/3, mean 1/4, each folder 1) hold" if held else "NOT as it should be")
    sys.exit(0 if held else 1)


if __name__ == "__main__":
    main()
