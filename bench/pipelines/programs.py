"""What programs.json says of each program: types and shapes of inputs and outputs, and what follows from them.

  f32[3][H][W]@300   an array; the image's columns from 300 on (reference.image)
  i32=100            a number
"""
import json
import os
import re

import numpy as np

import reference

HERE = os.path.dirname(os.path.realpath(__file__))
SIZES = {"f32": 4, "u16": 2, "u8": 1}


def load():
    with open(os.path.join(HERE, "programs.json")) as file:
        return json.load(file)


class Value:
    def __init__(self, text):
        form = r"(\w+)(?:=(\d+))?((?:\[[^\]]*\])*)(?:@(\d+))?"
        self.kind, self.number, dims, start = re.fullmatch(form, text).groups()
        self.dims = re.findall(r"\[([^\]]*)\]", dims)
        self.start = int(start or 0)

    def shape(self, size):
        """size: (W, H)"""
        names = {"W": size[0], "H": size[1]}
        return [sum(sign * int(names.get(name, name)) for sign, name in self.terms(dim)) for dim in self.dims]

    @staticmethod
    def terms(dim):
        return [(-1 if sign == "-" else 1, name) for sign, name in re.findall(r"([+-]?)(\w+)", dim)]

    def bytes(self, size):
        return 0 if self.number else SIZES[self.kind] * int(np.prod(self.shape(size)))

    def made(self, size):
        if self.number:
            return np.array(int(self.number), np.int32)
        return reference.image(self.kind, self.shape(size), self.start)


def inputs(entry):
    return [Value(text) for text in entry["inputs"]]


def outputs(entry):
    return [Value(text) for text in entry["outputs"]]


def floor_bytes(entry, size):
    """What must be read and written in any case."""
    return sum(value.bytes(size) for value in inputs(entry) + outputs(entry))


def signature(name, entry):
    """The macros that driver.c wants."""
    ins, outs = inputs(entry), outputs(entry)
    arrays = lambda values, word: " ".join(f"A({word}{i}, {v.kind}, {len(v.dims)})" if not v.number else f"S({word}{i})"
                                           for i, v in enumerate(values))
    arguments = ", ".join([f"&out{i}" for i in range(len(outs))] + [f"in{i}" for i in range(len(ins))])
    return (f'#include "{name}.h"\n#define INPUTS(A, S) {arrays(ins, "in")}\n#define OUTPUTS(A) {arrays(outs, "out")}\n'
            f"#define CALL futhark_entry_main(context, {arguments})\n")


def write_made(entry, size, path):
    """Makes the inputs of a program that has no Halide app; returns them."""
    arrays = [value.made(size) for value in inputs(entry)]
    with open(path, "wb") as file:
        for array in arrays:
            reference.write(file, array)
    return arrays
