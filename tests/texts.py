"""A benchmark whose stimuli and answers are texts in files: the smallest that programs and folders can stand in."""

from beholder.core.benchmark import Benchmark, Files
from beholder.core.measure import measure
from beholder.core.sample import Dataset, Sample


@measure(better="lower", bounds=(0, 1), cite="")
def nothing(observed, reference):
    return 0.0


def text_sample(id):
    return Sample(id, f"see {id}", None)


def show_text(stimulus, folder):
    (folder / "stimulus.txt").write_text(stimulus, "utf-8")


def read_text(path, limit=0):
    return path.read_text("utf-8")


def write_text(answer, path):
    path.write_text(answer, "utf-8")


TEXTS = Files((".txt", ".md"), read_text, write_text, show_text)


def reading(ids=("a", "b", "set/c"), files=TEXTS):
    return Benchmark("stereo/reading", 1, Dataset("texts", ids, text_sample), (nothing,), (), files=files)
