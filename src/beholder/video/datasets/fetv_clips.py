"""FETV's clips with what people say of them: generated GIFs, and the ratings of the same videos."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from beholder.core.cite import source
from beholder.core.sample import Dataset, remark
from beholder.errors import Misuse
from beholder.store.digest import digest_files
from beholder.study.datasets.fetv import fetv
from beholder.study.ratings import Item, Opinion, Ratings, ratings_of

SYSTEMS = {"videofusion": "modelscope-t2v", "damo-text2video": "modelscope-t2v"}  # one generator, three names

# Frames a second, which no GIF stores. Status: derived, from the scripts in FETV-EVAL by which the clips were made:
# cogvideo's pipeline makes GIFs with 0.125 s a frame; text2video-zero's script asks for 8 by default; those of
# modelscope-t2v and zeroscope leave it to ModelScope's pipeline and to diffusers' export_to_video, which wrote 8 then.
# At which rate the raters saw them is not known.
RATES = {"cogvideo": 8.0, "text2video-zero": 8.0, "modelscope-t2v": 8.0, "zeroscope": 8.0}


@source("Liu2023FETV")
def fetv_clips(path: Path, *, ratings: str = "") -> Dataset[Item, Opinion]:
    """FETV's clips in a folder, GROUP/CATEGORY/MODEL/PROMPT.gif, rated for static quality, temporal quality, alignment.

    Items, systems, raters and metrics are those of study's `fetv`, limited to the items whose clips are in the folder.
    `ratings` is the folder of FETV-EVAL; without it, the ratings included in Beholder are used. The GIFs store no frame
    rate: `RATES` has the known ones, and 8 frames per second are assumed for the others.
    """
    root = Path(path)
    if not root.is_dir():
        raise Misuse(f"got {root}, which is not a folder; expected FETV's clips, GROUP/CATEGORY/MODEL/PROMPT.gif")
    whole = ratings_of(fetv(Path(ratings).expanduser() if ratings else None))
    files = dict(_files(root))
    media = {item: file for item, file in files.items() if item in whole.columns.index}
    if not media:
        raise Misuse(f"got {root} with {len(files)} clips, none of them rated; expected such as cogvideo/204.gif")
    unrated = remark([item for item in files if item not in media], "clip", "without ratings, and left out")
    table = whole.table[whole.table["item"].isin(media)].reset_index(drop=True)
    order = table["item"].unique()
    here = Ratings(table, whole.columns.loc[order], whole.raters, media, unrated)
    made = here.dataset(
        "fetv_clips",
        cite="Liu2023FETV",
        licence="CC BY 4.0",
        about=(
            f"{len(media)} GIFs that generators made of {table['group'].nunique()} prompts; three people rated each "
            "from 1 to 5 for its static quality, its temporal quality and its alignment with the prompt."
        ),
    )
    return replace(made, content=f"{made.content} {digest_files(root, media.values(), ())}")


def _files(root: Path) -> Iterator[tuple[str, Path]]:
    """Every clip with the item that it is: its generator and the number of its prompt. Of doubles the last counts."""
    for file in sorted(root.rglob("*.gif")):
        if file.stem.isdecimal() and file.is_file():
            system = file.parent.name
            yield f"{SYSTEMS.get(system, system)}/{int(file.stem):03d}", file
