#!/usr/bin/env python3
"""Real programs explored, their tests replayed, and the lines that these cover natively.

usage: bench/programs/run.py [--drivers] [--strata BINARY] [--folder DIR] [--seconds N] [--config NAME,…] [--only NAME,…] [--jobs N]
                             [--replayed N] [--measured N] [--report]

Explores each tool of coreutils that bench/programs/build.py has built, for --seconds (60), with two symbolic arguments of eight bytes, a symbolic file and standard input
of sixteen bytes each; replays its tests against what was predicted; and replays some of them once more on the build with gcov, which says what lines of the tool's own
source they reach. Where there are too many tests, those are replayed that went where none had been, those of errors, and as many of the others, evenly, as make up the
number (--replayed, and --measured for gcov). Each tool's result is appended to target/bench/programs.jsonl when it is done; what is there for the same binary, time and configuration is not run again.

With --drivers the same for the libraries that have a driver of ours and a build with gcov, and for bc (DRIVERS below): what is counted is the lexer and parser.

  all    every layer on
  klee   simplify, slice, cache and the core

Results: target/bench/programs-CONFIG.md, .json and .html (drivers-CONFIG). Exit status 1 if a tool ended by a fault of strata's.
"""
import argparse, glob, gzip, hashlib, json, os, shutil, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from html import escape
from statistics import mean

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

# What every tool is given.
WORLD = ["--sym-args", "0", "2", "8", "--sym-files", "1", "16", "--sym-stdin", "16"]
# Programs of the build that are no tools of coreutils.
NO_TOOLS = ("make-prime-list", "getlimits", "ginstall", "[")


@dataclass
class Target:
    """What is explored: a name, the program, its options and arguments; and of the build with gcov the folder, the program, and the notes of
    each object whose lines count (the first that is there of several names)."""
    tool: str
    program: str
    options: tuple
    world: list
    build: str
    measured: str
    notes: tuple
    # The part of the build with gcov whose counts are kept.
    kept: str = "."


# json-c: eight bytes of anything, and a text of each sort with holes, three of them cut (see drivers/json.c). A number with a fraction is floating point, of which one
# value is taken. json_tokener.c is lexer and parser in one; objects and hash tables are what it makes.
TEXTS = ["????????", '{"?":????', '[{"a":?|?},??', r'"\ud8??|\u????"', "[T???,f????,n???", "[-1|?e|??", "-I???????", "/*??/??"]
JSON = Target("json", "json-c/build/json", ("--float", "concretize"), [*TEXTS, "--sym-stdin", "13"], "json-c-gcov/build", "json",
              (("CMakeFiles/json-c.dir/json_tokener.c.gcno",),))
# libtasn1: a definition of each sort with holes for words, and eight bytes of anything for the lexer (see drivers/asn1.c). ASN1.y, and the ASN1.c made of it, are
# lexer and parser of definitions; decoding.c has no lexer, and is told by the definitions what is to come.
BEGIN = "M DEFINITIONS IMPLICIT TAGS ::= BEGIN"
SENTENCES = ["M { % % } DEFINITIONS % TAGS ::= BEGIN T ::= NULL END", f"{BEGIN} T ::= %%%%% END", f"{BEGIN} T ::= [%%%% INTEGER END",
             f"{BEGIN} T ::= SEQUENCE {{ a INTEGER %%%, b T %% }} END", f"{BEGIN} T ::= %% SIZE (1%%%) %% END", f"{BEGIN} a %% ::= %%%%% END",
             f"{BEGIN} T ::= % {{ a %%%% }} END", f"{BEGIN} % ::= [%1] IMPLICIT OCTET STRING END", "????????"]
ASN1 = Target("asn1", "libtasn1/build/asn1", (), [*SENTENCES, "--sym-files", "1", "9"], "libtasn1-gcov/build", "asn1", (("lib/ASN1.gcno",),))
# GNU bc: scan.l is its lexer, bc.y its parser. It goes on with standard input where a file ends, so the files of drivers/bc are beginnings of statements, one of which its
# argument names; eight bytes of anything end it.
BEGINNINGS = [word for path in sorted(glob.glob(os.path.join(HERE, "drivers", "bc", "?"))) for word in ("--file", f"{os.path.basename(path)}={path}")]
BC = Target("bc", "bc/build/bc/bc", tuple(BEGINNINGS), ["-q", "--sym-arg", "1", "--sym-stdin", "8"], "bc-gcov/build", "bc/bc", (("bc/scan.gcno",), ("bc/bc.gcno",)))
DRIVERS = [JSON, ASN1, BC]


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()[:16]


def is_program(path):
    with open(path, "rb") as file:
        return os.access(path, os.X_OK) and file.read(4) == b"\x7fELF"


def tools(folder):
    """The programs of coreutils that were built."""
    found = glob.glob(os.path.join(folder, "coreutils", "build", "src", "*"))
    programs = [path for path in sorted(found) if os.path.isfile(path) and is_program(path)]
    return [path for path in programs if os.path.basename(path) not in NO_TOOLS]


class Bench:
    def __init__(self, options):
        self.strata, self.seconds, self.folder = options.strata, options.seconds, options.folder
        self.replayed, self.measured = options.replayed, options.measured
        self.binary = digest(options.strata)
        self.store = os.path.join(options.output, "programs.jsonl")
        self.runs = {}
        os.makedirs(options.output, exist_ok=True)
        if os.path.exists(self.store):
            for line in open(self.store):
                try:
                    run = json.loads(line)
                except ValueError:
                    continue  # cut short when this program was stopped
                self.runs[self.key(run)] = run

    @staticmethod
    def key(run):
        return tuple(run.get(part) for part in ("binary", "tool", "program", "config", "seconds"))

    def tools(self):
        """The tools of coreutils."""
        names = map(os.path.basename, tools(self.folder))
        notes = lambda name: (tuple(f"src/{part}.gcno" for part in (name, f"{name}-*", f"*-{name}")),)
        return [Target(name, f"coreutils/build/src/{name}", (), WORLD, "coreutils-gcov/build", f"src/{name}", notes(name), "src") for name in names]

    def drivers(self):
        """The drivers that were built."""
        return [target for target in DRIVERS if os.path.exists(os.path.join(self.folder, target.program))]

    def run(self, target, config):
        program = digest(os.path.join(self.folder, target.program))
        plan = {"binary": self.binary, "tool": target.tool, "program": program, "config": config, "seconds": self.seconds}
        if self.key(plan) in self.runs:
            return
        with tempfile.TemporaryDirectory(prefix="strata-") as scratch:
            run = {**plan, **self.explored(target, config, os.path.join(scratch, "run")), **self.covered(target, scratch)}
        self.runs[self.key(run)] = run
        with open(self.store, "a") as text:
            text.write(json.dumps(run) + "\n")
        print(line(run), flush=True)

    def explored(self, target, config, out):
        """Explores and replays: figures."""
        common = ["--output", out, "--layers", config, "--max-time", f"{self.seconds}s", *target.options]
        done = subprocess.run([self.strata, "run", *common, os.path.join(self.folder, target.program), *target.world], capture_output=True)
        try:
            stats = json.load(open(os.path.join(out, "stats.json")))
        except (OSError, ValueError):
            return {"status": done.returncode, "said": done.stderr.decode(errors="replace")[-2000:]}
        replayed = subprocess.run([self.strata, "replay", "--json", "--max-tests", str(self.replayed), out], capture_output=True)
        try:
            verdicts = json.loads(replayed.stdout)
        except ValueError:
            verdicts = {"summary": {}, "tests": []}
        apart = [test for test in verdicts["tests"] if test["verdict"] == "diverged"]
        queries, by_layer = stats["queries"], stats["queries"]["by_layer"]
        answered = sum(layer["answered"] for layer in by_layer.values())
        return {
            "status": done.returncode,
            "paths": stats["paths"],
            "tests": stats["tests"],
            "instructions": stats["instructions"],
            "errors": stats["errors"],
            "causes": stats["incomplete_causes"],
            "lines": stats["coverage"],
            "solver": stats["solver_time_s"] / max(stats["time_s"], 0.001),
            "above": 1 - by_layer.get("core", {"answered": 0})["answered"] / answered if answered else None,
            "questions": queries["total"],
            "explore": stats["cpu_s"]["explore"],
            "memory": stats["peak_memory_bytes"],
            "replayed": verdicts["summary"],
            "apart": apart[:20],
        }

    def covered(self, target, scratch):
        """Replays on the build with gcov: lines and branches of the target's own source."""
        build = os.path.join(self.folder, target.build)
        program, run = os.path.join(build, target.measured), os.path.join(scratch, "run")
        if not os.path.exists(program) or not os.path.isdir(run):
            return {}
        kept = os.path.join(scratch, "gcov")
        shutil.copytree(os.path.join(build, target.kept), os.path.join(kept, target.kept), ignore=only_notes)
        for folder, _, _ in os.walk(kept):
            os.chmod(folder, 0o777)
        os.chmod(scratch, 0o755)
        most = str(self.measured)
        subprocess.run([self.strata, "replay", "--max-tests", most, "--keep", f"{build}={kept}", "--timeout", "2s", run, program], capture_output=True)
        found = lambda names: [path for name in names for path in glob.glob(os.path.join(kept, name))][:1]
        notes = [path for names in target.notes for path in found(names)]
        return gcov(notes) if len(notes) == len(target.notes) else {}


def only_notes(folder, names):
    return [name for name in names if not name.endswith(".gcno") and not os.path.isdir(os.path.join(folder, name))]


def gcov(notes):
    """What gcov says of some objects: lines and branches of their sources."""
    files = []
    for path in notes:
        done = subprocess.run(["gcov", "--json-format", "--branch-probabilities", "--stdout", path], capture_output=True, cwd=os.path.dirname(path))
        try:
            files += json.loads(done.stdout)["files"]
        except ValueError:
            return {}
    lines, branches = {}, {}
    for file in files:
        if not file["file"].endswith((".c", ".y", ".l")):
            continue
        for entry in file["lines"]:
            place = (file["file"], entry["line_number"])
            lines[place] = lines.get(place, 0) + entry["count"]
            for i, branch in enumerate(entry["branches"]):
                branches[place, i] = branches.get((place, i), 0) + branch["count"]
    reached = lambda counts: [sum(count > 0 for count in counts.values()), len(counts)]
    missed = sorted({number for (_, number), count in lines.items() if not count})
    files = {os.path.basename(path): reached({place: count for place, count in lines.items() if place[0] == path}) for path, _ in lines}
    return {"gcov_lines": reached(lines), "gcov_branches": reached(branches), "gcov_files": files, "missed": missed[:400]}


def share(pair):
    return 100 * pair[0] / pair[1] if pair and pair[1] else None


def line(run):
    lines = share(run.get("gcov_lines"))
    told = "no statistics" if "tests" not in run else f"{run['tests']:>7} tests  replayed {run['replayed']}  errors {len(run['errors'])}"
    return f"{run['tool']:<12} {run['config']:<5} status {run['status']}  {told}  lines {'–' if lines is None else f'{lines:.1f} %'}"


def report(bench, options, config):
    drivers = [target.tool for target in DRIVERS]
    fit = lambda run: (run["binary"], run["config"], run["seconds"]) == (bench.binary, config, bench.seconds) and (run["tool"] in drivers) == options.drivers
    runs = sorted(filter(fit, bench.runs.values()), key=lambda run: run["tool"])
    good = [run for run in runs if "tests" in run]
    if not good:
        return
    head = ["tool", "paths", "tests", "as predicted", "diverged", "instructions", "errors", "lines", "branches", "solver", "above the core"]
    rows = []
    for run in good:
        summary = run["replayed"]
        percent = lambda value: "–" if value is None else f"{value:.1f} %"
        ended = run["paths"]["completed"] + run["paths"]["error"]
        errors = ", ".join(f"{e['kind']} {os.path.basename(e['file'])}:{e['line']}" for e in run["errors"])
        above = None if run["above"] is None else 100 * run["above"]
        rows.append([run["tool"], ended, run["tests"], summary.get("same", 0), summary.get("diverged", 0), run["instructions"], errors,
                     percent(share(run.get("gcov_lines"))), percent(share(run.get("gcov_branches"))), percent(100 * run["solver"]), percent(above)])
    covered = [share(run["gcov_lines"]) for run in good if share(run.get("gcov_lines")) is not None]
    replayed = {word: sum(run["replayed"].get(word, 0) for run in good) for word in ("same", "diverged", "not_confirmed", "not_predicted", "unusable")}
    judged = replayed["same"] + replayed["diverged"]
    summary = [
        f"{len(runs)} tools, {bench.seconds} s each, configuration {config}",
        f"{sum(run['status'] not in (0, 1) for run in runs)} ended by a fault or a refusal",
        f"{sum(run['tests'] > 0 for run in good)} wrote tests, {sum(run['tests'] for run in good):,} in all",
        f"replayed: {100 * replayed['same'] / max(judged, 1):.3f} % of {judged:,} as predicted; {replayed}",
        f"lines of the tools' own sources: mean {mean(covered):.1f} % over {len(covered)}" if covered else "no coverage",
        f"least covered: " + ", ".join(f"{run['tool']} {share(run['gcov_lines']):.0f} %" for run in sorted((run for run in good if share(run.get('gcov_lines')) is not None), key=lambda run: share(run["gcov_lines"]))[:10]),
    ]
    if options.drivers:
        summary += [f"{run['tool']}: " + ", ".join(f"{file} {100 * got / all:.1f} % of {all} lines" for file, (got, all) in run.get("gcov_files", {}).items()) for run in good]
    table = ["| " + " | ".join(map(str, row)) + " |" for row in [head, ["---"] * len(head), *rows]]
    name = f"drivers-{config}" if options.drivers else f"programs-{config}"
    with open(os.path.join(options.output, f"{name}.md"), "w") as text:
        text.write("\n".join([*(f"- {part}" for part in summary), "", *table]) + "\n")
    with open(os.path.join(options.output, f"{name}.json"), "w") as text:
        json.dump(good, text, indent=1)
    with open(os.path.join(options.output, f"{name}.html"), "w") as text:
        text.write(page(summary, head, rows, good))
    print("\n".join(summary))


PAGE = """<!doctype html><meta charset="utf-8"><title>Real programs</title>
<style>body {{ font: 15px/1.5 sans-serif; max-width: 80em; margin: 2em auto; padding: 0 1em }} td, th {{ padding: 0 .8em; text-align: right; font-variant-numeric: tabular-nums }}
td:first-child {{ text-align: left }} tr:nth-child(even) {{ background: #f3f3f3 }} .bar {{ background: #4a7; display: inline-block; height: .7em }}</style>
<h1>Real programs</h1><ul>{summary}</ul><table><tr>{head}</tr>{rows}</table><h2>Tests that diverge</h2><ul>{apart}</ul>"""


def page(summary, head, rows, runs):
    """One page: the summary, the table with a bar for the lines reached, and what differed natively."""
    cells = lambda tag, row: "".join(f"<{tag}>{escape(str(cell))}</{tag}>" for cell in row)
    bar = lambda run: f'<td style="text-align:left"><span class="bar" style="width:{share(run.get("gcov_lines")) or 0:.0f}px"></span></td>'
    body = "".join(f"<tr>{cells('td', row)}{bar(run)}</tr>" for row, run in zip(rows, runs))
    apart = "".join(f"<li>{escape(run['tool'])} {escape(test['test'])}: {escape('; '.join(test['details']))}</li>" for run in runs for test in run["apart"])
    listed = "".join(f"<li>{escape(part)}</li>" for part in summary)
    return PAGE.format(summary=listed, head=cells("th", [*head, ""]), rows=body, apart=apart)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", default=os.path.join(ROOT, "target", "release", "strata"))
    parser.add_argument("--folder", default=os.path.join(ROOT, "target", "programs"), metavar="DIR")
    parser.add_argument("--output", default=os.path.join(ROOT, "target", "bench"), metavar="DIR")
    parser.add_argument("--seconds", type=int, default=60, metavar="N")
    parser.add_argument("--replayed", type=int, default=10_000, metavar="N", help="tests replayed at most")
    parser.add_argument("--measured", type=int, default=2_500, metavar="N", help="tests replayed with gcov at most")
    parser.add_argument("--config", default="all", metavar="NAME,…")
    parser.add_argument("--only", default="", metavar="NAME,…")
    parser.add_argument("--drivers", action="store_true", help="libraries by their drivers, not coreutils")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), metavar="N")
    parser.add_argument("--report", action="store_true", help="only make the tables again")
    return parser.parse_args()


def main():
    options = arguments()
    bench = Bench(options)
    known = bench.drivers() if options.drivers else bench.tools()
    targets = [target for target in known if not options.only or target.tool in options.only.split(",")]
    if not targets:
        subjects = "json-c json-c-gcov libtasn1 libtasn1-gcov bc bc-gcov" if options.drivers else "coreutils coreutils-gcov"
        sys.exit(f"nothing to run: build it first, by bench/programs/build.py {subjects}")
    configs = options.config.split(",")
    if not options.report:
        with ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(lambda plan: bench.run(*plan), [(target, config) for target in targets for config in configs]))
    for config in configs:
        report(bench, options, config)
    sys.exit(any(run["status"] not in (0, 1) for run in bench.runs.values() if run["binary"] == bench.binary))


if __name__ == "__main__":
    main()
