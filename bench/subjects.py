"""The subjects of bench/layers.py: which source, with which macros, at which three sizes.

`tiny` runs 0.2 s or less with the core alone (for callgrind), `small` one to five seconds where a program can be made that long, `paper` is the size of
the publication. A size is a text of macros: "SIZE=8 SYMBOLIC=3".
"""
from collections import namedtuple

SIZES = ("tiny", "small", "paper")
SORTS = ("bubble", "heap", "insertion", "merge", "quick", "selection")

Subject = namedtuple("Subject", "name group file sizes options")


def subject(name, group, file, tiny, small, paper, common="", options=()):
    sizes = {size: f"{common} {macros}".split() for size, macros in zip(SIZES, (tiny, small, paper)) if macros}
    return Subject(name, group, file, sizes, tuple(options))


def all_(size):
    return f"SIZE={size} SYMBOLIC={size}"


# Sizes at which the core alone takes a second or more, by sort.
ONE = dict(bubble=300, heap=800, insertion=320, merge=2000, quick=320, selection=300)
THREE = dict(bubble=24, heap=28, insertion=20, merge=32, quick=24, selection=20)
ALL = dict(bubble=7, heap=6, insertion=7, merge=7, quick=7, selection=7)
RANDOM_ONE = dict(bubble=180, heap=500, insertion=200, merge=900, quick=600, selection=240)
RANDOM_TWO = dict(bubble=45, heap=60, insertion=50, merge=90, quick=100, selection=48)


def sorts():
    """Table III: 300 numbers with one symbolic, 40 with three, eight with all."""
    for sort in SORTS:
        common = f"SORT={sort}"
        yield subject(f"{sort}_sort_1", "ase", "sort.c", "SIZE=40", f"SIZE={ONE[sort]}", "SIZE=300", common + " SYMBOLIC=1")
        yield subject(f"{sort}_sort_3", "ase", "sort.c", "SIZE=8", f"SIZE={THREE[sort]}", "SIZE=40", common + " SYMBOLIC=3")
        yield subject(f"{sort}_sort_all", "ase", "sort.c", all_(5), all_(ALL[sort]), all_(8), common)


def ase():
    yield from sorts()
    yield subject("dijkstra", "ase", "dijkstra.c", "VERTICES=5 SYMBOLIC=6", "VERTICES=5 SYMBOLIC=20", "VERTICES=6 SYMBOLIC=10")
    yield subject("kruskal", "ase", "kruskal.c", "VERTICES=4 CHORDS=2", "VERTICES=5 CHORDS=3", "VERTICES=5 CHORDS=4")
    yield subject("bellman-ford", "ase", "bellman_ford.c", "VERTICES=4 SYMBOLIC=6", "VERTICES=6 SYMBOLIC=5", "VERTICES=6 SYMBOLIC=5")
    yield subject("binary_search_all", "ase", "search.c", "SIZE=60", "SIZE=900", "SIZE=2000", "FIND=binary")
    yield subject("linear_find_all", "ase", "search.c", "SIZE=40", "SIZE=160", "SIZE=1000", "FIND=linear")
    yield subject("is_permutation", "ase", "is_permutation.c", "SIZE=3", "SIZE=5", "SIZE=6")
    yield subject("gcd", "ase", "gcd.c", "SIZE=12", "SIZE=40", "SIZE=25")
    yield subject("loop_invgen", "ase", "loop_invgen.c", "SIZE=12", "SIZE=89", "SIZE=89")
    yield subject("min_max_all", "ase", "min_max.c", "SIZE=5", "SIZE=8", "SIZE=10")
    yield subject("dirname", "ase", "dirname.c", "SIZE=6", "SIZE=15", "SIZE=15")
    yield subject("fibonacci", "ase", "fibonacci.c", "SIZE=8", "SIZE=23", "SIZE=20")
    yield subject("half", "ase", "half.c", "SIZE=50", "SIZE=500", "SIZE=1000")
    yield subject("outer_product", "ase", "outer_product.c", "SIZE=2", "SIZE=7", "SIZE=6")


def parti():
    for bits, kind in [(8, "char"), (16, "short"), (32, "int"), (64, "long")]:
        sizes = ("OBJECTS=10 READS=1", "OBJECTS=50 READS=1", "OBJECTS=50 READS=1")
        yield subject(f"objects_{bits}", "parti", "objects.c", *sizes, f"LENGTH=16 ELEMENT={kind}", ["--provenance", "off"])
    yield subject("worst_case", "parti", "worst_case.c", "SIZE=6", "SIZE=14", "SIZE=20")
    yield subject("worst_case_control", "parti", "worst_case.c", "SIZE=6", "SIZE=14", "SIZE=20", "CONTROL=1")
    for sort in SORTS:
        yield subject(f"{sort}_random_1", "parti", "sort.c", "SIZE=20", f"SIZE={RANDOM_ONE[sort]}", "SIZE=100", f"RANDOM=1 SYMBOLIC=1 SORT={sort}")
    for sort in SORTS:
        yield subject(f"{sort}_random_2", "parti", "sort.c", "SIZE=10", f"SIZE={RANDOM_TWO[sort]}", "SIZE=100", f"RANDOM=1 SYMBOLIC=2 SORT={sort}")
    for width, lines in [(4, 10), (8, 8), (12, 7), (16, 6)]:
        yield subject(f"sort_check_{width}", "parti", "sort_check.c", "LINES=4", f"LINES={lines}", "LINES=8", f"WIDTH={width}")


def ours():
    yield subject("base64", "ours", "base64.c", "SIZE=4 SYMBOLIC=4", "SIZE=8 SYMBOLIC=6", "SIZE=8 SYMBOLIC=8")
    yield subject("csv", "ours", "csv.c", "SIZE=4", "SIZE=12", "SIZE=14")
    yield subject("url", "ours", "url.c", "SIZE=4", "SIZE=7", "SIZE=8")
    yield subject("utf8", "ours", "utf8.c", "SIZE=4", "SIZE=12", "SIZE=14")
    yield subject("bits", "ours", "bits.c", "SIZE=2", "SIZE=5", "SIZE=6")
    yield subject("checksum", "ours", "checksum.c", "SIZE=8", "SIZE=14", "SIZE=16")


def scanners():
    """Scanners that flex makes, at five, ten and twenty bytes; the longer ones are cut."""
    for name, tiny in [("scan_json", 2), ("scan_ini", 2), ("scan_c", 1)]:
        yield subject(f"{name}_5", "arrays", f"{name}.l", f"SIZE={tiny}", "SIZE=3", "SIZE=5")
        yield subject(f"{name}_10", "arrays", f"{name}.l", None, None, "SIZE=10")
        yield subject(f"{name}_20", "arrays", f"{name}.l", None, None, "SIZE=20")


def arrays():
    """Tables read at symbolic places, alone, nested and in loops; arrays written at symbolic places and read again."""
    yield from scanners()
    yield subject("parse", "arrays", "parse.y", "SIZE=2", "SIZE=3", "SIZE=5")
    yield subject("is_base64", "arrays", "is_base64.c", "SIZE=10", "SIZE=17", "SIZE=18")
    yield subject("base64_table", "arrays", "base64_table.c", "GROUPS=12", "GROUPS=64", "GROUPS=128")
    for bits, sizes in [(8, (10, 15, 16)), (16, (11, 16, 18)), (32, (12, 17, 20))]:
        yield subject(f"crc_{bits}", "arrays", "crc.c", *(f"SIZE={size}" for size in sizes), f"BITS={bits}")
    for name, step in [("opcodes", 0), ("opcodes_step", 1)]:
        sizes = ("SIZE=4 OPCODES=64", "SIZE=6 OPCODES=256" if step == 0 else "SIZE=5 OPCODES=256", "SIZE=8 OPCODES=256")
        yield subject(name, "arrays", "opcodes.c", *sizes, f"STEP={step}")
    yield subject("walk", "arrays", "walk.c", "STATES=8 SIZE=6", "STATES=128 SIZE=12", "STATES=2048 SIZE=14")
    yield subject("sparse", "arrays", "sparse.c", "ROWS=8 LOOKS=2", "ROWS=32 LOOKS=2", "ROWS=64 LOOKS=3")
    yield subject("nested", "arrays", "nested.c", "ENTRIES=256 SIZE=2 DEPTH=2", "ENTRIES=256 SIZE=4 DEPTH=3", "ENTRIES=256 SIZE=8 DEPTH=4")
    for last in (5, 9):
        sizes = ("ELEMENTS=4 PAIRS=8", "ELEMENTS=64 PAIRS=10" if last == 5 else "ELEMENTS=64 PAIRS=8", "ELEMENTS=4 PAIRS=1")
        yield subject(f"two_reads_{last}", "arrays", "two_reads.c", *sizes, f"LAST={last}")
    for hash_ in ("fold", "product"):
        yield subject(f"hash_{hash_}", "arrays", "hash.c", "SLOTS=8 KEYS=2", "SLOTS=8 KEYS=3", "SLOTS=16 KEYS=4", f"HASH={hash_}")
    for element in ("short", "int"):
        sizes = ("LENGTH=64 WRITES=8 READS=6", "LENGTH=64 WRITES=8 READS=9", "LENGTH=256 WRITES=16 READS=10")
        yield subject(f"elements_{element}", "arrays", "elements.c", *sizes, f"ELEMENT={element}")
    sizes = ("LENGTH=16 WRITES=2 READS=3", "LENGTH=16 WRITES=3 READS=5", "LENGTH=64 WRITES=4 READS=4")
    yield subject("elements_record", "arrays", "elements.c", *sizes, "ELEMENT=record")


def peers():
    """The sorts that were measured with KLEE: their own group, since only they are compared with its seconds."""
    for sort in SORTS:
        yield subject(f"{sort}_40_1", "peers", "sort.c", None, None, "SIZE=40 SYMBOLIC=1", f"RANDOM=1 SORT={sort}")
    for sort in SORTS:
        yield subject(f"{sort}_6_all", "peers", "sort.c", None, None, "SIZE=6 SYMBOLIC=6", f"RANDOM=1 SORT={sort}")


SUBJECTS = [*ase(), *parti(), *ours(), *arrays(), *peers()]
