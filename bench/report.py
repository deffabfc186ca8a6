"""What bench/layers.py found, for people: one table in Markdown, the figures as JSON, the plots, and a page that sets the papers' figures beside ours.

Every number is computed from the runs that are there; what was not run is a dash, what was cut says so. Sentences about differences are written from the
numbers, too, so that the page cannot praise what it does not show.
"""
import json, os
from html import escape
from statistics import mean, median

import charts
from published import ASE_REDUCTION, FREE_CHOICE, KLEE, NOTES, SPEEDUP, TABLE_3
from subjects import SORTS, SUBJECTS

CONFIGS = ("klee", "parti", "o1", "o2", "all")
GROUPS = {"ase": "ASE, Table III", "parti": "PARTI, Figures 3, 4, 6, 7 and 11", "ours": "Parsers and the like", "peers": "Sorts measured with KLEE"}
# Where nothing may reach the core with everything on.
SILENT = [f"{sort}_sort_{suffix}" for sort in SORTS for suffix in ("1", "3", "all")]
SILENT += ["is_permutation", "min_max_all", "binary_search_all", "linear_find_all", "base64", "csv", "url", "utf8"]
# The subjects that are timed and counted: those of peers are other sizes of the sorts.
TIMED = [subject.name for subject in SUBJECTS if "small" in subject.sizes]


class Results:
    """The runs, found by subject, size and configuration."""

    def __init__(self, runs):
        self.runs, self.by = runs, {}
        for run in runs:
            self.by.setdefault((run["subject"], run["size"], run["config"]), []).append(run)

    def one(self, subject, size, config):
        return (self.by.get((subject, size, config)) or [None])[0]

    def paper(self, subject, config="all"):
        return self.one(subject, "paper", config)

    def ratios(self, subject, config, base="klee"):
        """CPU of a configuration over the baseline's in the same round, smallest first."""
        times = {c: {run["round"]: run for run in self.by.get((subject, "small", c), [])} for c in (base, config)}
        rounds = [(times[base][at], times[config][at]) for at in times[base] if at in times[config]]
        return sorted(mine["explore"] / max(base["explore"], 1e-6) for base, mine in rounds if mine["complete"])

    def ratio(self, subject, config, base="klee"):
        found = self.ratios(subject, config, base)
        return median(found) if found else None

    def reduction(self, subject, config, base="klee"):
        """Per cent of the baseline's time that a configuration saves."""
        ratio = self.ratio(subject, config, base)
        return None if ratio is None else 100 * (1 - ratio)

    def seconds(self, subject, size, config):
        times = [run["explore"] for run in self.by.get((subject, size, config), [])]
        return median(times) if times else None

    def growth(self, subject, config):
        """Machine instructions over the baseline's, tiny."""
        base, mine = self.one(subject, "tiny", "klee"), self.one(subject, "tiny", config)
        if not base or not mine or base["instructions"] <= 0:
            return None
        return mine["instructions"] / base["instructions"]


def paths(run):
    return run["paths"]["completed"] + run["paths"]["error"]


def outcome(run):
    return paths(run), run["paths"]["error"], tuple(map(tuple, run["errors"]))


def disagreements(results):
    """Subjects whose completed runs do not have the same paths and errors."""
    groups = {}
    for run in results.runs:
        if run["complete"]:
            groups.setdefault((run["subject"], run["size"]), {}).setdefault(outcome(run), set()).add(run["config"])
    for (subject, size), outcomes in groups.items():
        if len(outcomes) > 1:
            each = "; ".join(f"{', '.join(sorted(configs))}: {found[0]} paths, {found[1]} errors {list(found[2])}" for found, configs in outcomes.items())
            yield f"{subject} ({size}): configurations disagree: {each}"


def known(values):
    return [value for value in values if value is not None]


def claims(results):
    """What is to be shown: (claim, figure, held or None where it was not run)."""
    yield from parti_claims(results)
    yield from ase_claims(results)
    yield from beyond_claims(results)


def silent(results, names, config):
    """How many of these subjects were run to their end, and which of them called the core."""
    runs = {name: results.paper(name, config) for name in names}
    done = [name for name, run in runs.items() if run and run["complete"]]
    loud = [f"{name} {run['core_calls']:,}" for name, run in runs.items() if run and run["core_calls"]]
    held = None if not any(runs.values()) else whole(not loud, done, names)
    return f"{len(done)} of {len(names)} complete" + ("; core calls: " + ", ".join(loud) if loud else "; no core call"), held


def parti_claims(results):
    names = [f"{sort}_{kind}_1" for sort in SORTS for kind in ("random", "sort")] + [f"objects_{bits}" for bits in (8, 16, 32, 64)]
    yield "PARTI: no core call in sorts with one symbolic entry and in object resolution", *silent(results, names, "parti")
    ratios = known(results.ratio(f"objects_{bits}", "parti") for bits in (8, 16, 32, 64))
    worst = max(ratios) if ratios else None
    yield "PARTI: object resolution at least 200 times faster than the core alone", f"{1 / worst:.0f} times" if worst else "not run", worst and worst <= 1 / 200
    every = TIMED
    yield "PARTI: at most 3 % more machine instructions than without", *worst_of(results.growth, every, "parti", 1.03)
    yield "PARTI: at most 10 % more CPU time than without, median of five", *worst_of(results.ratio, every, "parti", 1.10)
    yield "PARTI: the worst case gives up before it costs more than the core", *worst_of(results.ratio, ["worst_case", "worst_case_control"], "parti", 1.0)


def worst_of(measure, names, config, limit):
    found = {name: measure(name, config) for name in names}
    found = {name: value for name, value in found.items() if value is not None}
    if not found:
        return "not run", None
    over = [name for name, value in found.items() if value > limit]
    worst = max(found, key=found.get)
    text = f"{found[worst]:.2f} ({worst}); {len(found)} of {len(names)} subjects measured" + (f", {len(over)} over it" if over else "")
    return text, whole(not over, found, names)


def whole(held, found, expected):
    """A claim is held only by all it speaks of; one that fails fails at once."""
    return held if not held or len(found) == len(expected) else None


def over_all(results, names, config, digest, least, base="klee"):
    """Mean or median of the time that a configuration saves."""
    found = known(results.reduction(name, config, base) for name in names)
    if not found:
        return "not run", None
    value = digest(found)
    return f"{value:.2f} % over {len(found)} of {len(names)} subjects", whole(value >= least, found, names) if least is not None else None


def ase_claims(results):
    twelve = [name for name, row in TABLE_3.items() if row.o2 == 0]
    for config in ("o1", "o2"):
        yield f"ASE {config.upper()}: no core call where the paper has none", *silent(results, twelve, config)
    yield "ASE O2: no more core calls than the paper elsewhere (per path where size and source are ours)", *calls(results, [name for name in TABLE_3 if name not in twelve])
    yield f"ASE O2: mean reduction of time at least {ASE_REDUCTION} %", *over_all(results, list(TABLE_3), "o2", mean, ASE_REDUCTION)


def calls(results, names):
    over, seen = [], 0
    for name in names:
        run, row = results.paper(name, "o2"), TABLE_3[name]
        if not run or not run["complete"]:
            continue
        seen += 1
        factor = row.paths / max(paths(run), 1) if name in FREE_CHOICE else 1
        if run["core_calls"] * factor > row.o2:
            over.append(name)
    return f"{seen} of {len(names)} complete" + ("; more: " + ", ".join(over) if over else ""), (not over and seen == len(names)) if seen else None


def beyond_claims(results):
    yield "everything: no core call in sorts, searches, is_permutation, min_max_all and four parsers", *silent(results, SILENT, "all")
    yield "everything: median reduction of time at least 99 %", *over_all(results, TIMED, "all", median, 99)
    yield "everything: mean reduction of time at least 90 %", *over_all(results, TIMED, "all", mean, 90)
    yield "for comparison: median reduction against the core without a cache (none)", *over_all(results, TIMED, "all", median, None, "none")
    yield "for comparison: mean reduction against the core without a cache (none)", *over_all(results, TIMED, "all", mean, None, "none")
    for kind, suffix in (("one", "40_1"), ("all", "6_all")):
        times = known(results.seconds(f"{sort}_{suffix}", "paper", "all") for sort in SORTS)
        limit = KLEE[kind][0] / 50
        yield f"everything: sorts {suffix} in at most a fiftieth of KLEE's least CPU seconds ({limit:.4f} s)", f"{max(times):.4f} s at most" if times else "not run", whole(max(times) <= limit, times, SORTS) if times else None
    runs = [run for run in results.runs if run["config"] == "all" and run["size"] == "paper"]
    total, core = sum(run["total"] for run in runs), sum(run["answered"].get("core", 0) for run in runs)
    yield "everything: at least 90 % of all questions answered above the core", f"{100 * (1 - core / total):.2f} %" if total else "not run", whole(core <= total / 10, runs, SUBJECTS) if total else None


def shares(run):
    """Which layer answered how much, largest first."""
    total = max(run["total"], 1)
    parts = sorted(((count, name) for name, count in run["answered"].items() if count), reverse=True)
    return ", ".join(f"{name} {100 * count / total:.1f} %" for count, name in parts) or "no question"


def spread(results, subject, config):
    found = results.ratios(subject, config)
    return f"{median(found):.4f} ({found[0]:.4f}–{found[-1]:.4f})" if found else "–"


def cell(value, form="{:,}"):
    return "–" if value is None else form.format(value)


def row(results, subject):
    name, theirs, run = subject.name, TABLE_3.get(subject.name), results.paper(subject.name)
    base = results.paper(name, "klee")
    made = f"{paths(run):,}{'' if run['complete'] else ' (cut)'}" if run else "–"
    core = [cell(results.paper(name, config) and results.paper(name, config)["core_calls"]) + cut(results.paper(name, config)) for config in CONFIGS]
    per_path = cell(run and run["core_calls"] / max(paths(run), 1), "{:.3f}")
    columns = [name, cell(theirs and theirs.paths), made, *core, per_path, shares(run) if run else "–"]
    columns += [cell(results.seconds(name, "small", config), "{:.3f}") for config in ("none", "klee")]
    columns += [*(spread(results, name, config) for config in CONFIGS[1:])]
    columns += [cell(results.growth(name, config), "{:.3f}") for config in ("parti", "o2", "all")]
    return columns


def cut(run):
    return "+" if run and not run["complete"] else ""


HEADS = ["subject", "paths (paper)", "paths"] + [f"core calls {config}" for config in CONFIGS] + ["core calls a path (all)", "answered by (all)", "small: none s", "small: klee s"]
HEADS += [f"small: {config} / klee" for config in CONFIGS[1:]] + [f"instructions: {config} / klee" for config in ("parti", "o2", "all")]


def table(results):
    out = ["# Solver layers", "", "Core calls are counted at paper size; `+` marks a run that was cut or incomplete. Ratios of time: median of the rounds (least–most).", ""]
    out += ["| " + " | ".join(HEADS) + " |", "|" + "---|" * len(HEADS)]
    out += ["| " + " | ".join(row(results, subject)) + " |" for subject in SUBJECTS]
    out += ["", "| claim | figure | |", "|---|---|---|"]
    out += [f"| {claim} | {figure} | {verdict(held)} |" for claim, figure, held in claims(results)]
    return "\n".join(out) + "\n"


def verdict(held):
    return "–" if held is None else "held" if held else "NOT HELD"


def figures(results):
    """The plots by file name: pairs of theirs and ours with the same title, and single ones."""
    yield from table_3_figures(results)
    yield from parti_figures(results)
    own = {subject.name: {config: results.reduction(subject.name, config) for config in CONFIGS[1:]} for subject in SUBJECTS if subject.group == "ours"}
    yield "ours-reduction", charts.bars("Parsers and the like: time saved against the core alone (%)", positive(own), CONFIGS[1:])


def table_3_figures(results):
    names = list(TABLE_3)
    theirs = {name: {"baseline": TABLE_3[name].baseline, "parti": TABLE_3[name].parti, "o1": TABLE_3[name].o1, "o2": TABLE_3[name].o2} for name in names}
    yield "table3-calls-theirs", charts.bars("ASE, Table III: queries to the solver", theirs, ("baseline", "parti", "o1", "o2"), log=True)
    ours = {name: {config: (results.paper(name, config) or {}).get("core_calls") for config in CONFIGS} for name in names}
    yield "table3-calls-ours", charts.bars("Strata: core calls at paper size", ours, CONFIGS, log=True)
    saved = lambda mine, base: 100 * (1 - mine / base)
    theirs = {name: {"parti": saved(one.parti_s, one.baseline_s), "o1": saved(one.o1_s, one.baseline_s), "o2": saved(one.o2_s, one.baseline_s)} for name, one in TABLE_3.items()}
    yield "table3-time-theirs", charts.bars("ASE, Table III: time saved against the baseline (%)", positive(theirs), ("parti", "o1", "o2"))
    ours = {name: {config: results.reduction(name, config) for config in CONFIGS[1:]} for name in names}
    yield "table3-time-ours", charts.bars("Strata, small: time saved against the core alone (%)", positive(ours), CONFIGS[1:])


def positive(groups):
    """A loss is drawn as nothing; the tables have it."""
    return {name: {one: value and max(value, 0) for one, value in group.items()} for name, group in groups.items()}


def speedups(results, names):
    invert = lambda ratio: None if ratio is None else 1 / max(ratio, 1e-6)
    return {name: {config: invert(results.ratio(name, config)) for config in CONFIGS[1:]} for name in names}


def parti_figures(results):
    objects = [f"objects_{bits}" for bits in (8, 16, 32, 64)]
    yield "figure3-theirs", charts.ranges("PARTI, Figure 3: speed-up in object resolution", {name: SPEEDUP["objects"] for name in objects}, log=True)
    yield "figure3-ours", charts.bars("Strata: the same", speedups(results, objects), CONFIGS[1:], log=True, unit="x")
    for figure, kind, suffix in ((6, "one", "1"), (7, "two", "2")):
        names = [f"{sort}_random_{suffix}" for sort in SORTS]
        title = f"PARTI, Figure {figure}: speed-up, sorts with {kind} symbolic"
        yield f"figure{figure}-theirs", charts.ranges(title, {"six sorts": SPEEDUP[kind]}, log=True)
        yield f"figure{figure}-ours", charts.bars("Strata: the same", speedups(results, names), CONFIGS[1:], log=True, unit="x")
    for name in ("worst_case", "worst_case_control"):
        title = "Strata, Figure 4: " + ("worst case" if name == "worst_case" else "control, without the multiplication")
        yield f"figure4-{name}", charts.lines(title, worst_points(results, name), "variables", " s")
    names = [f"sort_check_{width}" for width in (4, 8, 12, 16)]
    yield "figure11-ours", charts.bars("Strata, Figure 11: speed-up, sort -C by length of lines", speedups(results, names), CONFIGS[1:], log=True, unit="x")


def worst_points(results, name):
    subject = next(subject for subject in SUBJECTS if subject.name == name)
    size = lambda macros: next(int(macro[5:]) for macro in macros if macro.startswith("SIZE="))
    points = {config: [(size(macros), results.seconds(name, at, config)) for at, macros in subject.sizes.items() if at != "tiny"] for config in CONFIGS}
    return {config: [point for point in each if point[1] is not None] for config, each in points.items() if any(point[1] is not None for point in each)}


def difference(results, name):
    """A sentence on a program of Table III that does not come out as in the paper, or nothing."""
    theirs, run = TABLE_3[name], results.paper(name)
    if not run:
        return ""
    words = []
    if not run["complete"]:
        words.append(f"Incomplete ({', '.join(run['causes'])}) after {paths(run):,} of {theirs.paths:,} paths.")
    elif paths(run) != theirs.paths:
        words.append(f"{paths(run):,} paths where the paper has {theirs.paths:,}.")
    published = results.paper(name, "o2")
    if published and published["core_calls"] > theirs.o2:
        words.append(f"O2 calls the core {published['core_calls']:,} times, the paper {theirs.o2:,}.")
    if run["core_calls"]:
        words.append(f"With everything on {run['core_calls']:,} questions still reach the core ({shares(run)}).")
    elif theirs.o2:
        words.append(f"The paper's O2 needs {theirs.o2:,} queries; with everything on ours needs none ({shares(run)}).")
    return " ".join(words + [NOTES[name]] if words and name in NOTES else words)


STYLE = "body{font:15px/1.5 sans-serif;max-width:1320px;margin:2em auto;padding:0 1em;color:#222}figure{display:flex;gap:24px;flex-wrap:wrap;margin:1em 0}table{border-collapse:collapse;font-size:12px}td,th{border:1px solid #ccc;padding:2px 6px;text-align:right}td:first-child,th:first-child{text-align:left}.not{color:#b00020;font-weight:bold}.scroll{overflow-x:auto}"

SECTIONS = [
    ("Core calls, Table III", ("table3-calls-theirs", "table3-calls-ours"), "Queries that reached the solver. Theirs counts both sides of each branch; ours counts satisfiability questions, and a side that a known witness takes needs none."),
    ("Time, Table III", ("table3-time-theirs", "table3-time-ours"), "Per cent of the baseline's time saved. Their baseline asks the solver at every branch; ours keeps simplification, slicing and the cache, and is the harder one to beat."),
    ("Object resolution, Figure 3", ("figure3-theirs", "figure3-ours"), "An index of 64 bits without bounds, many objects, pointers that do not remember where they came from."),
    ("Worst case, Figure 4", ("figure4-worst_case", "figure4-worst_case_control"), "The paper's solver doubles its cost with each variable beyond sixteen; a bound on the number of intervals is to prevent that."),
    ("Sorts with one symbolic entry, Figure 6", ("figure6-theirs", "figure6-ours"), "The paper's figure gives curves by length; its text gives their range."),
    ("Sorts with two symbolic entries, Figure 7", ("figure7-theirs", "figure7-ours"), "Comparisons between two inputs: beyond multi-intervals, within the order of inputs."),
    ("Checking that lines are sorted, Figure 11", ("figure11-ours",), "The paper says: the speed-up grows with the length and the number of lines, and every question is answered by intervals."),
    ("Parsers and the like", ("ours-reduction",), "Subjects of our own."),
]


def page(results, plots):
    out = [f"<!doctype html><meta charset=utf-8><title>Solver layers: the papers and Strata</title><style>{STYLE}</style><h1>Solver layers: the papers and Strata</h1>"]
    out.append("<h2>What is to be shown</h2><table><tr><th>claim<th>figure<th></tr>")
    for claim, figure, held in claims(results):
        out.append(f"<tr><td>{escape(claim)}<td>{escape(figure)}<td class={'not' if held is False else 'ok'}>{verdict(held)}</tr>")
    out.append("</table>")
    for title, names, words in SECTIONS:
        out.append(f"<h2>{escape(title)}</h2><p>{escape(words)}</p><figure>{''.join(plots[name] for name in names)}</figure>")
        if title.startswith("Core calls"):
            said = [(name, difference(results, name)) for name in TABLE_3]
            out += [f"<p><b>{escape(name)}</b>: {escape(words)}</p>" for name, words in said if words]
    for group, title in GROUPS.items():
        out.append(f"<h2>{escape(title)}: figures</h2><div class=scroll><table><tr>{''.join(f'<th>{escape(head)}' for head in HEADS)}</tr>")
        out += ["<tr>" + "".join(f"<td>{escape(str(value))}" for value in row(results, subject)) + "</tr>" for subject in SUBJECTS if subject.group == group]
        out.append("</table></div>")
    return "\n".join(out) + "\n"


def summary(results):
    """The figures for programs."""
    rows = {subject.name: {"group": subject.group, **{config: machine(results, subject.name, config) for config in CONFIGS}} for subject in SUBJECTS}
    return {"subjects": rows, "claims": [{"claim": claim, "figure": figure, "held": held} for claim, figure, held in claims(results)]}


def machine(results, name, config):
    run = results.paper(name, config)
    kept = ("complete", "cut", "paths", "errors", "total", "core_calls", "answered", "explore")
    return {"paper": {part: run[part] for part in kept} if run else None, "small_s": results.seconds(name, "small", config), "ratios": results.ratios(name, config), "instructions": results.growth(name, config)}


def write(runs, folder):
    """Writes everything; whether two configurations disagreed."""
    results = Results(runs)
    plots = dict(figures(results))
    put = lambda name, text: open(os.path.join(folder, name), "w").write(text)
    for name, plot in plots.items():
        put(f"{name}.svg", plot)
    put("layers.md", table(results))
    put("layers.json", json.dumps(summary(results), indent=1))
    put("layers.html", page(results, plots))
    for claim, figure, held in claims(results):
        print(f"{verdict(held):<9} {claim}: {figure}")
    found = list(disagreements(results))
    for words in found:
        print(words)
    print(f"{os.path.join(folder, 'layers.md')}, layers.html")
    return bool(found)
