"""The page of bench/layers.py: the papers' figures beside ours, a paragraph on each program that differs, and all numbers.

Sentences about differences are written from the numbers, so that the page cannot praise what it does not show. What a paper gives only as a curve is
drawn as the range that its text names.
"""
from collections import namedtuple
from html import escape

import charts
from claims import OBJECTS, claims, verdict
from published import NOTES, SPEEDUP, TABLE_3
from results import CONFIGS, paths, shares
from subjects import SORTS, SUBJECTS

LAYERED = CONFIGS[1:]
GROUPS = {
    "ase": "ASE, Table III",
    "parti": "PARTI, Figures 3, 4, 6, 7 and 11",
    "ours": "Parsers and the like",
    "arrays": "Tables and arrays",
    "peers": "Sorts measured with KLEE",
}

Section = namedtuple("Section", "title plots words")
SECTIONS = [
    Section(
        "Core calls, Table III",
        ("table3-calls-theirs", "table3-calls-ours"),
        "Queries that reached the solver. Theirs counts both sides of each branch; ours counts satisfiability questions, and the side that a known "
        "witness takes needs none.",
    ),
    Section(
        "Time, Table III",
        ("table3-time-theirs", "table3-time-ours"),
        "Per cent of the baseline's time saved. Their baseline asks the solver at every branch; ours keeps simplification, slicing and the cache, and "
        "is harder to beat. What remains beside solving, running the program and forking, counts too.",
    ),
    Section(
        "Object resolution, Figure 3",
        ("figure3-theirs", "figure3-ours"),
        "An index of 64 bits without bounds, many objects, pointers that do not remember where they came from.",
    ),
    Section(
        "Worst case, Figure 4",
        ("figure4-worst_case", "figure4-worst_case_control"),
        "The paper's solver doubles its cost with each variable beyond sixteen; a bound on the number of intervals is to prevent that.",
    ),
    Section(
        "Sorts with one symbolic entry, Figure 6",
        ("figure6-theirs", "figure6-ours"),
        "The paper's figure gives curves by length; its text gives their range.",
    ),
    Section(
        "Sorts with two symbolic entries, Figure 7",
        ("figure7-theirs", "figure7-ours"),
        "Comparisons between two inputs: beyond multi-intervals, within the order of inputs.",
    ),
    Section(
        "Checking that lines are sorted, Figure 11",
        ("figure11-ours",),
        "The paper says that the speed-up grows with the length and the number of lines, and that intervals answer every question.",
    ),
    Section("Parsers and the like", ("ours-reduction",), "Subjects of our own."),
    Section(
        "Tables and arrays",
        ("arrays-reduction", "arrays-calls"),
        "Scanners by flex, a parser by bison, decoders, checks, hashing: tables read at symbolic places, and arrays written there.",
    ),
]

STYLE = """
body { font: 15px/1.5 sans-serif; max-width: 1320px; margin: 2em auto; padding: 0 1em; color: #222 }
figure { display: flex; gap: 24px; flex-wrap: wrap; margin: 1em 0 }
table { border-collapse: collapse; font-size: 12px }
td, th { border: 1px solid #ccc; padding: 2px 6px; text-align: right }
td:first-child, th:first-child { text-align: left }
.not { color: #b00020; font-weight: bold }
.scroll { overflow-x: auto }
"""


def plots(results):
    """All plots by name."""
    return dict([*table_3(results), *parti(results), ("ours-reduction", own(results)), *arrays(results)])


def positive(groups):
    """A loss is drawn as nothing; the tables have it."""
    return {name: {one: value and max(value, 0) for one, value in group.items()} for name, group in groups.items()}


def reductions(results, names):
    return positive({name: {config: results.reduction(name, config) for config in LAYERED} for name in names})


def speedups(results, names):
    return {name: {config: results.speedup(name, config) for config in LAYERED} for name in names}


def own(results):
    names = [subject.name for subject in SUBJECTS if subject.group == "ours"]
    return charts.bars("Parsers and the like: time saved against the baseline (%)", reductions(results, names), LAYERED)


def arrays(results):
    names = [subject.name for subject in SUBJECTS if subject.group == "arrays"]
    timed = [subject.name for subject in SUBJECTS if subject.group == "arrays" and "small" in subject.sizes]
    yield "arrays-reduction", charts.bars("Tables and arrays: time saved against the baseline (%)", reductions(results, timed), LAYERED)
    calls = {name: {config: (results.paper(name, config) or {}).get("core_calls") for config in CONFIGS} for name in names}
    yield "arrays-calls", charts.bars("Tables and arrays: core calls at paper size", calls, CONFIGS, log=True)


def table_3(results):
    theirs = {name: {"baseline": row.baseline, "parti": row.parti, "o1": row.o1, "o2": row.o2} for name, row in TABLE_3.items()}
    yield "table3-calls-theirs", charts.bars("ASE, Table III: queries to the solver", theirs, ("baseline", "parti", "o1", "o2"), log=True)
    ours = {name: {config: (results.paper(name, config) or {}).get("core_calls") for config in CONFIGS} for name in TABLE_3}
    yield "table3-calls-ours", charts.bars("Strata: core calls at paper size", ours, CONFIGS, log=True)
    theirs = positive({name: their_reductions(row) for name, row in TABLE_3.items()})
    yield "table3-time-theirs", charts.bars("ASE, Table III: time saved against the baseline (%)", theirs, ("parti", "o1", "o2"))
    yield "table3-time-ours", charts.bars("Strata, small: time saved against the baseline (%)", reductions(results, TABLE_3), LAYERED)


def their_reductions(row):
    times = {"parti": row.parti_s, "o1": row.o1_s, "o2": row.o2_s}
    return {config: 100 * (1 - seconds / row.baseline_s) for config, seconds in times.items()}


def parti(results):
    yield "figure3-theirs", charts.ranges("PARTI, Figure 3: speed-up in object resolution", {name: SPEEDUP["objects"] for name in OBJECTS}, log=True)
    yield "figure3-ours", charts.bars("Strata: the same", speedups(results, OBJECTS), LAYERED, log=True, unit="x")
    for figure, kind, suffix in ((6, "one", "1"), (7, "two", "2")):
        title = f"PARTI, Figure {figure}: speed-up, sorts with {kind} symbolic"
        yield f"figure{figure}-theirs", charts.ranges(title, {"six sorts": SPEEDUP[kind]}, log=True)
        ours = speedups(results, [f"{sort}_random_{suffix}" for sort in SORTS])
        yield f"figure{figure}-ours", charts.bars("Strata: the same", ours, LAYERED, log=True, unit="x")
    for name, words in (("worst_case", "worst case"), ("worst_case_control", "control, without the multiplication")):
        yield f"figure4-{name}", charts.lines(f"Strata, Figure 4: {words}", growth(results, name), "variables", " s")
    names = [f"sort_check_{width}" for width in (4, 8, 12, 16)]
    yield "figure11-ours", charts.bars("Strata, Figure 11: speed-up, sort -C by length of lines", speedups(results, names), LAYERED, log=True, unit="x")


def growth(results, name):
    """Seconds by number of variables, for each configuration that was run."""
    subject = next(subject for subject in SUBJECTS if subject.name == name)
    numbers = {size: next(int(macro[5:]) for macro in macros if macro.startswith("SIZE=")) for size, macros in subject.sizes.items()}
    series = {}
    for config in CONFIGS:
        points = [(number, results.seconds(name, size, config)) for size, number in numbers.items() if size != "tiny"]
        series[config] = [point for point in points if point[1] is not None]
    return {config: points for config, points in series.items() if points}


def difference(results, name):
    """A paragraph on a program of Table III that does not come out as in the paper, or nothing."""
    theirs, run, published = TABLE_3[name], results.paper(name), results.paper(name, "o2")
    if not run:
        return ""
    words = []
    if not run["complete"]:
        words.append(f"Incomplete ({', '.join(run['causes'])}) after {paths(run):,} of {theirs.paths:,} paths.")
    elif paths(run) != theirs.paths:
        words.append(f"{paths(run):,} paths where the paper has {theirs.paths:,}.")
    if published and published["core_calls"] > theirs.o2:
        words.append(f"O2 calls the core {published['core_calls']:,} times, the paper {theirs.o2:,}.")
    if run["core_calls"]:
        words.append(f"With everything on {run['core_calls']:,} questions still reach the core ({shares(run)}).")
    elif theirs.o2:
        words.append(f"The paper's O2 needs {theirs.o2:,} queries, everything needs none ({shares(run)}).")
    if words and name in NOTES:
        words.append(NOTES[name])
    return " ".join(words)


# The sections on PARTI's figures: which subjects they draw, and the range that the paper names.
MEASURED = {
    "figure3-ours": (OBJECTS, SPEEDUP["objects"]),
    "figure6-ours": ([f"{sort}_random_1" for sort in SORTS], SPEEDUP["one"]),
    "figure7-ours": ([f"{sort}_random_2" for sort in SORTS], SPEEDUP["two"]),
    "figure11-ours": ([f"sort_check_{width}" for width in (4, 8, 12, 16)], (1, None)),
}


def measured(results, plot):
    """A paragraph on a figure of PARTI: what was measured, and whether it falls short of the paper."""
    names, (low, high) = MEASURED[plot]
    words, short = [], False
    for config in LAYERED:
        found = [value for name in names if (value := results.speedup(name, config)) is not None]
        if found:
            words.append(f"{config} {min(found):.2f} to {max(found):.2f} times")
            short |= config == "parti" and min(found) < low
    if not words:
        return ""
    theirs = f"{low} to {high} times" if high else f"over {low} times" if low > 1 else "faster with every line"
    left = sum((run := results.paper(name, "parti")) is not None and run["core_calls"] > 0 for name in names)
    told = [f"Faster than the baseline: {', '.join(words)}. The paper: {theirs}, over a solver without a cache."]
    if short:
        told.append("The configuration parti falls short of it; our baseline has a cache, and running the program counts too.")
    if left:
        told.append(f"With parti {left} of {len(names)} subjects still call the core at paper size.")
    return " ".join(told)


def judged(results):
    yield "<h2>What is to be shown</h2><table><tr><th>claim<th>figure<th></tr>"
    for claim, figure, held in claims(results):
        yield f"<tr><td>{escape(claim)}<td>{escape(figure)}<td class={'not' if held is False else 'ok'}>{verdict(held)}</tr>"
    yield "</table>"


def compared(results, drawn):
    for section in SECTIONS:
        yield f"<h2>{escape(section.title)}</h2><p>{escape(section.words)}</p><figure>{''.join(drawn[name] for name in section.plots)}</figure>"
        yield from (f"<p>{escape(measured(results, name))}</p>" for name in section.plots if name in MEASURED)
        if section is SECTIONS[0]:
            told = [(name, difference(results, name)) for name in TABLE_3]
            yield from (f"<p><b>{escape(name)}</b>: {escape(words)}</p>" for name, words in told if words)


def numbers(results, heads, row):
    for group, title in GROUPS.items():
        yield f"<h2>{escape(title)}: figures</h2><div class=scroll><table><tr>{''.join(f'<th>{escape(head)}' for head in heads)}</tr>"
        for subject in SUBJECTS:
            if subject.group == group:
                yield "<tr>" + "".join(f"<td>{escape(str(value))}" for value in row(results, subject)) + "</tr>"
        yield "</table></div>"


def page(results, drawn, heads, row):
    title = "Solver layers: the papers and Strata"
    head = f"<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title><style>{STYLE}</style><h1>{title}</h1>"
    return "\n".join([head, *judged(results), *compared(results, drawn), *numbers(results, heads, row)]) + "\n"
