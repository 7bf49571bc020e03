#!/usr/bin/env python3
"""Evaluates dumps of Futhark programs on the inputs of their test blocks and compares with the expected results.

usage: seg_corpus_check.py TOOL PROGRAMS DUMPS SUFFIX [default|first]

TOOL is seg_eval_tool; DUMPS holds, for PROGRAMS/a/b.fut, the dump a__b.SUFFIX. Only inputs and outputs that are written out
in the block are used. Prints one line for each test case, then the counts.
"""
import collections
import concurrent.futures
import os
import re
import subprocess
import sys


def blocks(text):
    lines = text.split("\n")
    i = 0
    while i < len(lines):
        if re.fullmatch(r"-- ==\s*", lines[i]):
            block = []
            i += 1
            while i < len(lines) and lines[i].startswith("--"):
                block.append(lines[i][2:])
                i += 1
            yield "\n".join(block)
        else:
            i += 1


def braced(text, i):
    """The text between the brace at i and its partner, and where it ends. Comments and strings may hold braces."""
    depth = 0
    start = i + 1
    while i < len(text):
        if text[i] == '"':
            i = text.index('"', i + 1)
        elif text.startswith("--", i):
            i = text.find("\n", i)
            if i < 0:
                return text[start:], len(text)
        elif text[i] == "{":
            depth += 1
        elif text[i] == "}":
            depth -= 1
            if depth == 0:
                return text[start:i], i + 1
        i += 1
    return text[start:], len(text)


def cases(block):
    """Yields (entries, input, kind, expected)."""
    entries = ["main"]
    m = re.search(r"entry:([^\n]*)", block)
    if m:
        entries = m.group(1).split()
    for m in re.finditer(r"(random|script)?\s*\binput\s*([{@])", block):
        if m.group(1) or m.group(2) == "@":
            yield entries, None, "not written out", ""
            continue
        text, end = braced(block, m.end() - 1)
        rest = block[end:].lstrip()
        if re.match(r"auto\s+output", rest):
            yield entries, None, "not written out", ""
        elif re.match(r"output\s*\{", rest):
            expected, _ = braced(rest, rest.index("{"))
            yield entries, text, "output", expected
        elif rest.startswith("output"):
            yield entries, None, "not written out", ""
        elif rest.startswith("error:"):
            yield entries, text, "error", rest[len("error:"):].split("\n")[0].strip()
        else:
            yield entries, text, "runs", ""


def check(job):
    tool, dump, entry, text, kind, expected, extra = job
    stdin = text + ("\n---\n" + expected if kind == "output" else "")
    try:
        run = subprocess.run([tool, dump, entry, *extra], input=stdin, capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        return "timeout", ""
    if run.returncode < 0:
        return "crash", str(run.returncode)
    first = run.stdout.split("\n")[0]
    word, _, message = first.partition(" ")
    if kind == "error":
        if word == "error" or "invalid sizes" in message:
            ok = not expected or re.search(expected, "Error: " + message)
            return ("agree" if ok else "other error"), message
        return ("no error" if word == "ok" else word), message
    if kind == "runs" and word == "ok":
        word = "agree"
    return word, message


def main():
    tool, programs, dumps, suffix, *extra = sys.argv[1:]
    jobs = []
    names = []
    skipped = 0
    for folder, _, files in sorted(os.walk(programs)):
        for f in sorted(files):
            if not f.endswith(".fut"):
                continue
            path = os.path.join(folder, f)
            name = os.path.relpath(path, programs)[: -len(".fut")].replace("/", "__")
            dump = os.path.join(dumps, name + "." + suffix)
            if not os.path.exists(dump):
                continue
            text = open(path, encoding="utf-8").read()
            for block in blocks(text):
                for entries, given, kind, expected in cases(block):
                    if given is None:
                        skipped += 1
                        continue
                    for entry in entries:
                        jobs.append((tool, dump, entry, given, kind, expected, extra))
                        names.append(f"{name}:{entry}")
    counts = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, (word, message) in zip(names, pool.map(check, jobs)):
            counts[word] += 1
            if word != "agree":
                print(f"{word:12} {name}: {message[:200]}")
    print(f"{sum(counts.values())} cases, {skipped} skipped because their data are elsewhere:", dict(counts.most_common()))


if __name__ == "__main__":
    main()
