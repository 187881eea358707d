"""Which networks there are, whose weights they need, under which licence, and where those are looked for.

Beholder brings no weights and fetches none unasked. A folder of weights holds one folder for each role; see `find`.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from multiprocessing import parent_process
from pathlib import Path
from typing import Any

from beholder.core.benchmark import Used
from beholder.errors import Misuse
from beholder.io.reading import parse_toml
from beholder.registry.find import nearest
from beholder.store.cache import cached
from beholder.store.digest import digest, file_digest

VARIABLE = "BEHOLDER_WEIGHTS"
TABLE = "weights.toml"
INSTALL = "pip install torch transformers"
HUB_ID = re.compile(r"[\w.-]+/[\w.-]+")


@dataclass(frozen=True)
class Role:
    """A network that has a part to play, and what is known of its published weights."""

    name: str  # also the name of its folder
    does: str
    hub: str  # where weights of this kind are published: an id on the Hugging Face hub, or words
    licence: str  # of those weights, with a mark of how that is known
    cite: str = ""
    kinds: tuple[str, ...] = ()  # what config.json may call the network
    files: tuple[str, ...] = ("config.json", "*.safetensors")  # what its folder must hold
    opt_in: bool = False  # only used when it is named


MEMORY = "from memory, not verified"
ROLES: dict[str, Role] = {
    role.name: role
    for role in (
        Role(
            "grounding_dino",
            "boxes around what a noun names (PAS, TCS) and around people (OIS)",
            "IDEA-Research/grounding-dino-base",
            f"Apache-2.0 ({MEMORY})",
            "Liu2024GroundingDINO",
            ("grounding-dino",),
        ),
        Role(
            "sam2",
            "masks of the subject through the clip (PAS, TCS)",
            "facebook/sam2.1-hiera-large",
            f"Apache-2.0 ({MEMORY})",
            "Ravi2024",
            ("sam2_video", "sam2"),
        ),
        Role(
            "vitpose",
            "keypoints of people (OIS)",
            "usyd-community/vitpose-base-simple",
            f"Apache-2.0 ({MEMORY})",
            "Xu2022ViTPose",
            ("vitpose",),
        ),
        Role(
            "videomae",
            "five levels of commonsense (CAS)",
            "GD-ML/VMBench, vit_g_vmbench.pt, through `beholder video convert`; or a head of your own, `… train`",
            "VMBench's code is Apache-2.0 (verified); the licence of the weights is unknown",
            "Wang2023VideoMAE",
            ("videomae",),
        ),
        Role(
            "q_align",
            "quality of frames (MSS), instead of contrast",
            "q-future/one-align",
            f"S-Lab Licence 1.0, non-commercial, by its code (verified); weights: {MEMORY}",
            "Wu2024QAlign",
            opt_in=True,
        ),
        Role(
            "cotracker",
            "paths of points (PAS and TCS of definition=release), instead of Lucas-Kanade",
            "CoTracker3 offline (scaled_offline.pth) as TorchScript cotracker.pt",
            "CC-BY-NC 4.0, non-commercial (verified)",
            "Karaev2024",
            files=("*.pt*",),
            opt_in=True,
        ),
    )
}
CORE = tuple(role.name for role in ROLES.values() if not role.opt_in)


@dataclass(frozen=True)
class Weights:
    """Weights that were found: enough to load them in any process, and to tell them from others."""

    role: str
    place: str  # a folder, or an id on the hub
    digest: str  # of the files' bytes; of an id on the hub, its commit
    licence: str
    source: str
    revision: str = ""  # the commit of an id on the hub

    @property
    def folder(self) -> Path:
        """Where the files are; of an id on the hub, nowhere that is ours to know."""
        return Path(self.place)

    @property
    def used(self) -> Used:
        """What a run says of them."""
        role = ROLES.get(self.role, Role(self.role, "", "", ""))
        return Used(self.role, role.does, self.licence, self.source, self.digest, role.cite)


def need_torch(what: str) -> None:
    """Refuse, with what to install, where torch or transformers is not there."""
    lacking = [name for name in ("torch", "transformers") if find_spec(name) is None]
    if lacking:
        raise Misuse(f"{what} needs {' and '.join(lacking)}: not installed here; {INSTALL}")


def find(role: str | Role, weights: str | Path = "") -> Weights:
    """The weights of a role; where there are none, one sentence with what to get and where to put it.

    Looked for in this order: the folder ROLE in `weights`, then in the folder that BEHOLDER_WEIGHTS names; then what
    the file weights.toml in one of the two says: `ROLE = "folder"`, `ROLE = "owner/name"` of the hub, or a table with
    `at` and `licence`. A hub id goes to transformers as it is, which may fetch it.
    """
    its = _role(role)
    roots = _roots(weights)
    for root in roots:
        if (root / its.name).is_dir():
            return _in_folder(its, root / its.name)
    for root in roots:
        said = _said(root).get(its.name)
        if said is not None:
            return _as_said(its, said, root)
    raise Misuse(missing(its, weights))


def missing(its: Role, weights: str | Path = "") -> str:
    """What to get, and where to put it."""
    roots = _roots(weights)
    looked = f" in {' or '.join(str(root / its.name) for root in roots)}" if roots else ""
    return f"no weights of {its.name}{looked}; {wanted(its, roots)}"


def wanted(its: Role, roots: Sequence[Path] = ()) -> str:
    """What to get, and where to put it."""
    root = roots[0] if roots else Path(f"${VARIABLE}")
    return (
        f"get {its.hub} (licence: {its.licence}), and put its {' and '.join(its.files)} into {root / its.name}, "
        f"or name their place in {root / TABLE}{'' if roots else '; weights=DIR names the folder, too'}"
    )


def status(weights: str | Path = "") -> Iterator[tuple[Role, Weights | str]]:
    """Each role with its weights, or why there are none."""
    _roots(weights)  # a folder that is not there is told once
    for role in ROLES.values():
        try:
            yield role, find(role, weights)
        except Misuse as why:
            yield role, str(why)


def named(networks: str = "") -> list[str]:
    """The networks that a text names, joined by +; of nothing, all but those that are opt-in."""
    return [_role(name.strip()).name for name in networks.split("+")] if networks else list(CORE)


def chosen(networks: str = "", weights: str | Path = "") -> dict[str, Weights]:
    """The weights of the networks that a text names, joined by +; of nothing, all but those that are opt-in."""
    found, lacking = {}, []
    for name in dict.fromkeys(named(networks)):
        try:
            found[name] = find(name, weights)
        except Misuse as why:
            lacking.append((name, why))
    if lacking:
        more = ", ".join(name for name, _ in lacking[1:])
        told = f"; also missing or wrong: {more}; `beholder video weights` tells all" if more else ""
        raise Misuse(f"{lacking[0][1]}{told}")
    return found


_told: set[tuple[str, str]] = set()


def tell(found: Sequence[Weights]) -> None:
    """Print the licence of weights that are about to be loaded: each once, to stderr, by the first process only."""
    if parent_process() is not None:
        return
    for one in found:
        if (one.role, one.digest) not in _told:
            _told.add((one.role, one.digest))
            sys.stderr.write(f"{one.role}: weights from {one.place}; licence: {one.licence}\n")


def _role(role: str | Role) -> Role:
    if isinstance(role, Role):
        return role
    if role not in ROLES:
        raise Misuse(f"got the network {role!r}{nearest(role, ROLES)}")
    return ROLES[role]


def _roots(weights: str | Path) -> list[Path]:
    """The folders that are looked into, the given one first."""
    given = [Path(place).expanduser() for place in (weights, os.environ.get(VARIABLE, "")) if str(place)]
    for place in given:
        if not place.is_dir():
            raise Misuse(f"got the folder of weights {place}, which is not there; expected one with folders sam2, …")
    return list(dict.fromkeys(given))


def _said(root: Path) -> Mapping[str, Any]:
    """What the table of a folder says of its roles."""
    file = root / TABLE
    if not file.is_file():
        return {}
    try:
        said = parse_toml(file.read_text("utf-8"))
    except ValueError as fault:
        raise Misuse(f"{file} is not valid TOML: {fault}") from None
    return said


def _as_said(its: Role, said: Any, root: Path) -> Weights:
    """The weights at the place that a table names."""
    at = said.get("at", "") if isinstance(said, dict) else said
    licence = str(said.get("licence", "")) if isinstance(said, dict) else ""
    if not isinstance(at, str) or not at:
        raise Misuse(f'{root / TABLE}: got {its.name} = {said!r}; expected "a folder", or "owner/name" of the hub')
    folder = root / Path(at).expanduser()
    if folder.is_dir():
        return _in_folder(its, folder, licence)
    if not HUB_ID.fullmatch(at) or at.startswith("."):
        raise Misuse(f"{root / TABLE}: got {its.name} = {at!r}; expected a folder that is there, or owner/name")
    need_torch(its.name)
    commit = _commit(at)
    return Weights(its.name, at, commit, licence or f"as {at} says on the hub; {its.licence}", f"hub {at}", commit)


def _commit(hub_id: str) -> str:
    """The commit of an id on the hub: of the copy that is here already, else of what is published."""
    hub = import_module("huggingface_hub")

    try:
        return Path(hub.snapshot_download(hub_id, local_files_only=True)).name
    except Exception:  # noqa: BLE001  (whatever says that there is no copy)
        try:
            return str(hub.HfApi().model_info(hub_id).sha)
        except Exception as fault:  # noqa: BLE001  (no network, no such name, no right to it: the hub has many ways)
            first = (str(fault).splitlines() or [type(fault).__name__])[0]
            raise Misuse(f"{hub_id} is not on this machine and the hub does not give it: {first}") from None


def _in_folder(its: Role, folder: Path, licence: str = "") -> Weights:
    """The weights in a folder, refused where a file is missing or the network is another one."""
    lacking = [name for name in its.files if not any(folder.glob(name))]
    if lacking:
        raise Misuse(f"{folder} holds {_listing(folder)}; expected {' and '.join(its.files)}: get {its.hub}")
    if its.kinds:
        _check_kind(its, folder / "config.json")
    said = licence or _licence_of(folder) or f"the folder does not say; of {its.hub}: {its.licence}"
    return Weights(its.name, str(folder), folder_digest(folder), said, _source_of(folder) or str(folder))


def _listing(folder: Path) -> str:
    names = sorted(one.name for one in folder.iterdir())
    return ", ".join(names[:4]) + (" …" if len(names) > 4 else "") if names else "nothing"


def _check_kind(its: Role, file: Path) -> None:
    try:
        kind = json.loads(file.read_text("utf-8")).get("model_type", "")
    except (ValueError, AttributeError) as fault:
        raise Misuse(f"{file} is no configuration of a network: {fault}") from None
    if kind not in its.kinds:
        raise Misuse(f"{file} is of a network of the kind {kind!r}; expected {' or '.join(its.kinds)} for {its.name}")


def _licence_of(folder: Path) -> str:
    """What the README of a folder says of its licence, as the hub's do between two lines of dashes at their head."""
    found = _head(folder).get("license", "")
    return f"{found} (as its README says)" if found else ""


def _source_of(folder: Path) -> str:
    """Where a folder's weights come from: what whoever made them has noted, or nothing."""
    return _head(folder).get("source", "")


@cache
def _head_of(text: str) -> Mapping[str, str]:
    match = re.match(r"---\n(.*?)\n---", text, re.DOTALL)
    lines = (match[1] if match else "").splitlines()
    pairs = (line.partition(":") for line in lines if not line.startswith((" ", "-")))
    return {key.strip(): value.strip().strip("\"'") for key, _, value in pairs}


def _head(folder: Path) -> Mapping[str, str]:
    file = folder / "README.md"
    return _head_of(file.read_text("utf-8", "replace")[:4000]) if file.is_file() else {}


def folder_digest(folder: Path) -> str:
    """A digest of all files of a folder of weights; that of large ones is kept until one of them changes."""
    files = sorted(file for file in folder.rglob("*") if file.is_file() and file.name != "README.md")
    facts = [(str(file.absolute()), *file.stat()[:2], file.stat().st_size, file.stat().st_mtime_ns) for file in files]
    return str(cached(digest("weights", facts), partial(_digest, folder, files)))


def _digest(folder: Path, files: Sequence[Path]) -> str:
    return digest([(file.relative_to(folder).as_posix(), file_digest(file)) for file in files])
