"""Runs programs in one process, so that their imports are loaded once, and prints their outputs as JSON."""

import contextlib
import io
import json
import runpy
import sys


def printed_by(file):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        runpy.run_path(file, run_name="__main__")
    return printed.getvalue().strip()


print(json.dumps({file: printed_by(file) for file in sys.argv[1:]}))
