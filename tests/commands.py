"""The command in this process: what it says and how it ends."""

import contextlib
import io
import signal
import sys

from beholder.cli import main


def command(*words):
    """Exit code, what was printed, and what was said aside; whatever else is raised is a traceback of the command."""
    out, err, argv, handler = io.StringIO(), io.StringIO(), sys.argv, signal.getsignal(signal.SIGTERM)
    sys.argv = ["beholder", *words]
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main()
        code = 0
    except SystemExit as end:
        code = end.code or 0
    finally:
        sys.argv = argv
        signal.signal(signal.SIGTERM, handler)
    return code, out.getvalue(), err.getvalue()
