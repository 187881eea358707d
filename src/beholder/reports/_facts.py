"""What a section shows besides its numbers: failures, pictures, sources and how the run was made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

if TYPE_CHECKING:
    from beholder.core.verdict import Verdict
    from beholder.evaluation.sections import Section
    from beholder.store.run_json import DatasetFacts, MeasureFacts

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


def failures(section: Section) -> list[Failure]:
    """Who failed where and why, by model and reason; pooled measures that lost samples too."""
    known = section.facts.get("failures")
    failed = _of_state(section, "failed") if known is None else [(f["model"], f["reason"], f["sample"]) for f in known]
    found: dict[tuple[str, str], list[str]] = {}
    for model, reason, sample in [*failed, *_of_state(section, "partial")]:
        found.setdefault((str(model), str(reason)), []).append(str(sample))
    return [Failure(model, reason, tuple(dict.fromkeys(samples))) for (model, reason), samples in found.items()]


def _of_state(section: Section, state: str) -> list[tuple[str, str, str]]:
    rows = section.scores[section.scores["state"] == state]
    return list(rows[["model", "reason", "unit"]].drop_duplicates().itertuples(index=False, name=None))


def verdicts(section: Section) -> list[tuple[Verdict, Mapping[str, str]]]:
    """All verdicts, and whom to list as not judged: those whom all judges left out stand with the official one only."""
    every = [(verdict, verdict.left_out) for verdict in section.verdicts]
    return [*every[:1], *((verdict, {} if own == every[0][1] else own) for verdict, own in every[1:])]


def leading(section: Section, verdict: Verdict) -> tuple[str, ...]:
    """Whom a judge's table sets in bold: who leads, or is not significantly worse; nobody where a blind model wins."""
    return verdict.leading if section.trust.best else ()


def cited(sections: Sequence[Section]) -> list[str]:
    """Citation keys of everything that these sections used."""
    several = [verdict.cite for section in sections for verdict in section.verdicts]
    for facts in (section.facts for section in sections):
        several += [used["cite"] for used in facts.get("uses", ())]
        several += [one["cite"] for one in (*facts["datasets"], *facts["measures"], *facts.get("models", ()))]
    return sorted({key.strip() for keys in several for key in keys.split(",") if key.strip()})


def bounds(measure: MeasureFacts) -> str:
    """From where to where a measure can go, as `from 0 to ∞`."""
    least, most = (f"{float(bound):g}".replace("inf", "∞") for bound in measure["bounds"])
    return f"from {least} to {most}"


def datasets(section: Section) -> list[str]:
    """A line on each dataset: name, size, licence, fingerprint, status of its references."""
    return [" · ".join(filter(None, _dataset_words(dataset))) for dataset in section.facts["datasets"]]


def _dataset_words(dataset: DatasetFacts) -> Iterator[str]:
    yield dataset["name"]
    yield dataset_size(dataset)
    yield dataset["licence"] and f"licence {dataset['licence']}"
    yield dataset["fingerprint"] and f"fingerprint {dataset['fingerprint']}"
    yield dataset["status"] and f"references {dataset['status']}"


def used(section: Section) -> list[str]:
    """A line on everything of somebody's that was measured with: name, licence, source, digest."""
    return [
        f"{one['name']} ({one['about']}) · licence {one['licence']} · from {one['source']} · digest {one['digest']}"
        for one in section.facts.get("uses", ())
    ]


def dataset_size(dataset: DatasetFacts) -> str:
    """How many samples of how many."""
    of = f" of {dataset['of']}" if dataset["of"] != dataset["samples"] else ""
    return f"{dataset['samples']}{of} samples"


def made(section: Section) -> dict[str, str]:
    """How the numbers came about: seed, when, with which versions."""
    facts = section.facts
    versions = ", ".join(f"{name} {version}" for name, version in facts.get("versions", {}).items())
    words = {"seed": facts.get("seed"), "started": facts.get("started"), "versions": versions or None}
    return {name: str(word) for name, word in words.items() if word is not None}


OVERVIEW = "overview"  # the folder of pictures that are not of one sample


class Picture(NamedTuple):
    """A figure: where it lies, and the sample's name; or what it shows of all samples."""

    path: str
    name: str
    whole: bool = False

    @property
    def alt(self) -> str:
        """What to say where it cannot be seen."""
        return f"All samples: {self.name}" if self.whole else f"Sample {self.name} with the models' answers"


def pictures(section: Section) -> list[Picture]:
    """The figures, named after their samples; with the dataset, which is their folder, where there are several."""
    several = section.scores["dataset"].nunique() > 1
    return [_picture(path, several) for path in section.figures]


def _picture(path: str, several: bool) -> Picture:
    """A picture after its path: …/dataset/sample.png, or …/dataset/overview/what_it_shows.png."""
    file = PurePosixPath(path)
    whole = file.parent.name == OVERVIEW
    dataset = file.parent.parent.name if whole else file.parent.name
    name = file.stem.replace("_", " ") if whole else file.stem
    return Picture(path, f"{dataset}/{name}" if several and dataset else name, whole)


def departures(section: Section) -> list[str]:
    """A line for every deviation of a measure from its source."""
    return [f"{m['label']}: {text}" for m in section.facts["measures"] for text in m["deviations"]]


def address(path: str) -> str:
    """A relative path as a link; nothing in it can be read as a scheme, a query or a fragment.

    >>> address("figures/a b#1.png"), address("javascript:alert(1)")
    ('figures/a%20b%231.png', 'javascript%3Aalert%281%29')
    """
    return quote(path)
