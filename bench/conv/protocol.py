"""A Futhark server, and data for conv.fut."""
import json
import os
import subprocess
import tempfile

import numpy as np


class Server:
    """A Futhark server, spoken to on pipes."""

    def __init__(self, *command):
        self.folder = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.answer()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def answer(self):
        lines = []
        for line in self.process.stdout:
            if line.startswith("%%% OK"):
                break
            lines.append(line.rstrip())
        if any(line.startswith("%%% FAILURE") for line in lines):
            raise RuntimeError("\n".join(lines))
        return lines

    def say(self, command):
        self.process.stdin.write(command + "\n")
        return self.answer()

    def call(self, command):
        """Milliseconds."""
        return next(int(l.split(":")[1]) for l in self.say("call " + command) if l.startswith("runtime")) / 1e3

    def kernels(self, command):
        """Milliseconds that the device works for a call."""
        self.say("unpause_profiling")
        self.call(command)
        self.say("pause_profiling")
        events = json.loads("\n".join(self.say("report")))["events"]
        return sum(e["duration"] for e in events if not e["name"].startswith("copy_")) / 1e3

    def data(self, name, shape):
        """Makes an array of noise."""
        with open(self.path("numbers"), "wb") as f:
            for value in shape:
                f.write(b"b\x02\x00 i64" + np.int64(value).tobytes())
        sizes = [f"size_{d}" for d in range(len(shape))]
        self.say(f"restore {self.path('numbers')} " + " ".join(f"{size} i64" for size in sizes))
        if name == "stride":
            self.say("rename size_0 stride")
            return
        self.call(f"data_{len(shape)} {name} " + " ".join(sizes))
        self.say("free " + " ".join(sizes))

    def sample(self, rank):
        self.call(f"sample_{rank} places result")
        self.say(f"store {self.path('places')} places")
        self.say("free places")
        return np.frombuffer(open(self.path("places"), "rb").read()[-2000:], dtype=np.float32)
