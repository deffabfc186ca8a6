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


def sorts():
    """Table III: 300 numbers with one symbolic, 40 with three, eight with all."""
    small = {"1": SMALL_ONE, "3": SMALL_THREE, "all": SMALL_ALL}
    for sort in SORTS:
        for suffix, tiny, paper in [("1", "SIZE=40 SYMBOLIC=1", "SIZE=300 SYMBOLIC=1"), ("3", "SIZE=8 SYMBOLIC=3", "SIZE=40 SYMBOLIC=3"), ("all", "SIZE=5 SYMBOLIC=5", "SIZE=8 SYMBOLIC=8")]:
            yield subject(f"{sort}_sort_{suffix}", "ase", "sort.c", tiny, small[suffix][sort], paper, f"SORT={sort}")


def all_(size):
    return f"SIZE={size} SYMBOLIC={size}"


SMALL_ONE = {sort: "SIZE=300 SYMBOLIC=1" for sort in SORTS}
SMALL_THREE = {sort: "SIZE=20 SYMBOLIC=3" for sort in SORTS}
SMALL_ALL = {"bubble": all_(7), "heap": all_(6), "insertion": all_(7), "merge": all_(7), "quick": all_(7), "selection": all_(7)}


def ase():
    yield from sorts()
    yield subject("dijkstra", "ase", "dijkstra.c", "VERTICES=5 SYMBOLIC=6", "VERTICES=5 SYMBOLIC=20", "VERTICES=6 SYMBOLIC=10")
    yield subject("kruskal", "ase", "kruskal.c", "VERTICES=4 CHORDS=2", "VERTICES=5 CHORDS=3", "VERTICES=5 CHORDS=4")
    yield subject("bellman-ford", "ase", "bellman_ford.c", "VERTICES=4 SYMBOLIC=6", "VERTICES=6 SYMBOLIC=5", "VERTICES=6 SYMBOLIC=5")
    yield subject("binary_search_all", "ase", "search.c", "SIZE=60", "SIZE=500", "SIZE=2000", "FIND=binary")
    yield subject("linear_find_all", "ase", "search.c", "SIZE=60", "SIZE=300", "SIZE=1000", "FIND=linear")
    yield subject("is_permutation", "ase", "is_permutation.c", "SIZE=3", "SIZE=5", "SIZE=6")
    yield subject("gcd", "ase", "gcd.c", "SIZE=12", "SIZE=40", "SIZE=25")
    yield subject("loop_invgen", "ase", "loop_invgen.c", "SIZE=12", "SIZE=60", "SIZE=89")
    yield subject("min_max_all", "ase", "min_max.c", "SIZE=5", "SIZE=8", "SIZE=10")
    yield subject("dirname", "ase", "dirname.c", "SIZE=6", "SIZE=12", "SIZE=15")
    yield subject("fibonacci", "ase", "fibonacci.c", "SIZE=8", "SIZE=20", "SIZE=20")
    yield subject("half", "ase", "half.c", "SIZE=50", "SIZE=1000", "SIZE=1000")
    yield subject("outer_product", "ase", "outer_product.c", "SIZE=2", "SIZE=5", "SIZE=6")


def parti():
    for bits, kind in [(8, "char"), (16, "short"), (32, "int"), (64, "long")]:
        sizes = ("OBJECTS=10 READS=1", "OBJECTS=30 READS=2", "OBJECTS=50 READS=1")
        yield subject(f"objects_{bits}", "parti", "objects.c", *sizes, f"LENGTH=16 ELEMENT={kind}", ["--provenance", "off"])
    yield subject("worst_case", "parti", "worst_case.c", "SIZE=6", "SIZE=14", "SIZE=20")
    yield subject("worst_case_control", "parti", "worst_case.c", "SIZE=6", "SIZE=14", "SIZE=20", "CONTROL=1")
    for sort in SORTS:
        yield subject(f"{sort}_random_1", "parti", "sort.c", "SIZE=20 SYMBOLIC=1", "SIZE=200 SYMBOLIC=1", "SIZE=100 SYMBOLIC=1", f"RANDOM=1 SORT={sort}")
    for sort in SORTS:
        yield subject(f"{sort}_random_2", "parti", "sort.c", "SIZE=10 SYMBOLIC=2", "SIZE=40 SYMBOLIC=2", "SIZE=100 SYMBOLIC=2", f"RANDOM=1 SORT={sort}")
    for width in (4, 8, 12, 16):
        yield subject(f"sort_check_{width}", "parti", "sort_check.c", "LINES=4", "LINES=6", "LINES=8", f"WIDTH={width}")


def ours():
    yield subject("base64", "ours", "base64.c", "SIZE=4", "SIZE=4", "SIZE=8")
    yield subject("csv", "ours", "csv.c", "SIZE=4", "SIZE=7", "SIZE=12")
    yield subject("url", "ours", "url.c", "SIZE=4", "SIZE=6", "SIZE=9")
    yield subject("utf8", "ours", "utf8.c", "SIZE=4", "SIZE=7", "SIZE=12")
    yield subject("bits", "ours", "bits.c", "SIZE=2", "SIZE=4", "SIZE=6")
    yield subject("checksum", "ours", "checksum.c", "SIZE=8", "SIZE=12", "SIZE=16")


def peers():
    """The sorts that were measured with KLEE: their own group, since only they are compared with its seconds."""
    for sort in SORTS:
        yield subject(f"{sort}_40_1", "peers", "sort.c", None, None, "SIZE=40 SYMBOLIC=1", f"RANDOM=1 SORT={sort}")
    for sort in SORTS:
        yield subject(f"{sort}_6_all", "peers", "sort.c", None, None, "SIZE=6 SYMBOLIC=6", f"RANDOM=1 SORT={sort}")


SUBJECTS = [*ase(), *parti(), *ours(), *peers()]
