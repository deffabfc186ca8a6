#!/usr/bin/env python3
"""Programs of other projects under strata and natively: GCC's torture tests, and programs of csmith.

usage: bench/outside/run.py [--strata BINARY] [--output DIR] [--only SUBSTRING] [--suite NAME,…] [--csmith N] [--seconds N] [--jobs N] [--report]

  execute  gcc.c-torture/execute with its folder ieee
  torture  what gcc.dg/torture marks as `dg-do run`
  csmith   the programs of csmith's seeds 1 to N (200)

Each program is compiled by clang at -O0 and -O2 and run, and explored at the same level. The verdicts:

  as native    the run is complete, has one path, and this path ends as the native program does, with the same output
  undefined    strata reports an error, or ends otherwise, and undefined.tsv says why the program's behaviour is undefined or unspecified there
  unsupported  strata says that the run is incomplete, or refuses the program; counted by cause
  wrong        everything else
  n/a          clang does not compile the program, or the program does not end natively within the time limit

Each result is appended to DIR/results.jsonl (target/outside) when it is there. A result of the same binary, program and limits is not computed again.
Prints a table, also kept in DIR/outside.md. Exit status 1 if a result is wrong, 2 if the sources are missing.
"""
import argparse, glob, hashlib, json, os, re, shutil, signal, subprocess, sys, tempfile, threading, time
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
CLANG = "clang-22"
ARCHIVE = "/usr/src/gcc-12/gcc-12*.tar.xz"
CSMITH = "/usr/include/csmith"
SUITES = ("execute", "torture", "csmith")
LEVELS = ("0", "2")

# GCC 12 accepts what clang refuses by default: the C of before prototypes.
LENIENT = ("-w", *(f"-Wno-error={name}" for name in ("implicit-function-declaration", "implicit-int", "int-conversion", "incompatible-pointer-types",
                                                     "incompatible-function-pointer-types", "return-type", "return-mismatch")))
# Options of a test that change what its program means. Others choose or print GCC's passes.
MEANING = re.compile(r"-std=|-D|-fwrapv|-ftrapv|-fgnu89-inline|-ffast-math|-funsafe-math|-fno-finite-math|-frounding-math|-fno-common|-fno-strict-"
                     r"|-fno-builtin|-fshort-enums|-fsigned-char|-funsigned-char|-fms-extensions|-msse|-mavx|-fexceptions|-pthread")
# Upper bound in seconds on a native run; a program that takes longer has no result to compare with.
# Tests take milliseconds.
NATIVE_SECONDS = 5


@dataclass(frozen=True)
class Subject:
    """A program: the suite's name, its own, its file, further files, and the options that it is compiled with."""
    suite: str
    name: str
    path: str
    more: tuple = ()
    flags: tuple = ()


def digest(*paths):
    state = hashlib.sha256()
    for path in paths:
        with open(path, "rb") as file:
            state.update(file.read())
    return state.hexdigest()[:16]


def unpacked(output):
    """The folder of GCC's tests, unpacked if it is not there."""
    folder = os.path.join(output, "gcc")
    if not os.path.exists(folder):
        archives = sorted(glob.glob(ARCHIVE))
        if not archives:
            sys.exit("no sources of GCC: install gcc-12-source")
        parts = [f"*/gcc/testsuite/{part}/*" for part in ("gcc.c-torture/execute", "gcc.dg/torture")]
        half = folder + ".part"
        shutil.rmtree(half, ignore_errors=True)
        os.makedirs(half)
        subprocess.run(["tar", "xf", archives[-1], "-C", half, "--strip-components=3", "--wildcards", *parts], check=True)
        os.rename(half, folder)
    return folder


DIRECTIVE = re.compile(r"\{\s*dg-(do|options|additional-options|additional-sources)\s+(\"[^\"]*\"|\S+)\s*(\{[^\n]*\})?\s*\}")


def directives(text):
    """What the comments of a test ask for on this machine: (directive, word) in their order."""
    for directive, words, selector in DIRECTIVE.findall(text):
        if not selector or re.search(r"x86_64|int128|lp64|stdint_types", selector):
            yield directive, words.strip('"')


def gcc(suite, folder, patterns):
    """The tests of a folder. What runs is all of execute; torture says it of each test."""
    for path in sorted(path for pattern in patterns for path in glob.glob(os.path.join(folder, pattern))):
        with open(path, encoding="latin-1") as file:
            found = list(directives(file.read()))
        kinds = [words for directive, words in found if directive == "do"]
        if (kinds or ["run" if suite == "execute" else "compile"])[0] != "run":
            continue
        flags = [word for directive, words in found if directive.endswith("options") for word in words.split() if MEANING.match(word)]
        more = [os.path.join(os.path.dirname(path), word) for directive, words in found if directive == "additional-sources" for word in words.split()]
        yield Subject(suite, os.path.relpath(path, folder).removesuffix(".c"), path, tuple(more), (*LENIENT, *flags))


def csmith(output, count):
    """Programs of csmith, written if they are not there."""
    folder = os.path.join(output, "csmith")
    os.makedirs(folder, exist_ok=True)
    for seed in range(1, count + 1):
        path = os.path.join(folder, f"{seed}.c")
        if not os.path.exists(path):
            subprocess.run(["csmith", "--seed", str(seed), "--output", path + ".part"], check=True, cwd=folder, stdout=subprocess.DEVNULL)
            os.rename(path + ".part", path)
        yield Subject("csmith", str(seed), path, flags=("-w", "-I" + CSMITH))


def limited(command, seconds, **options):
    """Runs a command in a session of its own: its completed process, or None if it took longer. What it has started is ended with it."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, **options) as process:
        try:
            out, err = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return None
        return subprocess.CompletedProcess(command, process.returncode, out, err)


# How a native program ends where strata names an error.
SIGNALS = {"abort": ("SIGABRT",), "assert": ("SIGABRT",), "div": ("SIGFPE",), "unreachable": ("SIGILL", "SIGTRAP"),
           **dict.fromkeys(("ptr", "free", "read_only", "exec", "stack"), ("SIGSEGV", "SIGBUS"))}


def native(subject, level, scratch):
    """(how it ends, its output), or a reason why there is no such thing."""
    program = os.path.join(scratch, "program")
    command = [CLANG, f"-O{level}", *subject.flags, "-o", program, subject.path, *subject.more, "-lm"]
    done = limited(command, 60, cwd=scratch)
    if done is None or done.returncode:
        return None, "clang does not compile it"
    # No buffer, as under strata: what was printed before an abort counts.
    done = limited(["stdbuf", "-o0", program], NATIVE_SECONDS, cwd=scratch)
    if done is None:
        return None, "does not end natively"
    end = f"exit {done.returncode}" if done.returncode >= 0 else signal.Signals(-done.returncode).name
    return (end, done.stdout), ""


def explored(subject, level, scratch, strata, seconds):
    """(verdict, end, output, detail) of strata; the verdict is empty if there is one path to compare, or names what came instead."""
    out = os.path.join(scratch, "run")
    options = [f"-O{level}", "--no-confirm", "--max-time", f"{seconds}s", "--output", out]
    flags = [part for flag in subject.flags for part in ("--cflag", flag)]
    links = [part for path in subject.more for part in ("--link", path)]
    done = limited([strata, "run", *options, *flags, *links, subject.path], 3 * seconds, cwd=scratch)
    if done is None:
        return "unsupported", "", b"", "did not end in time"
    if done.returncode == 2:
        lines = done.stderr.decode(errors="replace").splitlines()
        return "unsupported", "", b"", "refused: " + re.sub(r"^strata: (\S+?\.c:[\d:]+ )?", "", lines[0] if lines else "")
    if done.returncode not in (0, 1):
        return "wrong", "", b"", f"exit status {done.returncode}: " + done.stderr.decode(errors="replace")[-1000:]
    with open(os.path.join(out, "stats.json")) as file:
        stats = json.load(file)
    if not stats["complete"]:
        return "unsupported", "", b"", "; ".join(sorted(stats["reasons"] or stats["incomplete_causes"]))
    ends = stats["paths"]["completed"] + stats["paths"]["error"]
    if ends != 1:
        return "wrong", "", b"", f"{ends} paths"
    done = limited([strata, "tests", out, "--json"], seconds, cwd=scratch)
    if done is None or done.returncode:
        return "wrong", "", b"", "strata tests: " + (done.stderr.decode(errors="replace") if done else "no end")
    test = json.loads(done.stdout)[-1]["expectation"]
    text, end = test.get("stdout", ""), test["end"]
    output = bytes.fromhex(text["hex"]) if isinstance(text, dict) else text.encode()
    if end["kind"] == "exit":
        return "", f"exit {end['status']}", output, ""
    place = f"{os.path.basename(end.get('file', ''))}:{end.get('line', 0)}"
    return "", end.get("error", end["kind"]), output, f"{end.get('message', '')} at {place}"


def judged(subject, level, strata, seconds):
    """What came of one program at one level."""
    with tempfile.TemporaryDirectory(prefix="strata-outside-") as scratch:
        expected, reason = native(subject, level, scratch)
        if expected is None:
            return {"verdict": "n/a", "detail": reason}
        verdict, end, output, detail = explored(subject, level, scratch, strata, seconds)
    if verdict:
        return {"verdict": verdict, "detail": detail}
    if (end == expected[0] or expected[0] in SIGNALS.get(end, ())) and output == expected[1]:
        return {"verdict": "as native", "detail": ""}
    if not end.startswith("exit"):
        return {"verdict": "wrong", "kind": end, "detail": f"{end}: {detail}; natively {expected[0]}"}
    if end != expected[0]:
        return {"verdict": "wrong", "kind": "end", "detail": f"{end}; natively {expected[0]}"}
    return {"verdict": "wrong", "kind": "output", "detail": f"prints {output[-60:]!r}; natively {expected[1][-60:]!r}"}


def undefined():
    """undefined.tsv: (suite/name, level, kind) → the reason."""
    found = {}
    with open(os.path.join(HERE, "undefined.tsv")) as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                name, levels, kind, reason = line.rstrip("\n").split("\t")
                found |= {(name, level, kind): reason for level in levels.split(",")}
    return found


class Bench:
    def __init__(self, options):
        self.options = options
        self.binary = digest(options.strata)
        self.store = os.path.join(options.output, "results.jsonl")
        self.results, self.lock = {}, threading.Lock()
        self.start, self.done = time.time(), 0
        if os.path.exists(self.store):
            for line in open(self.store):
                try:
                    result = json.loads(line)
                except ValueError:
                    continue  # cut short when this program was stopped
                self.results[self.key(result)] = result

    @staticmethod
    def key(result):
        return tuple(result[part] for part in ("binary", "suite", "name", "level", "source", "seconds"))

    def plan(self, subject, level):
        source = digest(subject.path, *subject.more) + hashlib.sha256(" ".join(subject.flags).encode()).hexdigest()[:4]
        return {"binary": self.binary, "suite": subject.suite, "name": subject.name, "level": level, "source": source, "seconds": self.options.seconds}

    def run(self, subject, level, total):
        plan = self.plan(subject, level)
        result = self.results.get(self.key(plan)) or {**plan, **judged(subject, level, self.options.strata, self.options.seconds)}
        with self.lock:
            if self.key(plan) not in self.results:
                with open(self.store, "a") as text:
                    text.write(json.dumps(result) + "\n")
                self.results[self.key(plan)] = result
            self.done += 1
            if self.done % 100 == 0 or self.done == total:
                print(f"{self.done} of {total}, {time.time() - self.start:.0f} s", flush=True)


def name(result):
    return f"{result['suite']}/{result['name']}"


def report(results):
    """The tables as text, and the number of wrong results."""
    reasons, counts, listed = undefined(), defaultdict(Counter), defaultdict(lambda: defaultdict(set))
    for result in results:
        verdict, detail = result["verdict"], result["detail"]
        reason = reasons.get((name(result), result["level"], result.get("kind")))
        if verdict == "wrong" and reason:
            verdict, detail = "undefined", f"{result['kind']}: {reason}"
        counts[result["suite"], result["level"]][verdict] += 1
        if verdict in ("wrong", "undefined"):
            listed[verdict][name(result), detail].add(result["level"])
        elif verdict != "as native":
            listed[verdict][detail, ""].add((name(result), result["level"]))
    head = ["suite", "level", "programs", "as native", "undefined", "unsupported", "wrong", "n/a"]
    rows = [[suite, f"-O{level}", sum(count.values()), *(count[verdict] for verdict in head[3:])] for (suite, level), count in sorted(counts.items())]
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in [head, ["---"] * len(head), *rows]]
    levels = lambda found: " ".join(f"-O{level}" for level in sorted(found))
    for verdict in ("wrong", "undefined"):
        lines += ["", f"## {verdict}", ""] + [f"- {test} {levels(found)}: {detail}" for (test, detail), found in sorted(listed[verdict].items())]
    for verdict in ("unsupported", "n/a"):
        lines += ["", f"## {verdict}", ""]
        for (cause, _), found in sorted(listed[verdict].items(), key=lambda item: -len(item[1])):
            tests = sorted({test for test, _ in found})
            some = ", ".join(tests[:8]) + (", …" if len(tests) > 8 else "")
            lines.append(f"- {len(found)} of {len(tests)} programs: {cause}: {some}")
    return "\n".join(lines) + "\n", sum(count["wrong"] for count in counts.values())


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", default=os.path.join(ROOT, "target", "release", "strata"))
    parser.add_argument("--output", default=os.path.join(ROOT, "target", "outside"), metavar="DIR")
    parser.add_argument("--only", default="", metavar="SUBSTRING")
    parser.add_argument("--suite", default=",".join(SUITES), metavar="NAME,…")
    parser.add_argument("--csmith", type=int, default=200, metavar="N")
    parser.add_argument("--seconds", type=int, default=20, metavar="N", help="strata's time for one program")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), metavar="N")
    parser.add_argument("--report", action="store_true", help="only make the tables again, from the latest results")
    return parser.parse_args()


def main():
    options = arguments()
    options.strata, options.output = os.path.abspath(options.strata), os.path.abspath(options.output)
    os.makedirs(options.output, exist_ok=True)
    folder, suites = unpacked(options.output), options.suite.split(",")
    subjects = []
    if "execute" in suites:
        subjects += gcc("execute", os.path.join(folder, "gcc.c-torture", "execute"), ("*.c", "ieee/*.c"))
    if "torture" in suites:
        subjects += gcc("torture", os.path.join(folder, "gcc.dg", "torture"), ("*.c",))
    if "csmith" in suites:
        subjects += csmith(options.output, options.csmith)
    bench = Bench(options)
    plans = [(subject, level) for subject in subjects if options.only in f"{subject.suite}/{subject.name}" for level in LEVELS]
    if not options.report:
        with ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(lambda plan: bench.run(*plan, len(plans)), plans))
    results = [bench.results[key] for key in (bench.key(bench.plan(*plan)) for plan in plans) if key in bench.results]
    text, wrong = report(results)
    with open(os.path.join(options.output, "outside.md"), "w") as file:
        file.write(text)
    print(text, end="")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
