"""Checks what the pipeline writes against anomalies.golden. SAMESUM names the program."""

import os
import pathlib
import shutil
import subprocess

import pipeline

HERE = pathlib.Path(__file__).resolve().parent
SAMESUM = shutil.which(os.environ.get("SAMESUM", "samesum"))


def test_anomalies(tmp_path):
    assert SAMESUM, "no samesum program: put it in PATH, or its path in the variable SAMESUM"
    shutil.copy(HERE / "anomalies.golden", tmp_path)
    pipeline.run(HERE.parent / "data" / "coads_slp.npy", tmp_path / "anomalies.f64")
    check = subprocess.run(
        [SAMESUM, "golden", "check", tmp_path / "anomalies.golden"],
        capture_output=True,
        text=True,
    )
    assert check.returncode == 0, check.stderr
