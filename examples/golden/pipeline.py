"""A pipeline of one step: sea level pressure to its deviation from 1013.25 hPa, in binary64."""

import array
import pathlib
import sys


def read_npy(path):
    """The elements of a little-endian .npy file of binary32, format version 1."""
    data = pathlib.Path(path).read_bytes()
    begin = 10 + int.from_bytes(data[8:10], "little")
    elements = array.array("f")
    elements.frombytes(data[begin:])
    if sys.byteorder == "big":
        elements.byteswap()
    return elements


def run(source, target):
    """Reads the field from source and writes its anomalies to target, a raw file of binary64."""
    anomalies = array.array("d", (value - 1013.25 for value in read_npy(source)))
    if sys.byteorder == "big":
        anomalies.byteswap()
    pathlib.Path(target).write_bytes(anomalies.tobytes())


if __name__ == "__main__":
    run(sys.argv[1], sys.argv[2])
