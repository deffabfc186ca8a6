"""The runs of bench/layers.py as figures: found by subject, size and configuration, compared with the baseline."""
from statistics import median

from subjects import SUBJECTS

CONFIGS = ("klee", "parti", "o1", "o2", "all")
# The timed and counted subjects of which the claims speak: those of peers are other sizes of the sorts, and no claim was made for those of arrays.
TIMED = [subject.name for subject in SUBJECTS if "small" in subject.sizes and subject.group != "arrays"]


class Results:
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
        return sorted(mine["explore"] / max(other["explore"], 1e-6) for other, mine in rounds if mine["complete"])

    def ratio(self, subject, config, base="klee"):
        found = self.ratios(subject, config, base)
        return median(found) if found else None

    def reduction(self, subject, config, base="klee"):
        """Per cent of the baseline's time that a configuration saves."""
        ratio = self.ratio(subject, config, base)
        return None if ratio is None else 100 * (1 - ratio)

    def speedup(self, subject, config):
        ratio = self.ratio(subject, config)
        return None if ratio is None else 1 / max(ratio, 1e-6)

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


def shares(run):
    """Which layer answered how much, largest first."""
    total = max(run["total"], 1)
    parts = sorted(((count, name) for name, count in run["answered"].items() if count), reverse=True)
    return ", ".join(f"{name} {100 * count / total:.1f} %" for count, name in parts) or "no question"


def known(values):
    return [value for value in values if value is not None]


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
            told = [f"{', '.join(sorted(configs))}: {found[0]} paths, {found[1]} errors {list(found[2])}" for found, configs in outcomes.items()]
            yield f"{subject} ({size}): configurations disagree: {'; '.join(told)}"
