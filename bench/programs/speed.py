#!/usr/bin/env python3
"""What the solver layers save on real programs: each tool under dfs, to the same number of instructions, with the baseline's layers and with all.

usage: bench/programs/speed.py [--strata BINARY] [--folder DIR] [--output DIR] [--seconds N] [--only NAME,…] [--jobs N]

The baseline (`--layers klee`: simplify, slice, cache and the core) explores a tool of coreutils for --seconds (20) of processor time; all layers explore it to the number of
instructions that it reached. Compared is `cpu_s.explore` of both. A tool that looks slower by more than a tenth is run twice more, and the median counts. Each tool's result is
appended to target/bench/speed.jsonl; what is there for the same binary and time is not run again.
"""
import argparse, json, os, shutil, statistics, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor
from math import exp, log

sys.dont_write_bytecode = True  # the folder of sources stays clean

from run import ROOT, WORLD, digest, tools

NAMED = ("dirname", "printenv", "echo", "basename", "sleep", "link")
SLOWER = 0.9


def explore(options, path, layers, limit):
    """One run under dfs; what stats.json says."""
    out = tempfile.mkdtemp(prefix="strata-")
    try:
        common = ["--output", os.path.join(out, "run"), "--search", "dfs", "--layers", layers, "--write-no-tests", "--no-confirm"]
        subprocess.run([options.strata, "run", *common, *limit, path, *WORLD], capture_output=True)
        return json.load(open(os.path.join(out, "run", "stats.json")))
    finally:
        shutil.rmtree(out)


def pair(options, path):
    """The figures of both, the baseline first."""
    base = explore(options, path, "klee", ["--max-time", f"{options.seconds}s"])
    ours = explore(options, path, "all", ["--max-instructions", str(base["instructions"]), "--max-time", f"{10 * options.seconds}s"])
    figures = lambda stats: {
        "instructions": stats["instructions"],
        "paths": stats["paths"]["completed"],
        "complete": stats["complete"],
        "explore": stats["cpu_s"]["explore"],
        "solve": stats["cpu_s"]["solve"],
        "core_calls": stats["queries"]["core_calls"],
        "questions": stats["queries"]["total"],
    }
    return {"base": figures(base), "ours": figures(ours), "ratio": base["cpu_s"]["explore"] / max(ours["cpu_s"]["explore"], 1e-6)}


def compare(options, path):
    pairs = [pair(options, path)]
    while pairs[0]["ratio"] < SLOWER and len(pairs) < 3:
        pairs.append(pair(options, path))
    middle = statistics.median_low([each["ratio"] for each in pairs])
    return {**next(each for each in pairs if each["ratio"] == middle), "runs": len(pairs)}


def report(runs, options):
    rows = sorted(runs.values(), key=lambda run: -run["ratio"])
    mean = exp(statistics.mean(log(run["ratio"]) for run in rows))
    percent = lambda run: f"{100 * run['base']['solve'] / max(run['base']['explore'], 1e-6):.0f} %"
    lines = [f"- {len(rows)} tools, to the instructions that the baseline reaches in {options.seconds} s; geometric mean {mean:.2f}, least {rows[-1]['ratio']:.2f} ({rows[-1]['tool']})",
             "- " + ", ".join(f"{name} {runs[name]['ratio']:.2f}" for name in NAMED if name in runs), "",
             "| tool | times faster | instructions | baseline: s | solving | core calls | all: s | core calls |", "|---|---|---|---|---|---|---|---|"]
    for run in rows:
        base, ours = run["base"], run["ours"]
        lines.append(f"| {run['tool']} | {run['ratio']:.2f} | {base['instructions']} | {base['explore']:.2f} | {percent(run)} | {base['core_calls']} | {ours['explore']:.2f} | {ours['core_calls']} |")
    with open(os.path.join(options.output, "speed.md"), "w") as text:
        text.write("\n".join(lines) + "\n")
    print("\n".join(lines[:2]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", default=os.path.join(ROOT, "target", "release", "strata"))
    parser.add_argument("--folder", default=os.path.join(ROOT, "target", "programs"), metavar="DIR")
    parser.add_argument("--output", default=os.path.join(ROOT, "target", "bench"), metavar="DIR")
    parser.add_argument("--seconds", type=int, default=20, metavar="N")
    parser.add_argument("--only", default="", metavar="NAME,…")
    parser.add_argument("--jobs", type=int, default=1, metavar="N")
    options = parser.parse_args()
    os.makedirs(options.output, exist_ok=True)
    binary, store, runs = digest(options.strata), os.path.join(options.output, "speed.jsonl"), {}
    for line in open(store) if os.path.exists(store) else ():
        run = json.loads(line)
        if (run["binary"], run["seconds"]) == (binary, options.seconds):
            runs[run["tool"]] = run

    def one(path):
        tool = os.path.basename(path)
        if tool in runs:
            return
        run = {"binary": binary, "seconds": options.seconds, "tool": tool, **compare(options, path)}
        runs[tool] = run
        with open(store, "a") as text:
            text.write(json.dumps(run) + "\n")
        print(f"{tool:<12} {run['ratio']:8.2f} times  {run['base']['core_calls']} and {run['ours']['core_calls']} core calls", flush=True)

    wanted = [path for path in tools(options.folder) if not options.only or os.path.basename(path) in options.only.split(",")]
    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(one, wanted))
    if not runs:
        sys.exit("no tools: build them first, by bench/programs/build.py coreutils")
    report(runs, options)


if __name__ == "__main__":
    main()
