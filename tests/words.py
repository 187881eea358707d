"""Words that somebody, or something, may put after `beholder`: every verb with its options, and values of all sorts."""

import typer
from hypothesis import strategies as st

from beholder.cli import app

WHOLE = typer.main.get_command(app)
LEFT_OUT = {
    ("doctor",),  # takes no words
    ("study", "serve"),  # answers until it is stopped
    ("study", "simulate"),
    ("data", "get"),  # asks the network
    ("video", "prompts", "models"),
}
NEVER = {"--install-completion", "--show-completion", "--help"}  # the first writes into the home folder
ALWAYS = {("run",): ("--dry-run", "--quiet")}  # no model is to run here
PLAUSIBLE = [
    "stereo/dense",
    "stereo",
    "attention/saliency",
    "random_dots(count=2,size=64)",
    "random_dots(count=1e999)",
    "sgbm",
    "sgbm(window=5)",
    "mine=sgbm",
    "bad_pixels",
    "disparity.bad_pixels",
    "pareto",
    "mean_rank(ties=7)",
    "a=1",
    "k=1..2",
    "html",
    "json",
    "terminal",
    "block",
    "flat",
    "run",
    "run/scores.csv",
    "study.toml",
    "gaze.csv",
    "0",
    "1",
    "-1",
    "3.5",
]
HOSTILE = [
    "",
    " ",
    ".",
    "..",
    "/",
    "-",
    "--",
    "~",
    "nan",
    "inf",
    "1e999",
    "-1e999",
    "9" * 400,
    "9" * 5000,
    "\0",
    "a\0b",
    "a\nb",
    "\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07",
    "\u202eabc",
    "\ud800",
    "é",
    "名前",
    "x" * 5000,
    "a/" * 2000,
    "../../../etc/passwd",
    "/dev/null",
    "/dev/zero",
    "/proc/self/mem",
    "f(",
    "f)",
    "f(a=)",
    "f(a=__import__('os').system('x'))",
    "f(**{})",
    "f(a=1,a=2)",
    "f(a=" + "[" * 3000,
    "f(a=" + "-" * 20000 + "1)",
    "a=" + "(" * 3000,
    "a=b=c",
    "=",
    "=x",
    "os:system",
    "json:loads",
    "os.path:join",
    "nonsuch.module:fn",
    "my.py:fn",
    "dir:.",
    "dir:/nonsuch",
    "dir:",
    "cmd:",
    "log:.",
    "log:/dev/null",
    "[red]x[/red]",
    "[/]",
    "%s%n{}",
    "{in}",
    "postgresql://",
    "sqlite:////nonsuch/x",
    "http://127.0.0.1:9/",
    "all",
    "none",
    "*",
    "?",
    "$(touch x)",
    "`touch x`",
    "'; drop",
]
values = st.one_of(st.sampled_from(PLAUSIBLE), st.sampled_from(HOSTILE), st.text(max_size=12))


def verbs(command=WHOLE, before=()):
    """Every verb, as the words that name it, with its parameters."""
    for name, one in sorted(command.commands.items()):
        if hasattr(one, "commands"):
            yield from verbs(one, (*before, name))
        elif (*before, name) not in LEFT_OUT:
            yield (*before, name), one.params


VERBS = list(verbs())


@st.composite
def lines(draw, verb, params):
    """The words of one command: arguments, some of its options, and now and then something that it does not know."""
    words = []
    for one in params:
        if one.param_type_name == "argument":
            words += draw(st.lists(values, min_size=0 if not one.required else 1, max_size=1 if one.nargs == 1 else 3))
        elif (one.opts[0] not in NEVER and draw(st.integers(0, 3)) == 0) or one.required:
            words += [one.opts[0], *([] if one.is_flag else [draw(values)])]
    if draw(st.integers(0, 9)) == 0:
        words.append(draw(values))
    return [*verb, *ALWAYS.get(verb, ()), *words]
