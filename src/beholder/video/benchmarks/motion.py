"""video/motion: is the motion in generated clips right to people's eyes?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from beholder.core.benchmark import Benchmark, Figures, Files, Hooks, Lineup, Model, Unjudged
from beholder.core.measure import Measure, Readout, fix
from beholder.core.sample import Dataset
from beholder.errors import Misuse
from beholder.judges.mean_score import mean_score
from beholder.store.cache import cached
from beholder.store.digest import digest, package
from beholder.video.accept import accept
from beholder.video.datasets.scenes import scenes
from beholder.video.figures.overview import part_scores
from beholder.video.figures.sheet import clip_sheet, films, prompt_views
from beholder.video.files.answers import SUFFIXES, held, located, read, show, write
from beholder.video.measures import release
from beholder.video.measures.amplitude import perceptible_amplitude
from beholder.video.measures.coherence import temporal_coherence
from beholder.video.measures.commonsense import commonsense_adherence
from beholder.video.measures.integrity import object_integrity
from beholder.video.measures.smoothness import jerk, judder, motion_smoothness
from beholder.video.measures.total import motion_total
from beholder.video.models.faulty import faulty
from beholder.video.models.lawful import lawful
from beholder.video.models.noise import noise
from beholder.video.models.still import still
from beholder.video.networks.perception import accept_deep, check
from beholder.video.networks.weights import Weights, chosen, named, need_torch, tell
from beholder.video.readouts.blazepose import blazepose
from beholder.video.scene import Scene
from beholder.video.types import Clip, Prompt

Definition = Literal["paper", "release"]
Keypoints = Literal["given", "blazepose"]
Backend = Literal["classical", "deep"]
BESIDE = ("*.keypoints.*", "manifest.*")  # files that stand with clips
STEADY = ("motion_smoothness", "object_integrity", "temporal_coherence")  # nothing that stands still breaks these
SCENES = "scenes"  # the dataset whose prompts say how things move
TOTALS = (motion_total, fix(motion_total, amplitude=False), fix(motion_total, amplitude=False, further=True))
FAULTS = {
    "blurring": "blur_burst",
    "shaking": "jitter",
    "stuttering": "repeats",
    "vanishing": "vanish",
    "wobbling": "wobble",
}


def motion(
    dataset: Dataset[Prompt, Scene] | None = None,
    *,
    definition: Definition = "paper",
    keypoints: Keypoints = "given",
    backend: Backend = "classical",
    weights: str = "",
    networks: str = "",
) -> Benchmark:
    """VMBench's five motion metrics on the clips of generators; four of them on a laptop, without its networks.

    A model is a folder of clips (`--model mine=dir:clips/mine`), a function from a prompt to a clip, or a program. With
    folders only and no dataset, clips of the same name are compared. `definition` = "paper" uses the paper's formulas,
    in seconds; "release" computes what the released scripts compute, from the same classical image analysis.
    Commonsense adherence needs a network, so without one it is not applicable. Judder, jerk and the totals with and
    without amplitude stand beside the five. `keypoints` = "blazepose" finds people in clips that come without keypoints
    (needs the extra `pose`).

    `backend` = "deep" uses networks like the paper's, with weights that you supply: `weights` is a folder with
    grounding_dino, sam2, vitpose and videomae in it; `beholder video weights` says what to get. `networks` selects
    other networks than these four, joined by +: networks=videomae, networks=grounding_dino+sam2+q_align.
    """
    found = _networks(backend, weights, networks, keypoints)
    return Benchmark(
        name="video/motion",
        version=2,
        dataset=scenes() if dataset is None else dataset,
        measures=_five(definition),
        judges=(mean_score,),
        unjudged=Unjudged((*TOTALS, judder, jerk)),
        accept=partial(accept_deep, networks=found, accepts=_accepts(keypoints)) if found else _accepts(keypoints),
        lineup=Lineup(baselines, blind, oracles, right={"still": STEADY}),
        files=Files(SUFFIXES, read, write, show, find=located, beside=BESIDE, held=held),
        figures=Figures(
            sample=partial(clip_sheet, scores=definition == "paper"),
            overview=part_scores,
            films=partial(films, scores=definition == "paper"),
            views=prompt_views,
        ),
        hooks=Hooks(holds=(Prompt, object), gather=_gather),
        about="Motion in generated clips: is it smooth, do things keep their shape and not vanish, how much moves?",
        uses=tuple(one.used for one in found.values()),
    )


def _five(definition: Definition) -> tuple[Measure, ...]:
    """CAS and MSS, which are global, then OIS, PAS and TCS, which are local."""
    found: dict[str, tuple[Measure, ...]] = {
        "paper": (
            commonsense_adherence,
            motion_smoothness,
            object_integrity,
            perceptible_amplitude,
            temporal_coherence,
        ),
        "release": (
            release.commonsense_adherence_release,
            release.motion_smoothness_release,
            release.object_integrity_release,
            release.perceptible_amplitude_release,
            release.temporal_coherence_release,
        ),
    }
    if definition not in found:
        raise Misuse(f"got definition={definition!r}; expected one of {', '.join(found)}")
    return found[definition]


def _networks(backend: Backend, weights: str, networks: str, keypoints: Keypoints) -> dict[str, Weights]:
    """The networks that are to look at clips: none where the backend is classical."""
    if backend not in ("classical", "deep"):
        raise Misuse(f"got backend={backend!r}; expected classical or deep")
    if backend == "classical":
        odd = "weights" if weights else "networks" if networks else ""
        if odd:
            raise Misuse(f"got {odd} with backend=classical, which has none; expected backend=deep")
        return {}
    named(networks)  # a wrong name is told before what to install
    need_torch("backend=deep")
    found = chosen(networks, weights)
    check(found)
    if keypoints != "given" and "vitpose" in found:
        raise Misuse(
            f"got keypoints={keypoints} and the network vitpose; expected one of them: leave it out of networks"
        )
    tell(list(found.values()))
    return found


def _accepts(keypoints: Keypoints) -> Readout:
    if keypoints not in ("given", "blazepose"):
        raise Misuse(f"got keypoints={keypoints!r}; expected given or blazepose")
    return accept if keypoints == "given" else accept_people


def accept_people(raw: Any, prompt: Prompt) -> Clip:
    """A clip with the people that a network finds in it, where it comes without keypoints."""
    clip = accept(raw, prompt)
    if clip.poses:
        return clip
    key = digest("blazepose", package(), clip.content or clip.pixels, clip.rate)
    return replace(clip, poses=cached(key, partial(blazepose, clip)))


def baselines(dataset: Dataset[Any, Any]) -> Mapping[str, Model]:
    """Where the prompts are of generated scenes, generators with one bad habit each."""
    return {name: partial(faulty, kind=kind) for name, kind in FAULTS.items()} if dataset.name == SCENES else {}


def blind(dataset: Dataset[Any, Any]) -> Mapping[str, Model]:
    """Generators that do not read the prompt: a picture that stands still, and noise."""
    return {"still": still, "noise": noise}


def oracles(dataset: Dataset[Any, Any]) -> Mapping[str, Model]:
    """Where the prompts are of generated scenes, the scene as it is: what faultless motion scores."""
    return {"lawful": lawful} if dataset.name == SCENES else {}


def _gather(folders: Sequence[Path]) -> str:
    """The dataset that folders of clips make up by themselves."""
    odd = next((str(folder) for folder in folders if set(":;'\"") & set(str(folder))), "")
    if odd:
        raise Misuse(f"got the folder {odd}; expected a name without : ; and quotes; rename it, or link to it")
    return f"clips(folders={';'.join(map(str, folders))!r})"
