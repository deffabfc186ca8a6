#!/usr/bin/env python3
"""What a million tests cost on disk, and how soon they are seen: bench/forks/million.c.

usage: bench/million.py [--strata BINARY] [--bytes N]

  folder   at most 200 bytes a test, 4 KB for each of the first thousand
  screens  the first 40 lines of `strata tests`, and `strata stats`: within 1 s
  remove   rm -rf of the folder: within 2 s

--bytes 3 makes a thousand tests instead, as a trial. Exit status 1 if a bound does not hold.
"""
import argparse, json, os, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)


def timed(words):
    start = time.monotonic()
    subprocess.run(words, stdout=subprocess.DEVNULL, check=True)
    return time.monotonic() - start


def first_screen(words):
    """Seconds until forty lines are there."""
    start = time.monotonic()
    process = subprocess.Popen(words, stdout=subprocess.PIPE)
    for _ in range(40):
        process.stdout.readline()
    took = time.monotonic() - start
    process.stdout.close()
    process.wait()
    return took


def used(folder):
    """Bytes of the disk, as du counts them."""
    return int(subprocess.run(["du", "-s", "-B1", folder], capture_output=True, check=True).stdout.split()[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", default=os.path.join(ROOT, "target", "release", "strata"))
    parser.add_argument("--bytes", type=int, default=6)
    options = parser.parse_args()
    failed = 0

    def row(what, figure, bound, holds):
        nonlocal failed
        failed += not holds
        print(f"{what:<24} {figure:>22}   {bound:<18} {'' if holds else 'NOT HELD'}".rstrip(), flush=True)

    with tempfile.TemporaryDirectory() as scratch:
        folder, wanted = os.path.join(scratch, "run"), 10**options.bytes
        program = os.path.join(HERE, "forks", "million.c")
        words = [options.strata, "run", "-D", f"BYTES={options.bytes}", "--search", "dfs", "--output", folder, program]
        done = subprocess.run(words, capture_output=True)
        if done.returncode != 0:
            sys.exit(f"exit {done.returncode}\n{done.stdout.decode()}{done.stderr.decode()}")
        with open(os.path.join(folder, "stats.json")) as text:
            stats = json.load(text)
        row("tests", f"{stats['tests']:,}", f"{wanted:,}", stats["tests"] == wanted)
        cpu = stats["cpu_s"]
        print(f"{'':<24} {stats['time_s']:.1f} s, exploring {cpu['explore']:.1f} s of CPU, writing {cpu['write']:.1f} s")
        pack = os.path.getsize(os.path.join(folder, "tests.pack")) / wanted
        row("bytes a test", f"{pack:.1f}", "at most 200", pack <= 200)
        row("folder", f"{used(folder) / 1e6:.1f} MB", "at most 200 MB", used(folder) <= 200e6)
        screen = first_screen([options.strata, "tests", folder])
        row("first screen of tests", f"{screen:.2f} s", "at most 1 s", screen <= 1)
        figures = timed([options.strata, "stats", folder])
        row("stats", f"{figures:.2f} s", "at most 1 s", figures <= 1)
        one = timed([options.strata, "tests", folder, str(wanted)])
        row("the last test", f"{one:.2f} s", "at most 1 s", one <= 1)
        whole = timed([options.strata, "tests", folder])
        print(f"{'all rows of tests':<24} {whole:>20.2f} s")
        removed = timed(["rm", "-rf", folder])
        row("rm -rf", f"{removed:.2f} s", "at most 2 s", removed <= 2)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
