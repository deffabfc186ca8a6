#!/usr/bin/env python3
"""Real programs, from Debian's sources, built by `strata cc`: what bench/programs explores.

usage: bench/programs/build.py [--strata BINARY] [--folder DIR] [--jobs N] [--again] [--list] [SUBJECT…]

Each subject has a folder in target/programs (or --folder) with `source`, `build` and `log.txt`. A step that is done is not done again: an interrupted build goes on
where it was, and --again starts a subject's build afresh (its source is kept). Sources are fetched by apt-get into private folders,
from deb-src lines made of the machine's own deb lines; neither root nor dpkg-dev is needed. Exit status 1 if a subject could not be built; the others are.

Without SUBJECT all are built. A subject is one entry of SUBJECTS below: the Debian package, the flags of configure, what make is asked for, where its programs are.
"""
import argparse, glob, hashlib, os, re, shutil, subprocess, sys, time
from dataclasses import dataclass, field

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

# Newer automake files must not be made again because of the times in an archive.
FROZEN = ["ACLOCAL=:", "AUTOMAKE=:", "AUTOCONF=:", "AUTOHEADER=:", "MAKEINFO=true"]


@dataclass
class Subject:
    name: str
    package: str
    # A function of the builder: configures in its build folder.
    configure: callable
    flags: list = field(default_factory=list)
    make: list = field(default_factory=lambda: [[]])
    # Where programs are, in the build folder.
    programs: list = field(default_factory=list)
    cflags: str = "-O1 -g"
    # Compiled by gcc with coverage instead.
    gcov: bool = False
    # A source of ours that is linked with the library: file, words of the compiler's.
    driver: tuple = ()


class Failure(Exception):
    pass


class Absent(Failure):
    """The mirrors do not have the source: nobody's fault."""


class Builder:
    def __init__(self, subject, options):
        self.subject = subject
        self.options = options
        self.folder = os.path.join(options.folder, subject.name)
        self.source = os.path.join(options.folder, "sources", subject.package)
        self.build = os.path.join(self.folder, "build")
        os.makedirs(self.folder, exist_ok=True)
        self.log = os.path.join(self.folder, "log.txt")

    def compiler(self):
        return "gcc" if self.subject.gcov else f"{self.options.strata} cc"

    def cflags(self):
        return "-O0 -g --coverage" if self.subject.gcov else self.subject.cflags

    def ldflags(self):
        return "-static" if self.subject.gcov and static() else ""

    def run(self, words, folder=None, environment=None):
        env = dict(os.environ, FORCE_UNSAFE_CONFIGURE="1", LC_ALL="C", **(environment or {}))
        env["STRATA_CC_LOG"] = self.folder
        # The machine's own libraries belong to another C library.
        env["PKG_CONFIG_LIBDIR"] = self.folder
        with open(self.log, "a") as log:
            print(f"$ {' '.join(words)}", file=log, flush=True)
            done = subprocess.run(words, cwd=folder or self.build, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=env)
        if done.returncode:
            raise Failure(f"{words[0]} ends with {done.returncode}, see {os.path.relpath(self.log)}")

    def step(self, name, act):
        """Does what was not done yet, and says how long it took."""
        stamp = os.path.join(self.folder, f".{name}")
        if os.path.exists(stamp):
            return
        print(f"{self.subject.name}: {name} …", end="", flush=True)
        start = time.time()
        try:
            act()
        finally:
            print(f" {time.time() - start:.0f} s", flush=True)
        open(stamp, "w").close()

    def all(self):
        if self.options.again:
            shutil.rmtree(self.build, ignore_errors=True)
            for stamp in ("configure", "make"):
                path = os.path.join(self.folder, f".{stamp}")
                if os.path.exists(path):
                    os.remove(path)
        if not os.path.isdir(self.source):
            self.step("fetch", lambda: fetch(self))
        self.step("configure", self.prepare)
        self.step("make", self.make)
        return self.found()

    def prepare(self):
        shutil.rmtree(self.build, ignore_errors=True)
        os.makedirs(self.build)
        self.subject.configure(self)

    def make(self):
        for words in self.subject.make:
            self.run(["make", "-k", f"-j{self.options.jobs}", *(self.filled(word) for word in words)])
        if self.subject.driver:
            file, words = self.subject.driver[0], [self.filled(word) for word in self.subject.driver[1:]]
            out = os.path.splitext(os.path.basename(file))[0]
            self.run([*self.compiler().split(), *self.cflags().split(), *self.ldflags().split(), os.path.join(HERE, file), "-o", out, *words])

    def filled(self, word):
        """A word of a subject with the folders and the compiler of this build."""
        return word.format(source=self.source, compiler=self.compiler(), zlib=os.path.join(self.options.folder, "zlib", "build"))

    def found(self):
        """Programs that were made, each with its bitcode unless it is for coverage."""
        files = [file for pattern in self.subject.programs for file in glob.glob(os.path.join(self.build, pattern))]
        fit = lambda file: os.path.isfile(file) and os.access(file, os.X_OK) and not os.path.splitext(file)[1]
        files = sorted(file for file in files if fit(file))
        return [file for file in files if self.subject.gcov or os.path.exists(file + ".bc")]


def static():
    """Can gcc link statically here?"""
    test = subprocess.run(["gcc", "-static", "-x", "c", "-", "-o", "/dev/null"], input=b"int main(void){return 0;}", capture_output=True)
    return test.returncode == 0


# ---- sources ----

def turned(path):
    """A list of package sources as one of sources alone."""
    with open(path) as file:
        text = file.read()
    if path.endswith(".sources"):
        return re.sub(r"(?im)^types:.*$", "Types: deb-src", text)
    return "".join("deb-src" + line.strip()[3:] + "\n" for line in text.splitlines() if re.match(r"deb\s", line.strip()))


def apt(folder):
    """The words of an apt-get with folders of its own, after an update."""
    root = os.path.join(folder, "apt")
    words = ["apt-get", "-q", "-oDir::Etc::sourcelist=/dev/null", f"-oDir::Etc::sourceparts={root}/parts", f"-oDir::State::lists={root}/lists",
             f"-oDir::Cache={root}", f"-oDir::Cache::archives={root}/archives", "-oAPT::Sandbox::User=root", "-oAcquire::Languages=none",
             "-oAPT::Get::List-Cleanup=false", "-oAcquire::Retries=2"]
    if not os.path.exists(f"{root}/ready"):
        for part in ("parts", "lists/partial", "archives/partial"):
            os.makedirs(f"{root}/{part}", exist_ok=True)
        lists = ["/etc/apt/sources.list", *sorted(glob.glob("/etc/apt/sources.list.d/*"))]
        for index, path in enumerate(path for path in lists if os.path.isfile(path) and path.endswith((".list", ".sources"))):
            with open(f"{root}/parts/{index}{os.path.splitext(path)[1]}", "w") as file:
                file.write(turned(path))
        done = subprocess.run([*words, "update"], capture_output=True, text=True)
        if done.returncode and not glob.glob(f"{root}/lists/*Sources*"):
            raise Failure(f"apt-get update: {done.stderr.strip().splitlines()[-1:]}")
        open(f"{root}/ready", "w").close()
    return words


def checked(folder):
    """The upstream archive, if it is what the signed description says."""
    (description,) = glob.glob(os.path.join(folder, "*.dsc"))
    with open(description) as file:
        sums = file.read().split("Checksums-Sha256:")[1]
    for sum, name in re.findall(r"^ ([0-9a-f]{64}) \d+ (\S+\.orig\.tar\.\S+)$", sums, re.M):
        if name.endswith(".asc"):
            continue
        with open(os.path.join(folder, name), "rb") as file:
            if hashlib.sha256(file.read()).hexdigest() != sum:
                raise Failure(f"{name} has the wrong checksum; remove {folder}")
        return os.path.join(folder, name)
    raise Failure(f"no archive in {folder}")


def download_any(package, words, folder):
    """The newest version that the mirrors really have: one may be announced and not there yet."""
    listed = subprocess.run(["apt-cache", *words[2:], "showsrc", package], capture_output=True, text=True).stdout
    versions = sorted(set(re.findall(r"(?m)^Version: (\S+)$", listed)), reverse=True)
    for version in versions:
        done = subprocess.run([*words, "source", "--download-only", f"{package}={version}"], cwd=folder, capture_output=True, text=True)
        if done.returncode == 0:
            return
        for file in glob.glob(os.path.join(folder, "*")):
            os.remove(file)
    missing = re.findall(r"(?m)^E: (Failed to fetch .*)$", done.stderr) if versions else ["the machine's lists do not have it"]
    raise Absent(f"no source of {package}: {(missing or ['apt-get source failed'])[0]}")


def fetch(builder):
    """Downloads and unpacks the source of the subject's package."""
    package, folder = builder.subject.package, builder.options.folder
    download = os.path.join(folder, "downloads", package)
    os.makedirs(download, exist_ok=True)
    if not os.path.exists(os.path.join(download, "complete")):
        download_any(package, apt(folder), download)
        open(os.path.join(download, "complete"), "w").close()
    unfinished = builder.source + ".unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    os.makedirs(unfinished)
    subprocess.run(["tar", "-xf", checked(download), "-C", unfinished, "--strip-components=1"], check=True)
    os.rename(unfinished, builder.source)


# ---- ways to configure ----

def autoconf(builder):
    subject = builder.subject
    words = [os.path.join(builder.source, "configure"), f"CC={builder.compiler()}", f"CFLAGS={builder.cflags()}", f"LDFLAGS={builder.ldflags()}"]
    builder.run([*words, *(builder.filled(flag) for flag in subject.flags)])


def in_place(builder):
    """For packages that build only where their sources are: a copy of them."""
    shutil.rmtree(builder.build)
    shutil.copytree(builder.source, builder.build, symlinks=True)


def autoconf_in_place(builder):
    in_place(builder)
    subject = builder.subject
    words = ["./configure", f"CC={builder.compiler()}", f"CFLAGS={builder.cflags()}"]
    builder.run([*words, *(builder.filled(flag) for flag in subject.flags)])


def busybox(builder):
    in_place(builder)
    compiler = [f"CC={builder.compiler()}", f"CFLAGS_EXTRA={builder.cflags()}"]
    builder.run(["make", *compiler, "defconfig"])
    config = os.path.join(builder.build, ".config")
    with open(config) as file:
        text = file.read()
    for name, value in BUSYBOX.items():
        line = f"CONFIG_{name}={value}" if value else f"# CONFIG_{name} is not set"
        text = re.sub(rf"(?m)^(# )?CONFIG_{name}[ =].*$", lambda _: line, text)
    with open(config, "w") as file:
        file.write(text)
    builder.run(["sh", "-c", f"yes '' | make CC='{builder.compiler()}' oldconfig"])


def zlib(builder):
    in_place(builder)
    builder.run(["./configure", "--static"], environment=dict(CC=builder.compiler(), CFLAGS=builder.cflags()))


def cmake(builder):
    if not shutil.which("cmake"):
        raise Failure("cmake is not installed (sudo apt-get install cmake)")
    compiler = "gcc" if builder.subject.gcov else linked(builder)
    builder.run(["cmake", builder.source, f"-DCMAKE_C_COMPILER={compiler}", f"-DCMAKE_C_FLAGS={builder.cflags()}", *builder.subject.flags])


def linked(builder):
    """A link to strata by the name that makes it a compiler."""
    link = os.path.join(builder.folder, "strata-cc")
    if os.path.lexists(link):
        os.remove(link)
    os.symlink(os.path.abspath(builder.options.strata), link)
    return link


# ---- what there is ----

# Applets that need headers or libraries which musl does not have, and the flags that go with our compiler.
BUSYBOX = dict(STATIC="y", TC="", FEATURE_UTMP="", FEATURE_WTMP="", FEATURE_HAVE_RPC="", FEATURE_INETD_RPC="", FEATURE_MOUNT_NFS="",
               SSL_CLIENT="", TLS="", FEATURE_WGET_HTTPS="", SHA1_HWACCEL="", SHA256_HWACCEL="", DEBUG="", NANDWRITE="", NANDDUMP="", FLASHCP="", FLASH_LOCK="", FLASH_UNLOCK="", FLASH_ERASEALL="",
               UBIATTACH="", UBIDETACH="", UBIMKVOL="", UBIRMVOL="", UBIRSVOL="", UBIUPDATEVOL="", UBIRENAME="")

# What would be assembler (of GMP, of processors' own instructions, whose headers are made to look as if they were empty) has the same in C. stdbuf is a
# shared library.
PLAIN = ["CPPFLAGS=-DNO_ASM -D__CPUID_H -D_CPUID_H_INCLUDED", "gl_cv_func_working_mktime=yes"]
COREUTILS = ["--disable-nls", "--without-selinux", "--disable-acl", "--disable-xattr", "--disable-libcap", "--without-libgmp", "--without-openssl",
             "--enable-install-program=arch,hostname", "--enable-no-install-program=stdbuf", *PLAIN]
COREUTILS_MAKE = [[*FROZEN, "man1_MANS=", "SUBDIRS=."]]

BC = dict(package="bc", configure=autoconf, flags=["--without-readline"], make=[FROZEN], programs=["bc/bc", "dc/dc"])
JSON = dict(package="json-c", configure=cmake, make=[["json-c"]], programs=["json"],
            flags=["-DBUILD_SHARED_LIBS=OFF", "-DBUILD_TESTING=OFF", "-DDISABLE_WERROR=ON", "-DENABLE_RDRAND=OFF", "-DDISABLE_EXTRA_LIBS=ON"],
            driver=("drivers/json.c", "-I.", "-I{source}", "libjson-c.a", "-lm"))
ASN1 = dict(package="libtasn1-6", configure=autoconf, make=[["-C", "lib", *FROZEN], ["-C", "src", *FROZEN]], programs=["asn1", "src/asn1*"],
            flags=["--disable-shared", "--disable-doc", "--disable-valgrind-tests"],
            driver=("drivers/asn1.c", "-Ilib/includes", "-I{source}/lib/includes", "lib/.libs/libtasn1.a"))

SUBJECTS = [
    Subject("coreutils", "coreutils", autoconf, COREUTILS, COREUTILS_MAKE, ["src/*"]),
    Subject("coreutils-gcov", "coreutils", autoconf, COREUTILS, COREUTILS_MAKE, ["src/*"], gcov=True),
    Subject("bc", **BC),
    Subject("bc-gcov", **BC, gcov=True),
    Subject("busybox", "busybox", busybox, [], [["CC={compiler}", "SKIP_STRIP=y"]], ["busybox", "busybox_unstripped"]),
    Subject("json-c", **JSON),
    Subject("json-c-gcov", **JSON, gcov=True),
    Subject("libtasn1", **ASN1),
    Subject("libtasn1-gcov", **ASN1, gcov=True),
    Subject("libosip2", "libosip2", autoconf, ["--disable-shared"], [FROZEN], ["osip"],
            driver=("drivers/osip.c", "-I{source}/include", "src/osipparser2/.libs/libosipparser2.a")),
    Subject("zlib", "zlib", zlib, [], [["libz.a", "minigzip"]], ["minigzip"]),
    Subject("libpng", "libpng1.6", autoconf,
            ["--disable-shared", "CPPFLAGS=-I{zlib}", "LDFLAGS=-L{zlib}", "--disable-hardware-optimizations"],
            [FROZEN], ["pngtest", "pngimage", "pngfix"]),
    Subject("apr", "apr", autoconf_in_place, ["--disable-shared", "--disable-dso"], [["-j1"]], ["apr"],
            driver=("drivers/apr.c", "-D_GNU_SOURCE", "-Iinclude", ".libs/libapr-1.a")),
    Subject("wget", "wget", autoconf,
            ["--disable-nls", "--without-ssl", "--without-zlib", "--without-libpsl", "--without-libuuid", "--disable-pcre2", "--disable-pcre", "--disable-iri", "--disable-ntlm"],
            [[*FROZEN, "-C", "lib"], [*FROZEN, "-C", "src"]], ["src/wget"]),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", default=os.path.join(ROOT, "target", "release", "strata"))
    parser.add_argument("--folder", default=os.path.join(ROOT, "target", "programs"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("subjects", nargs="*", metavar="SUBJECT")
    options = parser.parse_args()
    options.strata, options.folder = os.path.abspath(options.strata), os.path.abspath(options.folder)
    known = [subject.name for subject in SUBJECTS]
    if options.list:
        print("\n".join(known))
        return 0
    for name in options.subjects:
        if name not in known:
            sys.exit(f"there is no subject {name}: {', '.join(known)}")
    os.makedirs(os.path.join(options.folder, "sources"), exist_ok=True)
    wrong = 0
    for subject in SUBJECTS:
        if options.subjects and subject.name not in options.subjects:
            continue
        try:
            programs = Builder(subject, options).all()
            print(f"{subject.name}: {len(programs)} programs")
            wrong += not programs
        except Absent as error:
            print(f"{subject.name}: {error}")
        except (Failure, OSError, subprocess.CalledProcessError) as error:
            print(f"{subject.name}: {error}")
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
