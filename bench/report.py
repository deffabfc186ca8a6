"""What bench/layers.py found, for people and programs: one table in Markdown, the figures as JSON, the plots, the page.

Every number is computed from the runs that are there; what was not run is a dash, what was cut or is incomplete has a plus behind it.
"""
import json, os
from statistics import median

import page
from claims import claims, verdict
from published import TABLE_3
from results import CONFIGS, Results, disagreements, paths, shares
from subjects import SUBJECTS

COUNTED = ("parti", "o2", "all")
HEADS = [
    "subject",
    "paths (paper)",
    "paths",
    *(f"core calls {config}" for config in CONFIGS),
    "core calls a path (all)",
    "answered by (all)",
    "small: none s",
    "small: klee s",
    *(f"small: {config} / klee" for config in CONFIGS[1:]),
    *(f"instructions: {config} / klee" for config in COUNTED),
]
PREFACE = """# Solver layers

Core calls are counted at paper size; `+` marks a run that was cut or is incomplete. Ratios of time: median of the rounds (least–most).
"""


def cell(value, form="{:,}"):
    return "–" if value is None else form.format(value)


def marked(run, value):
    return "–" if run is None else f"{value(run):,}" + ("" if run["complete"] else "+")


def spread(results, subject, config):
    found = results.ratios(subject, config)
    return f"{median(found):.4f} ({found[0]:.4f}–{found[-1]:.4f})" if found else "–"


def row(results, subject):
    name, run = subject.name, results.paper(subject.name)
    theirs = TABLE_3.get(name)
    columns = [name, cell(theirs and theirs.paths), marked(run, paths)]
    columns += [marked(results.paper(name, config), lambda run: run["core_calls"]) for config in CONFIGS]
    columns += [cell(run and run["core_calls"] / max(paths(run), 1), "{:.3f}"), shares(run) if run else "–"]
    columns += [cell(results.seconds(name, "small", config), "{:.3f}") for config in ("none", "klee")]
    columns += [spread(results, name, config) for config in CONFIGS[1:]]
    return columns + [cell(results.growth(name, config), "{:.3f}") for config in COUNTED]


def table(results):
    out = [PREFACE, "| " + " | ".join(HEADS) + " |", "|" + "---|" * len(HEADS)]
    out += ["| " + " | ".join(row(results, subject)) + " |" for subject in SUBJECTS]
    out += ["", "| claim | figure | |", "|---|---|---|"]
    out += [f"| {claim} | {figure} | {verdict(held)} |" for claim, figure, held in claims(results)]
    return "\n".join(out) + "\n"


def summary(results):
    """The figures for programs."""
    rows = {}
    for subject in SUBJECTS:
        rows[subject.name] = {"group": subject.group, **{config: figures(results, subject.name, config) for config in ("none", *CONFIGS)}}
    return {"subjects": rows, "claims": [{"claim": claim, "figure": figure, "held": held} for claim, figure, held in claims(results)]}


def figures(results, name, config):
    run = results.paper(name, config)
    kept = ("complete", "cut", "paths", "errors", "total", "core_calls", "answered", "explore")
    return {
        "paper": {part: run[part] for part in kept} if run else None,
        "small_s": results.seconds(name, "small", config),
        "ratios": results.ratios(name, config),
        "instructions": results.growth(name, config),
    }


def write(runs, folder):
    """Writes everything; whether two configurations disagreed."""
    results = Results(runs)
    drawn = page.plots(results)
    files = {f"{name}.svg": plot for name, plot in drawn.items()}
    files["layers.md"] = table(results)
    files["layers.json"] = json.dumps(summary(results), indent=1)
    files["layers.html"] = page.page(results, drawn, HEADS, row)
    for name, text in files.items():
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)
    for claim, figure, held in claims(results):
        print(f"{verdict(held):<9} {claim}: {figure}")
    found = list(disagreements(results))
    for words in found:
        print(words)
    print(f"{os.path.join(folder, 'layers.md')}, layers.html")
    return bool(found)
