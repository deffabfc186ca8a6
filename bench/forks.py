#!/usr/bin/env python3
"""What forking costs, and whether limits hold: the programs of bench/forks.

usage: bench/forks.py [--strata BINARY] [--soak SECONDS] [--memory SIZE] [--only NAME,…]

  bfs      65,536 paths alive at once: at most 4 KiB of memory a state
  dfs      the same one after the other: at most 20 µs of CPU a path besides solving and writing tests
  jobs     two workers: at most 1.15 times the CPU of one, each busy at least 90 % of the time
  object   a 4 MiB object alive, one byte of it written on each path: at most 8 KiB a state
  window   reads at an index known to lie within 16 bytes: in 1 MiB at most twice the instructions of 16 bytes (callgrind)
  soak     a parser over 40 symbolic bytes for --soak seconds (120): memory and time within their limits, tests written. With --soak 600 over
           100,000 states must have been shed

Memory a state is (peak of the run - peak of a run with one state) / most states alive. Exit status 1 if a bound does not hold.
"""
import argparse, json, os, re, resource, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
KIB = 1024


def children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Bench:
    def __init__(self, strata, scratch):
        self.strata, self.scratch, self.runs, self.failed = strata, scratch, 0, 0

    def command(self, name, options):
        """A run's command line and its folder."""
        self.runs += 1
        folder = os.path.join(self.scratch, str(self.runs))
        return [self.strata, "run", "--output", folder, *options, os.path.join(HERE, "forks", name)], folder

    def run(self, name, *options):
        """The statistics of a run, and the CPU seconds of its process."""
        command, folder = self.command(name, options)
        before = children()
        done = subprocess.run(command, capture_output=True)
        cpu = children() - before
        return self.stats(folder, command, done), cpu

    def stats(self, folder, command, done):
        try:
            with open(os.path.join(folder, "stats.json")) as text:
                return json.load(text)
        except OSError:
            sys.exit(f"{' '.join(command)}: exit {done.returncode}\n{done.stdout.decode()}{done.stderr.decode()}")

    def row(self, what, figure, bound, holds, note=""):
        self.failed += not holds
        print(f"{what:<34} {figure:>18}   {bound:<22} {'' if holds else 'NOT HELD'} {note}".rstrip(), flush=True)


def paths(stats):
    return stats["paths"]["completed"] + stats["paths"]["error"]


def per_state(full, single, states):
    return (full["peak_memory_bytes"] - single["peak_memory_bytes"]) / states


def bfs(bench):
    full, _ = bench.run("sixteen.c", "--search", "bfs", "--write-no-tests")
    single, _ = bench.run("sixteen.c", "-D", "TESTS=0", "--search", "bfs", "--write-no-tests")
    alive = full["states_peak"]
    whole = paths(full) == 65536 and full["complete"]
    bench.row("bfs: paths, complete", str(paths(full)), "65,536", whole)
    bench.row("bfs: most states alive", str(alive), "65,536", alive >= 65536)
    cost = per_state(full, single, alive)
    bench.row("bfs: memory a state", f"{cost / KIB:.2f} KiB", "at most 4 KiB", cost <= 4 * KIB)


def dfs(bench):
    stats, _ = bench.run("sixteen.c", "--search", "dfs")
    cpu = stats["cpu_s"]
    cost = (cpu["explore"] - cpu["solve"]) / max(paths(stats), 1) * 1e6
    note = f"solving {cpu['solve'] / max(paths(stats), 1) * 1e6:.1f}, writing {cpu['write'] / max(paths(stats), 1) * 1e6:.1f} µs"
    bench.row("dfs: CPU a path", f"{cost:.1f} µs", "at most 20 µs", cost <= 20 and paths(stats) == 65536, note)


def jobs(bench):
    """Alternated, since the machine's speed changes from one second to the next: the middle one of the ratios counts."""
    pairs = [[bench.run("sixteen.c", "--search", "dfs", "--jobs", n) for n in ("1", "2")] for _ in range(7)]
    ratios = sorted(two[1] / one[1] for one, two in pairs)
    ratio, spread = ratios[len(ratios) // 2], f"{ratios[0]:.2f} to {ratios[-1]:.2f}"
    bench.row("jobs: CPU of two over one", f"{ratio:.2f}", "at most 1.15", ratio <= 1.15, spread)
    one, two = pairs[-1][0][0], pairs[-1][1][0]
    busy = two.get("busy", [])
    text = ", ".join(f"{share * 100:.0f} %" for share in busy)
    bench.row("jobs: workers busy", text, "at least 90 % each", len(busy) == 2 and min(busy) >= 0.9)
    bench.row("jobs: same paths", str(paths(two)), str(paths(one)), paths(one) == paths(two))


def object_(bench):
    options = ["--search", "bfs", "--write-no-tests"]
    full, _ = bench.run("big_object.c", *options)
    plain, _ = bench.run("big_object.c", "-D", "WRITE=0", *options)
    single, _ = bench.run("big_object.c", "-D", "TESTS=0", *options)
    alive = full["states_peak"]
    bench.row("object: most states alive", str(alive), "8,192", alive >= 8192)
    # Two states share each written byte. What a state with one of its own costs is what it costs without, and a write.
    write, state = per_state(full, plain, 4096), per_state(plain, single, plain["states_peak"])
    note = f"{state / KIB:.2f} and {write / KIB:.2f} for the write"
    bench.row("object: memory a state", f"{(state + write) / KIB:.2f} KiB", "at most 8 KiB", state + write <= 8 * KIB, note)


def stripped(bench):
    """A copy of the binary that old versions of valgrind can read: without debug information."""
    copy = os.path.join(bench.scratch, "strata")
    if not os.path.exists(copy):
        subprocess.run(["strip", "--strip-debug", "-o", copy, bench.strata], check=True)
    return copy


def instructions(bench, size, repeat, ask):
    """Machine instructions of a whole run."""
    command, folder = bench.command("window.c", [*define(SIZE=size, REPEAT=repeat, ASK=ask), "--write-no-tests"])
    out = os.path.join(bench.scratch, "callgrind.out")
    tool = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}"]
    done = subprocess.run(tool + [stripped(bench)] + command[1:], capture_output=True)
    bench.stats(folder, command, done)
    return int(re.search(r"Collected : (\d+)", done.stderr.decode()).group(1))


def define(**values):
    return [word for name, value in values.items() for word in ("-D", f"{name}={value}")]


def window(bench):
    for ask, what in [(0, "window: 1 MiB over 16 bytes"), (1, "window: the same, and a question")]:
        cost = lambda size: (instructions(bench, size, 200, ask) - instructions(bench, size, 1, ask)) / 199
        small, large = cost(16), cost(1 << 20)
        note = f"{small:.0f} and {large:.0f} instructions a read"
        bench.row(what, f"{large / small:.2f}", "at most 2", large <= 2 * small, note)


def resident(pid):
    """Resident memory in bytes, or 0 when the process is gone."""
    try:
        with open(f"/proc/{pid}/status") as text:
            found = re.search(r"VmRSS:\s+(\d+) kB", text.read())
    except OSError:
        return 0
    return int(found.group(1)) * KIB if found else 0


def soak(bench, seconds, memory):
    limits = ["--max-time", f"{seconds}s", "--max-memory", memory, "--search", "bfs"]
    command, folder = bench.command("parser40.c", limits)
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    peak = 0
    while process.poll() is None:
        peak = max(peak, resident(process.pid))
        time.sleep(0.05)
    took = time.monotonic() - start
    with open(os.path.join(folder, "stats.json")) as text:
        stats = json.load(text)
    whole = seconds + max(0.05 * seconds, 0.3) + stats["cpu_s"]["compile"] + stats["cpu_s"]["load"]
    bound = 1.1 * {"G": 1 << 30, "M": 1 << 20}[memory[-1]] * float(memory[:-1])
    shed = stats["incomplete_causes"].get("memory", 0)
    listed = subprocess.run([bench.strata, "tests", folder], capture_output=True, check=True).stdout
    written = max(listed.count(b"\n") - 1, 0)
    bench.row("soak: resident memory", f"{peak / (1 << 20):.0f} MiB", f"at most {bound / (1 << 20):.0f} MiB", 0 < peak <= bound)
    bench.row("soak: time", f"{took:.1f} s", f"at most {whole:.1f} s", took <= whole)
    bench.row("soak: tests written", str(written), f"{stats['tests']} reported", written > 0 and written == stats["tests"])
    enough = 100_000 if seconds >= 600 else 0
    bench.row("soak: states shed", str(shed), f"over {enough:,}" if enough else "any", shed >= enough)
    bench.row("soak: says incomplete", str(not stats["complete"]), "True", not stats["complete"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", default=os.path.join(ROOT, "target", "release", "strata"))
    parser.add_argument("--soak", type=int, default=120, metavar="SECONDS")
    parser.add_argument("--memory", default="1G", metavar="SIZE")
    parser.add_argument("--only", default="", metavar="NAME,…")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(options.strata, scratch)
        parts = {"bfs": bfs, "dfs": dfs, "jobs": jobs, "object": object_, "window": window}
        parts["soak"] = lambda bench: soak(bench, options.soak, options.memory)
        chosen = options.only.split(",") if options.only else list(parts)
        for name in chosen:
            if name not in parts:
                sys.exit(f"{name}: none of {', '.join(parts)}")
            parts[name](bench)
    sys.exit(1 if bench.failed else 0)


if __name__ == "__main__":
    main()
