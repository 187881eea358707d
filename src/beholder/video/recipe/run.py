"""What `beholder video train` does: read, check, train, write."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from beholder.engines.progress import Silent
from beholder.errors import Misuse
from beholder.registry.spec import configure, parse, resolve
from beholder.video.networks.weights import need_torch, tell
from beholder.video.recipe.clips import clips_of, every_clip, with_prompts
from beholder.video.recipe.encoder import encoder, located
from beholder.video.recipe.made import made, write
from beholder.video.recipe.preferences import Preferences, from_reward, read
from beholder.video.recipe.report import ROLE
from beholder.video.recipe.report import write as write_report
from beholder.video.recipe.splits import check_size
from beholder.video.recipe.training import REFITS, Plan, train
from beholder.video.types import Clip

MADE, REWARD = "made", "reward:"


@dataclass(frozen=True)
class Request:
    """What a user asked for."""

    preferences: str
    weights: Path
    out: Path
    clips: Path | None = None
    dimension: str = ""
    within_groups: bool = False
    unfreeze: int = 0
    refits: int | None = None
    prior: float = 0.5
    licence: str = ""
    seed: int = 0
    fresh: bool = False


def run(asked: Request, watch: Silent | None = None) -> str:
    """Train and write; the report in words."""
    if (asked.out / ROLE).exists() and not asked.fresh:
        raise Misuse(f"{asked.out / ROLE} is there already; expected a new folder; --fresh replaces it")
    if asked.prior <= 0:
        raise Misuse(f"got --prior {asked.prior:g}; expected a number above 0: without it strengths may be infinite")
    named = Path(asked.preferences).expanduser()
    if asked.preferences != MADE and not asked.preferences.startswith(REWARD) and not named.exists():
        raise Misuse(f"got {asked.preferences}, which is neither a table nor the folder of an export; expected one")
    need_torch("training")
    weights = located(asked.weights)
    preferences, clips = _read(asked)
    check_size(preferences)
    tell([weights])
    refits = asked.refits if asked.refits is not None else 1 if asked.unfreeze else REFITS
    plan = Plan(asked.seed, asked.unfreeze, refits, asked.prior)
    found = train(preferences, clips, encoder(weights), plan, watch)
    return write_report(found, asked.out, licence=asked.licence)


def _read(asked: Request) -> tuple[Preferences, Mapping[str, Clip]]:
    if asked.preferences == MADE:
        set_ = made(seed=asked.seed)
        write(set_, asked.out / MADE)
        return set_.preferences, set_.clips
    if asked.clips is None:
        raise Misuse("got no --clips; expected the folder of the clips that were compared")
    if asked.preferences.startswith(REWARD):
        name, settings = parse(asked.preferences.removeprefix(REWARD))
        reward = configure(resolve("video.models", name), settings, f"reward {name}")
        clips = every_clip(asked.clips)
        return with_prompts(from_reward(reward, clips, seed=asked.seed), asked.clips), clips
    found = read(
        Path(asked.preferences).expanduser(),
        dimension=asked.dimension,
        within_groups=asked.within_groups,
        seed=asked.seed,
    )
    check_size(found)
    found = with_prompts(found, asked.clips)
    return found, clips_of(found, asked.clips)
