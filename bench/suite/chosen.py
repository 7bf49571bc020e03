"""usage: chosen.py ROWS programs|files [PART...]      names of what `prepare` needs for the rows of a file like rows.py, of programs with a PART in their name
"""
import runpy
import sys


def chosen(rows, parts):
    return [row for row in rows if not parts or any(part in row[0] for part in parts)]


def main():
    file, what, *parts = sys.argv[1:]
    programs = chosen(runpy.run_path(file)["ROWS"], parts)
    sources = [source for _, rows in programs for _, _, *both in rows for source in both]
    names = [program for program, _ in programs] if what == "programs" else [source[1] for source in sources if source[0] == "file"]
    for name in dict.fromkeys(names):
        print(name)


if __name__ == "__main__":
    main()
