#!/usr/bin/env python3
"""Builds static programs for riscv64 (glibc, musl and busybox, from Debian's sources) and compares `strata disassemble` with `objdump -d` on
each, with symbols and stripped, byte for byte.

listings.py [STRATA]   target/release/strata unless another one is named. Exit status 1 at the first difference.

What is built stays in target/riscv, and is not built again.
"""

import itertools
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "bench/programs"))
import build  # noqa: E402

FOLDER = os.path.join(ROOT, "target/riscv")
TOOLS = "riscv64-linux-gnu-"

SOURCE = """#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(int count, char **words) {
    double x = atof(words[count - 1]);
    time_t now = time(NULL);
    return printf("%g %g %g %s", sqrt(x), pow(x, 3), fma(x, x, 1), ctime(&now)) < 0;
}
"""


def run(words, folder):
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: {done.stderr.strip()[-2000:]}")
    return done.stdout


def unpacked(package):
    """The folder of a package's upstream source."""
    download = os.path.join(FOLDER, "downloads", package)
    source = os.path.join(FOLDER, package)
    if not os.path.exists(source):
        os.makedirs(download, exist_ok=True)
        build.download_any(package, build.apt(FOLDER), download)
        os.makedirs(source + ".part", exist_ok=True)
        run(["tar", "xf", build.checked(download), "-C", source + ".part", "--strip-components=1"], FOLDER)
        os.rename(source + ".part", source)
    return source


def glibc():
    path = os.path.join(FOLDER, "glibc")
    run([TOOLS + "gcc", "-O2", "-static", "program.c", "-o", path, "-lm"], FOLDER)
    return path


def bits():
    """Two of musl's files with the extensions for bits, which compilers use only where they are told to."""
    path = os.path.join(FOLDER, "bits.o")
    folders = ["arch/riscv64", "arch/generic", "obj/src/internal", "src/include", "src/internal", "obj/include", "include"]
    words = [word for folder in folders for word in ("-I", folder)]
    files = ["src/stdio/vfprintf.c", "src/crypt/crypt_sha512.c"]
    run([TOOLS + "gcc", "-O2", "-march=rv64gc_zba_zbb_zbs", "-D_XOPEN_SOURCE=700", *words, "-r", "-nostdlib", *files, "-o", path],
        os.path.join(FOLDER, "musl"))
    return path


def musl():
    source, made, path = unpacked("musl"), os.path.join(FOLDER, "sysroot"), os.path.join(FOLDER, "musl-program")
    if not os.path.exists(f"{made}/lib/libc.a"):
        run(["./configure", "--target=riscv64", f"--prefix={made}", "--disable-shared", f"CC={TOOLS}gcc", f"AR={TOOLS}ar",
             f"RANLIB={TOOLS}ranlib"], source)
        run(["make", "-j2", "install"], source)
    for name, start, flags in ((path, "crt1.o", ["-static"]), (path + "-pie", "rcrt1.o", ["-static-pie", "-fPIE", "-Wl,--no-dynamic-linker"])):
        run([TOOLS + "gcc", "-O2", *flags, "-nostdlib", "-isystem", f"{made}/include", "program.c", f"{made}/lib/{start}",
             f"{made}/lib/crti.o", f"{made}/lib/libc.a", "-lgcc", f"{made}/lib/crtn.o", "-o", name], FOLDER)
    return path


def busybox():
    source = unpacked("busybox")
    path = os.path.join(source, "busybox_unstripped")
    if not os.path.exists(path):
        run(["make", "defconfig"], source)
        config = os.path.join(source, ".config")
        with open(config) as file:
            text = file.read()
        # Newer kernels lack what tc wants.
        text = text.replace("# CONFIG_STATIC is not set", "CONFIG_STATIC=y").replace("CONFIG_TC=y", "# CONFIG_TC is not set")
        with open(config, "w") as file:
            file.write(text)
        run(["sh", "-c", "yes '' | make oldconfig"], source)
        run(["make", "-j2", f"CROSS_COMPILE={TOOLS}", "busybox_unstripped"], source)
    return path


def compare(strata, path):
    """How many lines agree. Ends at the first that does not."""
    ours, theirs = run([strata, "disassemble", path], FOLDER), run([TOOLS + "objdump", "-d", path], FOLDER)
    for number, (mine, other) in enumerate(itertools.zip_longest(ours.split("\n"), theirs.split("\n")), 1):
        if mine != other:
            sys.exit(f"{path}, line {number}:\n  {mine}\nobjdump has\n  {other}")
    return theirs.count(":\t")


def main():
    strata = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "target/release/strata"))
    os.makedirs(FOLDER, exist_ok=True)
    with open(os.path.join(FOLDER, "program.c"), "w") as file:
        file.write(SOURCE)
    program = musl()
    for path in (glibc(), program, program + "-pie", bits(), busybox()):
        print(f"{os.path.basename(path)}: {compare(strata, path)} instructions as objdump has them")
        if not path.endswith(".o"):
            run([TOOLS + "strip", path, "-o", path + ".stripped"], FOLDER)
            print(f"{os.path.basename(path)}, stripped: {compare(strata, path + '.stripped')}")


if __name__ == "__main__":
    main()
