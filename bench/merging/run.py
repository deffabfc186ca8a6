#!/usr/bin/env python3
"""What merging saves: loops over buffers of growing capacity, without merging, by place, by pattern
and in auto. CPU seconds to completion, or `-` where the limit cuts it; paths; states after loops.

run.py [--strata BINARY] [--seconds N] [--capacities 10,20,50] [--only NAME,...]"""

import argparse
import json
import pathlib
import subprocess
import tempfile

HERE = pathlib.Path(__file__).parent
MODES = ["none", "cfg", "pattern", "auto"]


def explore(strata, source, capacity, mode, seconds):
    with tempfile.TemporaryDirectory() as scratch:
        command = [strata, "run", "--no-confirm", "--write-no-tests", "--merge", mode, f"--max-time={seconds}s"]
        command += [f"-DCAP={capacity}", "--output", f"{scratch}/run", str(source)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode not in (0, 1):
            raise SystemExit(f"{' '.join(command)}: {done.returncode}\n{done.stderr}")
        return json.loads(pathlib.Path(f"{scratch}/run/stats.json").read_text())


def cell(stats):
    paths = sum(stats["paths"].values())
    time = f"{stats['cpu_s']['explore']:.2f}" if stats["complete"] else "-"
    return f"{time} ({paths})"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--strata", default=str(HERE.parent.parent / "target/release/strata"))
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--capacities", default="10,20,50")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    wanted = [name for name in options.only.split(",") if name]
    print("| subject | capacity | " + " | ".join(MODES) + " |")
    print("|---|---|" + "---|" * len(MODES))
    for source in sorted(HERE.glob("*.c")):
        if wanted and source.stem not in wanted:
            continue
        for capacity in options.capacities.split(","):
            cells = [cell(explore(options.strata, source, capacity, mode, options.seconds)) for mode in MODES]
            print(f"| {source.stem} | {capacity} | " + " | ".join(cells) + " |", flush=True)


main()
