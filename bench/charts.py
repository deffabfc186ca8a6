"""Plots as SVG, written by hand: nothing to install, and a page that holds them is one file.

Two kinds: bars in groups (one group a subject, one bar a configuration) and lines. Values may span many orders of magnitude, so the scale is logarithmic where
it is asked for; zero then gets a stub at the edge, and a value that is missing gets nothing.
"""
import math
from html import escape

COLOURS = {"baseline": "#8a8a8a", "klee": "#8a8a8a", "parti": "#d98e04", "o1": "#6aa84f", "o2": "#2f7d32", "all": "#1f5fbf", "theirs": "#b03a6f"}
LABEL, WIDTH, BAR, GAP = 150, 620, 9, 8


def colour(name):
    return COLOURS.get(name, "#555555")


def scale(values, log):
    """From a value to pixels, and the values worth a line."""
    top = max([value for value in values if value is not None] + [1])
    room = WIDTH - LABEL - 70
    if not log:
        step = 10 ** math.floor(math.log10(top)) if top > 0 else 1
        marks = [step * i for i in range(int(top / step) + 2) if step * i <= top * 1.05]
        return (lambda value: room * value / top), marks
    low = min([value for value in values if value] + [1])
    base = math.floor(math.log10(low))
    span = max(math.ceil(math.log10(top)) - base, 1)
    place = lambda value: 2 if value <= 0 else 4 + (room - 4) * (math.log10(value) - base) / span
    return place, [10.0**exponent for exponent in range(base, base + span + 1)]


def short(value):
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:.3g}{unit}"
    return f"{value:.3g}"


def text(x, y, words, anchor="start", size=11, fill="#222"):
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{fill}">{escape(str(words))}</text>'


def frame(title, height, series, body):
    """A drawing with its title and the names of its series."""
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif">']
    out += [f'<rect width="{WIDTH}" height="{height}" fill="white"/>', text(8, 18, title, size=13)]
    x = LABEL
    for name in series:
        out += [f'<rect x="{x}" y="27" width="10" height="10" fill="{colour(name)}"/>', text(x + 14, 36, name)]
        x += 30 + 7 * len(name)
    return "\n".join(out + body + ["</svg>"]) + "\n"


def bars(title, groups, series, log=False, unit=""):
    """`groups`: name -> {series: value or None}."""
    values = [value for group in groups.values() for value in group.values()]
    place, marks = scale(values, log)
    pitch = len(series) * BAR + GAP
    height = 60 + pitch * len(groups) + 10
    body = []
    for mark in marks:
        x = LABEL + place(mark)
        body += [f'<line x1="{x:.1f}" y1="52" x2="{x:.1f}" y2="{height - 8}" stroke="#ddd"/>', text(x, 50, short(mark) + unit, "middle", 9, "#777")]
    for row, (name, group) in enumerate(groups.items()):
        y = 58 + row * pitch
        body.append(text(LABEL - 6, y + len(series) * BAR / 2 + 3, name, "end"))
        for at, one in enumerate(series):
            value = group.get(one)
            if value is None:
                continue
            long = max(place(value), 1)
            body.append(f'<rect x="{LABEL}" y="{y + at * BAR}" width="{long:.1f}" height="{BAR - 1}" fill="{colour(one)}"/>')
            body.append(text(LABEL + long + 3, y + at * BAR + BAR - 2, short(value) + unit, size=8, fill="#555"))
    return frame(title, height, series, body)


def ranges(title, groups, log=False, unit="x"):
    """`groups`: name -> (low, high or None). What a paper says in words: from here to there, or from here on."""
    place, marks = scale([end for pair in groups.values() for end in pair], log)
    height = 60 + 26 * len(groups) + 10
    body = []
    for mark in marks:
        x = LABEL + place(mark)
        body += [f'<line x1="{x:.1f}" y1="52" x2="{x:.1f}" y2="{height - 8}" stroke="#ddd"/>', text(x, 50, short(mark) + unit, "middle", 9, "#777")]
    for row, (name, (low, high)) in enumerate(groups.items()):
        y, start = 60 + row * 26, LABEL + place(low)
        end = LABEL + place(high) if high else WIDTH - 60
        body.append(text(LABEL - 6, y + 11, name, "end"))
        body.append(f'<rect x="{start:.1f}" y="{y}" width="{max(end - start, 2):.1f}" height="14" fill="{colour("theirs")}" opacity="{0.8 if high else 0.4}"/>')
        body.append(text(end + 3, y + 11, f"{short(low)} to {short(high)}{unit}" if high else f"over {short(low)}{unit}", size=9, fill="#555"))
    return frame(title, height, ["theirs"], body)


def lines(title, series, across, unit=""):
    """`series`: name -> [(x, y)], y on a logarithmic scale."""
    points = [point for each in series.values() for point in each]
    if not points:
        return frame(title, 80, [], [text(LABEL, 60, "no runs yet")])
    low, high = min(x for x, _ in points), max(x for x, _ in points)
    ys = [max(y, 1e-4) for _, y in points]
    bottom, top = math.floor(math.log10(min(ys))), math.ceil(math.log10(max(ys)))
    height, room = 300, 300 - 100
    at_x = lambda x: 60 + (WIDTH - 100) * (x - low) / max(high - low, 1)
    at_y = lambda y: 60 + room * (top - math.log10(max(y, 1e-4))) / max(top - bottom, 1)
    body = []
    for exponent in range(bottom, top + 1):
        y = at_y(10.0**exponent)
        body += [f'<line x1="60" y1="{y:.1f}" x2="{WIDTH - 40}" y2="{y:.1f}" stroke="#ddd"/>', text(56, y + 3, short(10.0**exponent) + unit, "end", 9, "#777")]
    for x in sorted({x for x, _ in points}):
        body.append(text(at_x(x), height - 22, short(x), "middle", 9, "#777"))
    body.append(text(WIDTH / 2, height - 6, across, "middle", 10))
    for name, each in series.items():
        path = " ".join(f"{at_x(x):.1f},{at_y(y):.1f}" for x, y in sorted(each))
        body.append(f'<polyline points="{path}" fill="none" stroke="{colour(name)}" stroke-width="2"/>')
        body += [f'<circle cx="{at_x(x):.1f}" cy="{at_y(y):.1f}" r="3" fill="{colour(name)}"/>' for x, y in each]
    return frame(title, height, list(series), body)
