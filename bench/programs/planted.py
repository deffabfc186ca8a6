#!/usr/bin/env python3
"""Errors planted in real programs: does strata find them?

usage: bench/programs/planted.py [--strata BINARY] [--folder DIR] [--output DIR] [--seconds N] [--only NAME,…]

Takes coreutils as bench/programs/build.py has built it, copies the build, plants one error in each of a few tools (PLANTS below: the text of the source, and what
replaces it), and makes these tools again in the copy by their own makefile, which prefers a source that is in its own folder. The build itself is not touched.
Each tool is explored as in bench/programs/run.py until an error is found or --seconds (120) are over, and the test that reproduces the error is replayed. That counts
as found if the report is of the right kind and names the function where the error was planted. As a control the tool without the error is explored for as long (and 10 s
at least), and the test replayed on it: it must not fail.

Prints a table, also kept in target/bench/planted.md and planted.json. Exit status 1 if an error was not found or not confirmed, or if the control fails; 2 if the tools
could not be made.
"""
import argparse, json, os, re, shutil, subprocess, sys, tempfile, time
from dataclasses import dataclass

sys.dont_write_bytecode = True  # the folder of sources stays clean

from build import FROZEN
from run import ROOT, WORLD


@dataclass
class Plant:
    tool: str
    # What it is and what input it needs.
    story: str
    # What the report must begin with, and the function of the tool that its stack must name.
    kind: str
    function: str
    # The source's text, and what replaces it.
    old: str
    new: str


PLANTS = [
    Plant("cut", "off by one: looks at the range behind the sentinel (a line that goes on after the last range)", "memory error: out of bound pointer", "next_item",
          """  (*item_idx)++;
  if ((*item_idx) > current_rp->hi)
    current_rp++;
""",
          """  (*item_idx)++;
  if ((*item_idx) > current_rp->hi || (*item_idx) == current_rp[1].lo)
    current_rp++;
"""),
    Plant("paste", "null dereference: a list of delimiters that is \\0 alone is dropped, and used (-s or two files, and two lines)", "memory error: null page access", "paste_(serial|parallel)",
          """ done:

  delim_end = strout;
""",
          """ done:

  delim_end = strout;
  if (delim_end - delims == 1 && *delims == EMPTY_DELIM)
    {
      free (delims);
      delims = NULL;
    }
"""),
    Plant("tac", "wrong free: the buffer is taken to begin one byte before its text, which is the separator's length (-s with several bytes)", "memory error: invalid pointer: free", "main",
          """  /* Flush the output buffer. */
  output ((char *) NULL, (char *) NULL);
""",
          """  /* Flush the output buffer. */
  output ((char *) NULL, (char *) NULL);
  free (G_buffer - 1);
"""),
]


class Failure(Exception):
    pass


class Garden:
    """A copy of the build, with errors in it."""

    def __init__(self, options, scratch):
        self.strata, self.seconds, self.scratch = options.strata, options.seconds, scratch
        self.source = os.path.join(options.folder, "sources", "coreutils")
        self.build = os.path.join(options.folder, "coreutils", "build")
        self.copy = os.path.join(scratch, "build")
        if not os.path.exists(os.path.join(self.build, "Makefile")):
            raise Failure("no coreutils: build it first, by bench/programs/build.py coreutils")
        # Times are kept: nothing else is to be made again.
        shutil.copytree(self.build, self.copy, symlinks=True)

    def plant(self, plant):
        """Makes the tool again, with its error."""
        with open(os.path.join(self.source, "src", f"{plant.tool}.c")) as file:
            text = file.read()
        if text.count(plant.old) != 1:
            raise Failure(f"the text to replace is {text.count(plant.old)} times in {plant.tool}.c, not once: {plant.old.strip().splitlines()[0]!r} …")
        with open(os.path.join(self.copy, "src", f"{plant.tool}.c"), "w") as file:
            file.write(text.replace(plant.old, plant.new))
        words = ["make", *FROZEN, "SUBDIRS=.", f"CC={self.strata} cc", f"src/{plant.tool}"]
        made = subprocess.run(words, cwd=self.copy, capture_output=True, text=True)
        if made.returncode:
            raise Failure(f"{plant.tool} cannot be made:\n{made.stdout[-2000:]}{made.stderr[-2000:]}")

    def explore(self, program, seconds, name):
        """Explores up to the first error: what strata said, the seconds it took, the folder of the run."""
        out = os.path.join(self.scratch, name)
        start = time.time()
        words = [self.strata, "run", "--output", out, "--max-time", f"{seconds}s", "--exit-on-error", program, *WORLD]
        done = subprocess.run(words, capture_output=True, text=True, errors="replace")
        if done.returncode not in (0, 1):
            raise Failure(f"strata run ends with {done.returncode}: {done.stderr[-2000:]}")
        return done.stdout, time.time() - start, out

    def replay(self, test, *program):
        """Does the test fail natively as predicted?"""
        done = subprocess.run([self.strata, "replay", "--json", test, *program], capture_output=True, text=True)
        return json.loads(done.stdout)["summary"]["same"] == 1

    def result(self, plant):
        """Everything about one error, as a row."""
        self.plant(plant)
        planted, control = (os.path.join(folder, "src", plant.tool) for folder in (self.copy, self.build))
        said, seconds, out = self.explore(planted, self.seconds, f"{plant.tool}-planted")
        row = {"tool": plant.tool, "error": plant.story, "found": False, "seconds": round(seconds, 1)}
        reports = [report for report in reported(out) if report["kind"].startswith(plant.kind) and re.fullmatch(plant.function, report["function"])]
        if reports:
            report = reports[0]
            signal = re.search(r"confirmed natively: (\w+)", said)
            row |= {"found": True, "kind": report["kind"], "place": f"{report['function']}, {report['place']}", "input": inputs(said)}
            row |= {"replayed": self.replay(report["test"]), "signal": signal and signal[1], "control_replayed": self.replay(report["test"], control)}
        _, _, out = self.explore(control, max(10, round(seconds)), f"{plant.tool}-control")
        row["control"] = [f"{report['kind']} in {report['function']}" for report in reported(out)]
        row["good"] = bool(reports) and row["replayed"] and bool(row["signal"]) and not row["control_replayed"] and not row["control"]
        return row


def reported(out):
    """The errors of a run: kind, and the innermost place in the tool's own source."""
    tests = os.path.join(out, "tests")
    found = []
    for name in sorted(name for name in os.listdir(tests) if name.endswith(".err")):
        with open(os.path.join(tests, name), errors="replace") as file:
            text = file.read()
        frames = re.findall(r"(?m)^\s+#\d+ in (\w+) \(.*\) at (?:.*/)?src/(\S+:\d+)$", text.split("Allocated:")[0])
        function, place = next((frame for frame in frames), ("?", "?"))
        found.append({"kind": text.splitlines()[0].removeprefix("Error: "), "function": function, "place": place, "test": os.path.join(tests, name.split(".")[0] + ".ktest")})
    return found


def inputs(said):
    """The arguments and the input of the report, shortly."""
    words = re.findall(r'(?m)^   input (arg\d+|stdin|A_data) = (.*)$', said)
    return " ".join(f"{name}={re.sub(r'(.x00)+', '', value)}" for name, value in words if not re.match(r'\d+ times "\\x00"$', value))


def table(rows):
    head = ["tool", "planted", "found", "kind", "place", "seconds", "input", "fails natively", "without the error"]
    lines = [head, ["---"] * len(head)]
    for row in rows:
        natively = f"yes, {row['signal']}" if row.get("replayed") and row.get("signal") else "no" if row["found"] else "–"
        control = "; ".join(row["control"]) or ("fails too" if row.get("control_replayed") else "no error")
        lines.append([row["tool"], row["error"], "yes" if row["found"] else "no", row.get("kind", "–"), row.get("place", "–"), row["seconds"], f"`{row['input']}`" if row.get("input") else "–", natively, control])
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", default=os.path.join(ROOT, "target", "release", "strata"))
    parser.add_argument("--folder", default=os.path.join(ROOT, "target", "programs"), metavar="DIR")
    parser.add_argument("--output", default=os.path.join(ROOT, "target", "bench"), metavar="DIR")
    parser.add_argument("--seconds", type=int, default=120, metavar="N")
    parser.add_argument("--only", default="", metavar="NAME,…")
    options = parser.parse_args()
    options.strata, options.folder = os.path.abspath(options.strata), os.path.abspath(options.folder)
    plants = [plant for plant in PLANTS if not options.only or plant.tool in options.only.split(",")]
    os.makedirs(options.output, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="strata-") as scratch:
        try:
            garden = Garden(options, scratch)
            rows = [garden.result(plant) for plant in plants]
        except Failure as failure:
            print(f"planted.py: {failure}", file=sys.stderr)
            return 2
    text = table(rows)
    with open(os.path.join(options.output, "planted.md"), "w") as file:
        file.write(text + "\n")
    with open(os.path.join(options.output, "planted.json"), "w") as file:
        json.dump(rows, file, indent=1)
    print(text)
    return 0 if all(row["good"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
