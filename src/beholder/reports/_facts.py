"""What a chapter shows beside its numbers: failures, pictures, sources and how the run was made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from beholder.reports._numbers import duration

if TYPE_CHECKING:
    from beholder.core.benchmark import Verdict
    from beholder.evaluation.sections import Chapter

CITE = "beholder cite DIR"
NAMED = 5  # samples named with a failure; the score rows have them all


class Failure(NamedTuple):
    """What went wrong with one model for one reason."""

    model: str
    reason: str
    samples: tuple[str, ...]

    @property
    def where(self) -> str:
        """The samples, or the first of many."""
        if self.samples == ("*",):
            return "the whole dataset"
        more = len(self.samples) - NAMED
        return ", ".join(self.samples[:NAMED]) + (f" and {more} more" if more > 0 else "")

    @property
    def sentence(self) -> str:
        """All of it in a line."""
        return f"{self.model} on {self.where}: {self.reason}"


def failures(chapter: Chapter) -> list[Failure]:
    """Who failed where and why, by model and reason; pooled measures that lost samples too."""
    told = chapter.facts.get("failures")
    failed = _of_state(chapter, "failed") if told is None else [(f["model"], f["reason"], f["sample"]) for f in told]
    found: dict[tuple[str, str], list[str]] = {}
    for model, reason, sample in [*failed, *_of_state(chapter, "partial")]:
        found.setdefault((str(model), str(reason)), []).append(str(sample))
    return [Failure(model, reason, tuple(dict.fromkeys(samples))) for (model, reason), samples in found.items()]


def _of_state(chapter: Chapter, state: str) -> list[tuple[str, str, str]]:
    rows = chapter.scores[chapter.scores["state"] == state]
    return list(rows[["model", "reason", "unit"]].drop_duplicates().itertuples(index=False, name=None))


def verdicts(chapter: Chapter) -> list[Verdict]:
    """All verdicts; whom all judges left out for the same reasons is said with the official one only."""
    official = chapter.verdicts[:1]
    told = dict(official[0].left_out) if official else {}
    others = (v._replace(left_out={}) if dict(v.left_out) == told else v for v in chapter.verdicts[1:])
    return [*official, *others]


def cited(chapters: Sequence[Chapter]) -> list[str]:
    """Citation keys of everything that these chapters used."""
    facts = [fact for c in chapters for kind in ("datasets", "measures", "models") for fact in c.facts.get(kind, ())]
    several = [*(fact.get("cite") or "" for fact in facts), *(v.cite for c in chapters for v in c.verdicts)]
    return sorted({key.strip() for keys in several for key in keys.split(",") if key.strip()})


def deviations(measure: Mapping[str, Any]) -> list[str]:
    """Where a measure departs from its source."""
    told = measure.get("deviations") or ()
    return [told] if isinstance(told, str) else list(told)


def bounds(measure: Mapping[str, Any]) -> str:
    """From where to where a measure can go.

    >>> bounds({"bounds": ["0.0", "inf"]}), bounds({})
    ('from 0 to ∞', '')
    """
    found = [f"{float(bound):g}".replace("inf", "∞") for bound in measure.get("bounds") or ()]
    return f"from {' to '.join(found)}" if found else ""


def datasets(chapter: Chapter) -> list[str]:
    """A line on each dataset: name, size, licence, fingerprint, status of its references."""
    return [" · ".join(dataset_words(dataset)) for dataset in chapter.facts.get("datasets", ())]


def dataset_words(dataset: Mapping[str, Any]) -> list[str]:
    """What is known of a dataset, in short pieces."""
    words = [str(dataset.get("name", "")), dataset_size(dataset)]
    for key, before in (("licence", "licence "), ("fingerprint", "fingerprint "), ("status", "references ")):
        words.append(f"{before}{dataset[key]}" if dataset.get(key) else "")
    return [word for word in words if word]


def dataset_size(dataset: Mapping[str, Any]) -> str:
    """How many samples of how many.

    >>> dataset_size({"samples": 3, "of": 9}), dataset_size({"samples": 9, "of": 9}), dataset_size({})
    ('3 of 9 samples', '9 samples', '')
    """
    if dataset.get("samples") is None:
        return ""
    of = f" of {dataset['of']}" if dataset.get("of") not in (None, dataset["samples"]) else ""
    return f"{dataset['samples']}{of} samples"


def made(chapter: Chapter) -> dict[str, str]:
    """How the numbers came about: seed, draws, when, how long, with which versions."""
    facts = chapter.facts
    words = {name: str(facts[name]) for name in ("seed", "draws", "started") if facts.get(name) is not None}
    if facts.get("seconds") is not None:
        words["took"] = duration(float(facts["seconds"]))
    if facts.get("versions"):
        words["versions"] = ", ".join(f"{name} {version}" for name, version in facts["versions"].items())
    return words


WHOLE = "overview"  # the folder of pictures that are not of one sample


class Picture(NamedTuple):
    """A figure: where it lies, and the sample's name; or what it shows of all samples."""

    path: str
    name: str
    whole: bool = False

    @property
    def alt(self) -> str:
        """What to say where it cannot be seen."""
        return f"All samples: {self.name}" if self.whole else f"Sample {self.name} with the models' answers"


def pictures(chapter: Chapter) -> list[Picture]:
    """The figures, named after their samples; with the dataset, which is their folder, where there are several."""
    several = chapter.scores["dataset"].nunique() > 1
    return [_picture(path, several) for path in chapter.figures]


def _picture(path: str, several: bool) -> Picture:
    """A picture after its path: …/dataset/sample.png, or …/dataset/overview/what_it_shows.png."""
    place = PurePosixPath(path)
    whole = place.parent.name == WHOLE
    dataset = place.parent.parent.name if whole else place.parent.name
    name = place.stem.replace("_", " ") if whole else place.stem
    return Picture(path, f"{dataset}/{name}" if several and dataset else name, whole)


def departures(chapter: Chapter) -> list[str]:
    """A line for every deviation of a measure from its source."""
    return [f"{m['name']}: {text}" for m in chapter.facts.get("measures", ()) for text in deviations(m)]


def address(path: str) -> str:
    """A relative path as a link; nothing in it can be read as a scheme, a query or a fragment.

    >>> address("figures/a b#1.png"), address("javascript:alert(1)")
    ('figures/a%20b%231.png', 'javascript%3Aalert%281%29')
    """
    return quote(path)
