"""The programs among the subjects of bench/layers.py that other programs write: scanners by flex (.l), parsers by bison (.y).

They are made when the benchmark runs, as in any program that has a scanner, so what is measured is what the installed flex and bison make of our rules; a run is
known by the text that was made. Where one of them is missing, what it made before is used as long as the rules are older; else the subject is left out, and
a line says what to install.
"""
import os, shutil, subprocess

SOURCES = os.path.dirname(os.path.abspath(__file__))
# Without lines that name a file: the same text in every folder.
TOOLS = {".l": ["flex", "-L"], ".y": ["bison", "--no-lines"]}


class Missing(Exception):
    """A program that makes programs is not installed."""


def made(file):
    """Is this subject's program made, not written?"""
    return os.path.splitext(file)[1] in TOOLS


def program(file, folder):
    """The C program that a subject's file is, or is made into in this folder."""
    rules = os.path.join(SOURCES, file)
    if not made(file):
        return rules
    stem, kind = os.path.splitext(file)
    text = os.path.join(folder, stem + ".c")
    if not fresh(text, rules):
        make(TOOLS[kind], rules, text)
    return text


def fresh(text, rules):
    return os.path.exists(text) and os.path.getmtime(text) >= os.path.getmtime(rules)


def make(tool, rules, text):
    if not shutil.which(tool[0]):
        raise Missing(f"{tool[0]} is missing. Install it, for instance: sudo apt-get install {tool[0]}")
    os.makedirs(os.path.dirname(text), exist_ok=True)
    part = text + ".part"
    subprocess.run([*tool, "-o", part, rules], check=True)
    os.replace(part, text)  # whole or not at all


def programs(files, folder):
    """Each file's program, and for those that could not be made the reason."""
    found, missing = {}, {}
    for file in dict.fromkeys(files):
        try:
            found[file] = program(file, folder)
        except Missing as reason:
            missing[file] = str(reason)
    return found, missing
