#!/usr/bin/env python3
"""How many questions each solver layer answers, and what that saves: the programs of bench/subjects, in five configurations (and others on request: none, types, windows, axioms).

usage: bench/layers.py [--strata BINARY] [--only NAME,…] [--group NAME,…] [--size NAME,…] [--config NAME,…] [--minutes N] [--jobs N] [--rounds N]
                       [--report] [--check]

  tiny    machine instructions of the exploration (callgrind), once
  small   CPU seconds of the exploration, configurations in alternation, five times
  paper   paths, core calls and shares of the layers at the size of the publication, once, cut at 120 s of CPU

Each run is appended to target/bench/layers.jsonl when it ends; what is there for the same binary and the same source is not run again, so a run that was
stopped goes on where it was. It ends within --minutes (60): where time is short, rounds are left out and the runs at paper size are
cut earlier; the next call makes up for it. --report only makes the tables and the page again; --check
only asks whether each answer of each layer is right (--check-layers, tiny). Scanners and parsers are made by flex and bison first, into
target/bench/generated.

Results: target/bench/layers.md, layers.json, layers.html and the plots. Exit status 1 if two configurations that completed disagree about paths or errors.
"""
import argparse, hashlib, json, os, re, signal, subprocess, sys, tempfile, threading, time
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True  # the folder of sources stays clean

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
SOURCES = os.path.join(HERE, "subjects")
sys.path.append(SOURCES)

import generate, report
from subjects import SIZES, SUBJECTS

# What each configuration switches on. PARTI and ASE are the papers' own configurations; one whose layers the binary does not know is left out, with a line.
# `none` is the core alone, without a cache, as in the papers' baselines; `types`, `windows` and `axioms` are `klee` with what the core knows of indices (element sizes, intervals, both),
# `linear` is `klee` with the pre-check, `ladder` with tables followed byte by byte. They run when asked for.
LAYERS = {
    "none": "none",
    "klee": "klee",
    "types": "klee,types",
    "windows": "klee,windows",
    "axioms": "klee,types,windows",
    "linear": "klee,linear",
    "ladder": "klee,bytes,ladder",
    "parti": "parti",
    "o1": "o1",
    "o2": "o2",
    "all": "all",
}

USUAL = ("klee", "parti", "o1", "o2", "all")
ROUNDS = 5
# Of the time there is, what each size may take; what one leaves the next one has.
SHARE = {"small": 0.5, "tiny": 0.2, "paper": 0.3}
CUT = {"tiny": 60, "small": 60, "paper": 120}
LEAST_CUT = 5
# Callgrind is fifty times slower than the machine: which configurations it counts.
COUNTED = ("klee", "types", "windows", "axioms", "linear", "ladder", "parti", "o2", "all")


class Store:
    """The runs that ended, on disk."""

    def __init__(self, path):
        self.path, self.lock, self.runs = path, threading.Lock(), {}
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "a+") as text:
            text.seek(0)
            lines = text.readlines()
            if lines and not lines[-1].endswith("\n"):
                text.write("\n")  # this program was killed while it wrote
        for line in lines:
            self.keep(line)

    def keep(self, line):
        try:
            run = json.loads(line)
        except ValueError:
            return  # a line cut short
        self.runs[key(run)] = run

    def add(self, run):
        with self.lock, open(self.path, "a") as text:
            text.write(json.dumps(run) + "\n")
            self.runs[key(run)] = run

    def enough(self, run, cut):
        """Is this run there already, complete or cut no earlier than now?"""
        old = self.runs.get(key(run))
        return old is not None and (old["complete"] or old["cut"] >= cut)


def key(run):
    return tuple(run[part] for part in ("binary", "source", "subject", "size", "config", "layers", "round"))


def digest(*parts):
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]


def content(path):
    with open(path, "rb") as file:
        return file.read()


def texts(path):
    """A program's text and those of our headers that it includes, by path."""
    found = {path: content(path)}
    for name in re.findall(rb'^#include "(.+)"', found[path], re.M):
        header = os.path.join(SOURCES, name.decode())
        if os.path.exists(header):
            found |= texts(header)
    return found


def source(program, subject, size):
    """What a subject is at a size: its text, its macros, its options."""
    return digest(*texts(program).values(), " ".join(subject.sizes[size]).encode(), " ".join(subject.options).encode())


class Bench:
    def __init__(self, strata, programs, scratch, store, jobs, rounds):
        self.strata, self.programs, self.scratch = strata, programs, scratch
        self.store, self.jobs, self.rounds = store, jobs, rounds
        self.binary, self.number, self.lock, self.bases = digest(content(strata)), 0, threading.Lock(), {}

    def folder(self):
        with self.lock:
            self.number += 1
            return os.path.join(self.scratch, str(self.number))

    def command(self, strata, subject, size, layers, cut, folder):
        macros = [word for macro in subject.sizes[size] for word in ("-D", macro)]
        common = ["--search", "dfs", "--jobs", "1", "--write-no-tests", "--no-confirm", "--max-time", f"{4 * cut}s"]
        headers = ["-I", SOURCES] if generate.made(subject.file) else []
        return [strata, "run", "--output", folder, "--layers", layers, *common, *macros, *headers, *subject.options, self.programs[subject.file]]

    def source(self, subject, size):
        return source(self.programs[subject.file], subject, size)

    def plan(self, subject, size, config, round_=0):
        """What a run is, before it has run."""
        what = {"subject": subject.name, "size": size, "config": config, "round": round_}
        return {"binary": self.binary, "source": self.source(subject, size), "layers": LAYERS[config], **what}

    def run(self, subject, plan, cut):
        """One run, timed; its record is kept."""
        folder = self.folder()
        command = self.command(self.strata, subject, plan["size"], plan["layers"], cut, folder)
        log = watched(command, cut)
        self.finish(plan, cut, folder, command, log)

    def count(self, subject, plan, cut):
        """One run under callgrind: the instructions of the exploration, that is those of the run without those of a run that stops at once."""
        folder = self.folder()
        command = self.command(self.stripped(), subject, plan["size"], plan["layers"], 60 * cut, folder)
        whole, log = callgrind(command, folder)
        instructions = whole - self.base(subject, plan["size"])
        self.finish(plan, cut, folder, command, log, instructions=instructions)

    def base(self, subject, size):
        """Instructions for loading a subject and stopping."""
        name = (subject.name, size)
        if name not in self.bases:
            folder = self.folder()
            command = self.command(self.stripped(), subject, size, "all", 600, folder)
            self.bases[name] = callgrind(command[:2] + ["--max-instructions", "1"] + command[2:], folder)[0]
        return self.bases[name]

    def stripped(self):
        """A copy of the binary that old versions of valgrind can read: without debug information."""
        copy = os.path.join(self.scratch, "strata")
        with self.lock:
            if not os.path.exists(copy):
                subprocess.run(["strip", "--strip-debug", "-o", copy, self.strata], check=True)
        return copy

    def finish(self, plan, cut, folder, command, log, **more):
        try:
            stats = json.loads(content(os.path.join(folder, "stats.json")))
        except (OSError, ValueError):
            sys.exit(f"{' '.join(command)}: no statistics\n{log}")
        subprocess.run(["rm", "-rf", folder])
        run = {**plan, "cut": cut, **figures(stats), **more}
        self.store.add(run)
        print(line(run), flush=True)


def watched(command, cut):
    """Runs a command; interrupts it, as Ctrl-C does, when it has used `cut` seconds of CPU. What it printed."""
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
        asked = None
        while process.poll() is None:
            time.sleep(0.02)
            if asked is None and cpu(process.pid) > cut:
                process.send_signal(signal.SIGINT)
                asked = time.monotonic()
            if asked and time.monotonic() - asked > 60:
                process.kill()
        log.seek(0)
        return log.read().decode(errors="replace")


def cpu(pid):
    """CPU seconds of a process so far."""
    try:
        with open(f"/proc/{pid}/stat") as text:
            fields = text.read().rsplit(")", 1)[1].split()
    except OSError:
        return 0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def callgrind(command, folder):
    """Machine instructions of a whole run, and what it printed."""
    tool = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}.callgrind"]
    done = subprocess.run(tool + command, capture_output=True)
    text = done.stderr.decode(errors="replace")
    found = re.search(r"Collected : (\d+)", text)
    if not found:
        sys.exit(f"{' '.join(command)}: callgrind counted nothing\n{text[-2000:]}")
    os.unlink(f"{folder}.callgrind")
    return int(found.group(1)), text


def figures(stats):
    """What is kept of a run's statistics."""
    queries = stats["queries"]
    return {
        "complete": stats["complete"],
        "causes": stats["incomplete_causes"],
        "paths": stats["paths"],
        "errors": sorted([error["kind"], error["line"], error["count"]] for error in stats["errors"]),
        "explore": stats["cpu_s"]["explore"],
        "solve": stats["cpu_s"]["solve"],
        "total": queries["total"],
        "core_calls": queries["core_calls"],
        "timeouts": queries["timeouts"],
        "answered": {name: layer["answered"] for name, layer in queries["by_layer"].items()},
        "memory": stats["peak_memory_bytes"],
        "arrays": queries.get("arrays"),
    }


def line(run):
    cost = f"{run['instructions'] / 1e6:.1f} M instructions" if "instructions" in run else f"{run['explore']:.3f} s"
    end = "" if run["complete"] else "  incomplete: " + ", ".join(run["causes"])
    paths = run["paths"]["completed"] + run["paths"]["error"]
    return f"{run['size']:<5} {run['subject']:<20} {run['config']:<5} {paths:>7} paths {run['core_calls']:>8} core calls {cost:>22}{end}"


def known(strata, config, scratch):
    """Does the binary know the layers of a configuration?"""
    empty = os.path.join(scratch, "empty.c")
    with open(empty, "w") as text:
        text.write("int main(void) { return 0; }\n")
    command = [strata, "run", "--layers", LAYERS[config], "--write-no-tests", "--output", os.path.join(scratch, config), empty]
    done = subprocess.run(command, capture_output=True)
    if done.returncode != 0:
        print(f"{config}: left out: {done.stderr.decode().strip()}", flush=True)
    return done.returncode == 0


def tiny(bench, subjects, configs, deadline):
    """Counts do not depend on what else runs: --jobs at once."""
    plans = [(subject, bench.plan(subject, "tiny", config)) for subject in subjects for config in configs if config in COUNTED]
    plans = [item for item in plans if not bench.store.enough(item[1], CUT["tiny"])]
    # One worker does all configurations of a subject, so that what loading costs is counted once.
    names = list(dict.fromkeys(subject.name for subject, _ in plans))
    def work(name):
        for subject, plan in plans:
            if subject.name == name and time.monotonic() < deadline:
                bench.count(subject, plan, CUT["tiny"])
    with ThreadPoolExecutor(bench.jobs) as pool:
        list(pool.map(work, names))


def small(bench, subjects, configs, deadline):
    """One at a time; each round takes every subject through all configurations, one after the other."""
    for round_ in range(bench.rounds):
        for subject in subjects:
            for config in configs:
                plan = bench.plan(subject, "small", config, round_)
                if time.monotonic() < deadline and not bench.store.enough(plan, CUT["small"]):
                    bench.run(subject, plan, CUT["small"])


def paper(bench, subjects, configs, deadline):
    """The configurations that need least first. Each run may use 120 s of CPU, or its share of the time that is left where not everything is on."""
    order = sorted(configs, key=["all", "o2", "o1", "parti", "klee", "none"].index)
    plans = [(subject, bench.plan(subject, "paper", config)) for config in order for subject in subjects]
    plans = [item for item in plans if not bench.store.enough(item[1], CUT["paper"])]
    left, lock = [len(plans)], threading.Lock()
    def work(item):
        with lock:
            share = (deadline - time.monotonic()) * bench.jobs / max(left[0], 1)
            left[0] -= 1
        cut = CUT["paper"] if item[1]["config"] == "all" else min(CUT["paper"], max(LEAST_CUT, int(share)))
        if time.monotonic() < deadline and not bench.store.enough(item[1], cut):
            bench.run(*item, cut)
    with ThreadPoolExecutor(bench.jobs) as pool:
        list(pool.map(work, plans))


def checked(bench, subjects, configs):
    """Every subject at tiny size with each answer compared with the core's; the subjects where they differ."""
    wrong = 0
    for subject in subjects:
        for config in configs if "tiny" in subject.sizes else ():
            command = bench.command(bench.strata, subject, "tiny", LAYERS[config], CUT["tiny"], bench.folder())
            done = subprocess.run(command[:2] + ["--check-layers"] + command[2:], capture_output=True)
            wrong += done.returncode not in (0, 1)
            told = "agrees" if done.returncode in (0, 1) else f"exit {done.returncode}\n{done.stdout.decode()}{done.stderr.decode()}"
            print(f"check {subject.name:<20} {config:<5} {told}", flush=True)
    return wrong


def processors():
    return min(2, len(os.sched_getaffinity(0)))


def explore(bench, options, subjects, configs):
    deadline, parts = time.monotonic(), {"small": small, "tiny": tiny, "paper": paper}
    sizes = [size for size in parts if size in options.size]
    for size in sizes:
        deadline += options.minutes * 60 * SHARE[size] / sum(SHARE[each] for each in sizes)
        parts[size](bench, [subject for subject in subjects if size in subject.sizes], configs, deadline)


def listed(text, all_, what):
    names = text.split(",") if text else list(all_)
    for name in names:
        if name not in all_:
            sys.exit(f"{name}: no such {what}; there are: {', '.join(all_)}")
    return names


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", default=os.path.join(ROOT, "target", "release", "strata"))
    parser.add_argument("--only", default="", metavar="NAME,…")
    parser.add_argument("--group", default="", metavar="NAME,…", help="ase, parti, ours, arrays, peers")
    parser.add_argument("--size", default="", metavar="NAME,…")
    parser.add_argument("--config", default="", metavar="NAME,…")
    parser.add_argument("--minutes", type=float, default=60, metavar="N")
    parser.add_argument("--jobs", type=int, default=processors(), metavar="N", help="runs at a time, where time is not compared: tiny and paper (at most 2)")
    parser.add_argument("--rounds", type=int, default=ROUNDS, metavar="N", help="how often each configuration is timed at small size")
    parser.add_argument("--output", default=os.path.join(ROOT, "target", "bench"), metavar="DIR")
    parser.add_argument("--report", action="store_true", help="only make the tables and the page again")
    parser.add_argument("--check", action="store_true", help="only compare the layers' answers with the core's, tiny")
    return parser.parse_args()


def current(bench, options):
    """The runs of this binary over the subjects as they are now."""
    there = [subject for subject in SUBJECTS if subject.file in bench.programs]
    sources = {(subject.name, size): bench.source(subject, size) for subject in there for size in subject.sizes}
    fits = lambda run: run["binary"] == bench.binary and sources.get((run["subject"], run["size"])) == run["source"] and run["layers"] == LAYERS[run["config"]]
    return [run for run in bench.store.runs.values() if fits(run)]


def programs(output, subjects):
    """The programs of all subjects; a line for each of these subjects that has none."""
    found, missing = generate.programs([subject.file for subject in SUBJECTS], os.path.join(output, "generated"))
    for subject in subjects:
        if subject.file in missing:
            print(f"{subject.name}: left out: {missing[subject.file]}", flush=True)
    return found


def main():
    options = arguments()
    names = listed(options.only, [subject.name for subject in SUBJECTS], "subject")
    groups = listed(options.group, list(dict.fromkeys(subject.group for subject in SUBJECTS)), "group")
    options.size = listed(options.size, SIZES, "size")
    configs = listed(options.config or ",".join(USUAL), LAYERS, "configuration")
    subjects = [subject for subject in SUBJECTS if subject.name in names and subject.group in groups]
    made = programs(options.output, subjects)
    subjects = [subject for subject in subjects if subject.file in made]
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(options.strata, made, scratch, Store(os.path.join(options.output, "layers.jsonl")), options.jobs, options.rounds)
        if not options.report:
            configs = [config for config in configs if known(options.strata, config, scratch)]
        if options.check:
            sys.exit(1 if checked(bench, subjects, configs) else 0)
        if not options.report:
            explore(bench, options, subjects, configs)
        sys.exit(1 if report.write(current(bench, options), options.output) else 0)


if __name__ == "__main__":
    main()
