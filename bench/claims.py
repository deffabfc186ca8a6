"""What the layers are to show, judged by the runs: each claim is (words, figure, held), `held` None where not all it speaks of was run.

A claim is held only by all subjects it speaks of, run to their end; one counterexample is enough against it.
"""
from statistics import mean, median

from published import ASE_REDUCTION, FREE_CHOICE, KLEE, TABLE_3
from results import TIMED, known, paths
from subjects import SORTS, SUBJECTS

OBJECTS = [f"objects_{bits}" for bits in (8, 16, 32, 64)]
ONE_SYMBOLIC = [f"{sort}_{kind}_1" for sort in SORTS for kind in ("random", "sort")]
# Where nothing may reach the core with everything on.
SILENT = [f"{sort}_sort_{suffix}" for sort in SORTS for suffix in ("1", "3", "all")]
SILENT += ["is_permutation", "min_max_all", "binary_search_all", "linear_find_all", "base64", "csv", "url", "utf8"]
# Where the paper's O2 asks the solver nothing, and where it does.
NO_QUERY = [name for name, row in TABLE_3.items() if row.o2 == 0]
QUERIES = [name for name in TABLE_3 if name not in NO_QUERY]


def claims(results):
    yield from parti(results)
    yield from ase(results)
    yield from everything(results)


def verdict(held):
    return "–" if held is None else "held" if held else "NOT HELD"


def whole(held, found, expected):
    return held if not held or len(found) == len(expected) else None


def silent(results, names, config):
    """How many of these subjects were run to their end, and which of them called the core."""
    runs = {name: results.paper(name, config) for name in names}
    done = [name for name, run in runs.items() if run and run["complete"]]
    loud = [f"{name} {run['core_calls']:,}" for name, run in runs.items() if run and run["core_calls"]]
    held = None if not any(runs.values()) else whole(not loud, done, names)
    return f"{len(done)} of {len(names)} complete; {'core calls: ' + ', '.join(loud) if loud else 'no core call'}", held


def worst(measure, names, config, limit):
    """The largest of a ratio over these subjects, which no one may have above the limit."""
    found = {name: measure(name, config) for name in names}
    found = {name: value for name, value in found.items() if value is not None}
    if not found:
        return "not run", None
    over = [name for name, value in found.items() if value > limit]
    top = max(found, key=found.get)
    figure = f"{found[top]:.4f} ({top}); {len(found)} of {len(names)} subjects measured" + (f", {len(over)} over it" if over else "")
    return figure, whole(not over, found, names)


def saved(results, names, config, digest, least, base="klee"):
    """Mean or median of the time that a configuration saves."""
    found = known(results.reduction(name, config, base) for name in names)
    if not found:
        return "not run", None
    value = digest(found)
    return f"{value:.2f} % over {len(found)} of {len(names)} subjects", None if least is None else whole(value >= least, found, names)


def parti(results):
    yield "PARTI: no core call in sorts with one symbolic entry and in object resolution", *silent(results, ONE_SYMBOLIC + OBJECTS, "parti")
    yield "PARTI: object resolution takes at most 1/200 of the time without", *worst(results.ratio, OBJECTS, "parti", 1 / 200)
    yield "PARTI: at most 1.03 times the machine instructions without", *worst(results.growth, TIMED, "parti", 1.03)
    yield "PARTI: at most 1.10 times the CPU time without, median of the rounds", *worst(results.ratio, TIMED, "parti", 1.10)
    yield "PARTI: the worst case gives up before it costs more than the core", *worst(results.ratio, ["worst_case", "worst_case_control"], "parti", 1.0)


def ase(results):
    for config in ("o1", "o2"):
        yield f"ASE {config.upper()}: no core call where the paper has none", *silent(results, NO_QUERY, config)
    yield "ASE O2: no more core calls than the paper elsewhere (per path where size and source are ours)", *calls(results)
    yield f"ASE O2: mean reduction of time at least {ASE_REDUCTION} %", *saved(results, list(TABLE_3), "o2", mean, ASE_REDUCTION)


def calls(results):
    runs = {name: results.paper(name, "o2") for name in QUERIES}
    done = {name: run for name, run in runs.items() if run and run["complete"]}
    over = [name for name, run in done.items() if comparable(name, run) > TABLE_3[name].o2]
    figure = f"{len(done)} of {len(QUERIES)} complete" + (f"; more: {', '.join(over)}" if over else "")
    return figure, whole(not over, done, QUERIES) if done else None


def comparable(name, run):
    """Core calls, brought to the paper's number of paths where the program is only of the same kind."""
    return run["core_calls"] * (TABLE_3[name].paths / max(paths(run), 1) if name in FREE_CHOICE else 1)


def everything(results):
    yield "everything: no core call in sorts, searches, is_permutation, min_max_all and four parsers", *silent(results, SILENT, "all")
    yield "everything: median reduction of time at least 99 %", *saved(results, TIMED, "all", median, 99)
    yield "everything: mean reduction of time at least 90 %", *saved(results, TIMED, "all", mean, 90)
    yield "for comparison: median reduction against the core without a cache (none)", *saved(results, TIMED, "all", median, None, "none")
    yield "for comparison: mean reduction against the core without a cache (none)", *saved(results, TIMED, "all", mean, None, "none")
    for kind, suffix in (("one", "40_1"), ("all", "6_all")):
        limit = KLEE[kind][0] / 50
        yield f"everything: sorts {suffix} in at most a fiftieth of KLEE's least CPU seconds, {limit:.4f} s", *beside_klee(results, suffix, limit)
    yield "everything: at least 90 % of all questions answered above the core", *above(results)


def beside_klee(results, suffix, limit):
    times = known(results.seconds(f"{sort}_{suffix}", "paper", "all") for sort in SORTS)
    if not times:
        return "not run", None
    return f"{min(times):.4f} to {max(times):.4f} s", whole(max(times) <= limit, times, SORTS)


def above(results):
    runs = [run for run in results.runs if run["config"] == "all" and run["size"] == "paper"]
    total, core = sum(run["total"] for run in runs), sum(run["answered"].get("core", 0) for run in runs)
    if not total:
        return "not run", None
    return f"{100 * (1 - core / total):.2f} % of {total:,}", whole(core <= total / 10, runs, SUBJECTS)
