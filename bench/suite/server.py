"""A Futhark server with a limit of time, and Futhark's binary values."""
import json
import os
import select
import signal
import struct
import subprocess
import tempfile
import time

import numpy as np

NAMES = {"int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64",
         "float16": "f16", "float32": "f32", "float64": "f64", "bool": "bool"}
TYPES = {name: np.dtype(of) for of, name in NAMES.items()}


def write_value(file, value, type_name):
    value = np.asarray(value).astype(TYPES[type_name], copy=False)
    file.write(b"b\x02" + bytes([value.ndim]) + type_name.rjust(4).encode() + struct.pack(f"<{value.ndim}Q", *value.shape))
    file.write(np.ascontiguousarray(value).tobytes())


def read_values(path):
    data = np.memmap(path, dtype=np.uint8, mode="r")
    values, at = [], 0
    while at < len(data):
        if bytes(data[at:at + 1]).isspace():
            at += 1
            continue
        rank, of = int(data[at + 2]), TYPES[bytes(data[at + 3:at + 7]).decode().strip()]
        shape = struct.unpack(f"<{rank}Q", bytes(data[at + 7:at + 7 + 8 * rank]))
        at += 7 + 8 * rank
        size = of.itemsize * int(np.prod(shape, dtype=np.int64))
        values.append(np.frombuffer(data[at:at + size].tobytes(), dtype=of).reshape(shape))
        at += size
    return values


class Failure(Exception):
    """The program failed; it goes on."""


class Ended(Exception):
    """The process ended, or was ended since its time was over."""


class Server:
    def __init__(self, command, seconds, environment=None):
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, env=environment,
                                        start_new_session=True)
        self.unread = b""
        self.limit(seconds)
        self.answer()

    def limit(self, seconds):
        """From now on, for all that follows."""
        self.deadline = time.time() + seconds

    def line(self):
        while b"\n" not in self.unread:
            left = self.deadline - time.time()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                self.end()
                raise Ended("over its time")
            more = os.read(self.process.stdout.fileno(), 65536)
            if not more:
                self.process.wait()
                self.errors.seek(0)
                said = self.errors.read().decode(errors="replace")[-300:]
                raise Ended(f"exit code {self.process.returncode}: {' '.join(said.split())}")
            self.unread += more
        line, self.unread = self.unread.split(b"\n", 1)
        return line.decode(errors="replace")

    def answer(self):
        lines, failed = [], False
        while True:
            line = self.line()
            if line == "%%% OK":
                if failed:
                    raise Failure(" ".join(lines)[:300])
                return lines
            if line.startswith("%%% FAILURE"):
                failed = True
            else:
                lines.append(line)

    def say(self, *words):
        try:
            self.process.stdin.write((" ".join(map(str, words)) + "\n").encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Ended("no longer there") from None
        return self.answer()

    def peak_bytes(self):
        """Of device memory; None if the server does not tell."""
        memory = json.loads("\n".join(self.say("report"))).get("memory", {})
        return max((v for v in memory.values() if isinstance(v, int)), default=None)

    def end(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
