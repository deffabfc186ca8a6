#!/usr/bin/env python3
"""Concrete speed: each program of bench/concrete under strata at -O1 beside the same file compiled by clang at -O0.

usage: bench/concrete.py [--strata BINARY] [--clang CLANG] [--repeat N] [--bound N] [NAME…]

The two run in alternation, so that a busy machine harms both; the medians count. Native: CPU seconds (user and system) of the process. Strata: `cpu_s.explore` of
stats.json, which leaves out compiling, linking and loading. Exit status 1 if an output differs, a program runs fewer than 10^8 instructions, or a
ratio is over the bound (25).
"""
import argparse, glob, json, os, resource, statistics, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)


def children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def native(binary):
    """The output of a native program and the CPU seconds it took."""
    before = children()
    done = subprocess.run([binary], capture_output=True, check=True)
    return done.stdout.decode(), children() - before


def predicted(strata, folder):
    """What the run's only path is seen to print, and nothing where there is none."""
    listed = subprocess.run([strata, "tests", "--json", folder], capture_output=True, check=True)
    tests = json.loads(listed.stdout)
    text = tests[-1]["expectation"].get("stdout", "") if tests else ""
    return text if isinstance(text, str) else bytes.fromhex(text["hex"]).decode()


def explored(strata, file, folder):
    """The output, CPU seconds and instructions of a run of strata."""
    done = subprocess.run([strata, "run", "-O1", "--output", folder, file], capture_output=True)
    if done.returncode != 0:
        sys.exit(f"{file}: strata run exits {done.returncode}\n{done.stdout.decode()}{done.stderr.decode()}")
    with open(os.path.join(folder, "stats.json")) as text:
        stats = json.load(text)
    return predicted(strata, folder), stats["cpu_s"]["explore"], stats["instructions"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", default=os.path.join(ROOT, "target", "release", "strata"))
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--bound", type=float, default=25)
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    files = sorted(glob.glob(os.path.join(HERE, "concrete", "*.c")))
    name = lambda file: os.path.basename(file)[:-2]
    files = [file for file in files if not options.names or name(file) in options.names]
    wrong = 0
    print(f"{'program':<10} {'native s':>9} {'strata s':>9} {'ratio':>7} {'10^6 instr.':>12} {'10^6 / s':>9}")
    for file in files:
        with tempfile.TemporaryDirectory() as scratch:
            binary = os.path.join(scratch, "native")
            subprocess.run([options.clang, "-O0", file, "-o", binary], check=True)
            theirs, ours = [], []
            for round in range(options.repeat):
                expected, seconds = native(binary)
                theirs.append(seconds)
                got, seconds, instructions = explored(options.strata, file, os.path.join(scratch, f"run{round}"))
                ours.append(seconds)
        a, b = statistics.median(theirs), statistics.median(ours)
        remarks = []
        if got != expected:
            remarks.append(f"prints {got!r}, natively {expected!r}")
        if instructions < 10**8:
            remarks.append("fewer than 10^8 instructions")
        if b / a > options.bound:
            remarks.append(f"over {options.bound:g}")
        wrong += bool(remarks)
        row = f"{name(file):<10} {a:>9.3f} {b:>9.3f} {b / a:>7.1f} {instructions / 1e6:>12.0f} {instructions / b / 1e6:>9.1f}"
        print(f"{row}  {'; '.join(remarks)}".rstrip(), flush=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
