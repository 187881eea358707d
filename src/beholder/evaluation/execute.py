"""What the command `run` does: run a plan into a folder that can be resumed, draw, and write the record."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from beholder.core import scores as table
from beholder.core.entrant import Keep
from beholder.core.sample import STATUSES
from beholder.engines.progress import Silent
from beholder.errors import Misuse
from beholder.evaluation.figures import answers_folder, drawn, overviews, spread
from beholder.evaluation.plan import Order, Part, Plan
from beholder.evaluation.record import described, run_facts, write_facts
from beholder.evaluation.run import entrants, run
from beholder.store.cache import Cache
from beholder.store.ledger import Ledger
from beholder.store.paths import slug

if TYPE_CHECKING:
    import pandas as pd


MARK = "beholder run"  # the first words of a run folder's `config`


@dataclass(frozen=True)
class Manner:
    """How it is to be done; changes no score."""

    out: Path | None = None
    jobs: int = 1
    timeout: float | None = 600.0
    samples: int = 12
    keep_answers: bool = False
    fresh: bool = False
    retry: bool = False


class Done(NamedTuple):
    """What came out."""

    folder: Path
    scores: pd.DataFrame
    failures: list[dict[str, str]]
    failed: int


def folder_for(what: Plan, out: Path | None) -> Path:
    """Where a run goes: --out, else runs/<name>-<digest>."""
    return out or Path("runs", f"{slug((what.order.target or 'all').replace('/', '-'))}-{what.digest}")


def forecast(what: Plan, how: Manner) -> str:
    """What would be done, and what of it is done already."""
    folder = folder_for(what, how.out)
    lines = []
    for part in what.parts:
        people = entrants(part.benchmark, part.under_test)
        roles = Counter(entrant.role for entrant in people)
        who = ", ".join(f"{count} of role {role}" for role, count in roles.items())
        dataset = part.benchmark.dataset
        lines.append(f"{part.benchmark.name} on {dataset.name}: {len(dataset)} samples × {len(people)} ({who})")
    before = f", resuming {folder}" if (folder / "ledger.sqlite").is_file() and not how.fresh else f", into {folder}"
    return "\n".join([*lines, f"{what.trials} trials in {how.jobs or 1} process(es){before}"])


def conduct(what: Plan, how: Manner, watch: Silent) -> Done:
    """Run the plan in its folder; what was finished before is not done again."""
    folder = folder_for(what, how.out)
    with owned(folder, what.digest, how) as (book, before):
        started = time.monotonic()
        facts = {"config": what.digest, "seed": what.order.seed, "repeats": what.order.repeats}
        facts |= {"started": before, "state": "running"}
        tables, entries = [], []
        for part in what.parts:
            scores = _scored(part, what.order, how, folder, book, watch)
            entry = described(part.benchmark, scores.attrs["run"])
            roles = dict(zip(scores["model"], scores["role"], strict=True))
            shown = [name for name, role in roles.items() if role in ("model", "ceiling")]
            whole = overviews(part.benchmark, folder, book, scores, watch.say) if how.samples else []
            sheets = drawn(part.benchmark, folder, shown=shown, samples=how.samples, say=watch.say, jobs=how.jobs)
            entry["figures"] = [*whole, *sheets]
            entry["counts"] = {state: int(n) for state, n in scores["state"].value_counts().items()}
            tables.append(scores)
            entries.append(entry)
        scores = _joined(tables)
        table.write(scores, folder / "scores.csv")
        done = facts | {"state": "finished", "seconds": round(time.monotonic() - started, 3), "skipped": what.skipped}
        write_facts(folder, run_facts(entries, **done))
    Cache().trim()
    failures = [failure for entry in entries for failure in entry["failures"]]
    return Done(folder, scores, failures, sum(entry["failed"] for entry in entries))


@contextlib.contextmanager
def owned(folder: Path, digest: str, how: Manner) -> Iterator[tuple[Ledger, str]]:
    """The folder, locked, with its ledger; refuses a folder that another run owns."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / ".lock").open("w")
    except OSError as fault:
        raise Misuse(f"cannot write to {folder}: {fault.strerror}; choose another --out") from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Misuse(f"{folder} is being written by another run; wait for it, or choose another --out") from None
        before = _mine(folder, digest, how)
        book = Ledger(folder / "ledger.sqlite")
        try:
            if how.retry:
                book.forget_failures()
            yield book, before
        finally:
            book.close()


# What a run writes into its folder; --fresh removes these and nothing else.
OURS = (
    "config",
    "ledger.sqlite*",
    "damaged-*",
    "scores.csv",
    "run.json",
    "report.html",
    "answers",
    "figures",
    "tuned.toml",
)


def _mine(folder: Path, digest: str, how: Manner) -> str:
    """When the run in this folder began, if it is this one; a foreign one is refused, with --fresh it is removed."""
    known = _mark(folder)
    ours = [path for pattern in OURS for path in folder.glob(pattern)]
    others = [path for path in folder.iterdir() if path not in ours and not path.name.startswith(".")]
    if known is None and (ours or others):
        raise Misuse(f"{folder} is not empty and holds no run of ours; choose another --out")
    if how.fresh:
        for path in ours:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        known = None
    if known is not None and known[0] != digest:
        raise Misuse(
            f"{folder} holds another run (configuration {known[0]}, this one is {digest}): another model, dataset, "
            "setting or version; choose another --out, or start over with --fresh"
        )
    started = known[1] if known else datetime.now(UTC).isoformat(timespec="seconds")
    draft = folder / ".config"
    draft.write_text(f"{MARK} {digest} {started}\n", "utf-8")
    draft.replace(folder / "config")
    return started


def _mark(folder: Path) -> tuple[str, str] | None:
    """Configuration and beginning of the run in a folder; None where there is none of ours."""
    try:
        words = (folder / "config").read_text("utf-8").split()
    except (OSError, UnicodeDecodeError):
        return None
    return (words[2], words[3]) if len(words) == 4 and " ".join(words[:2]) == MARK else None


def _scored(part: Part, order: Order, how: Manner, folder: Path, book: Ledger, watch: Silent) -> pd.DataFrame:
    shown = frozenset(spread(part.benchmark.dataset.ids, how.samples) if part.benchmark.draw else ())
    keep = Keep(answers_folder(folder, part.benchmark), None if how.keep_answers else shown)
    scores = run(
        part.benchmark,
        part.under_test,
        seed=order.seed,
        repeats=order.repeats,
        jobs=how.jobs,
        timeout=how.timeout,
        ledger=book,
        keep=keep,
        watch=watch,
    )
    if order.status:
        trusted = scores["provenance"].isin(STATUSES[: STATUSES.index(order.status) + 1])
        if not trusted.all():
            watch.say(f"--status {order.status}: {int((~trusted).sum())} of {len(scores)} scores are left out")
        numbers = scores[scores["state"] != "na"]
        if len(numbers) and not trusted[numbers.index].any():
            best = min(numbers["provenance"], key=STATUSES.index)
            watch.say(f"no number of {part.benchmark.name} is better than {best}: give --status {best}, or none")
            return numbers[:0]
        return scores[trusted]
    return scores


def _joined(tables: Sequence[pd.DataFrame]) -> pd.DataFrame:
    import pandas as pd

    for scores in tables:
        scores.attrs = {}  # facts of the parts are in run.json
    return pd.concat(tables, ignore_index=True)


def past(root: Path) -> list[dict[str, Any]]:
    """The runs below a folder, newest first: name, state, when, scores, size."""
    found = []
    for config in sorted(root.glob("*/config"), key=os.path.getmtime, reverse=True):
        mark = _mark(config.parent)
        if mark:
            state, failed, seconds = _ended(config.parent / "run.json")
            known = {"folder": str(config.parent), "config": mark[0], "started": mark[1]}
            found.append({**known, "state": state, "failed": failed, "seconds": seconds})
    return found


def _ended(record: Path) -> tuple[str, int, float | None]:
    """State, failures and duration of a run, from its run.json."""
    try:
        facts = json.loads(record.read_text("utf-8"))
        return facts["state"], sum(entry.get("failed", 0) for entry in facts["benchmarks"]), facts.get("seconds")
    except FileNotFoundError:
        return "unfinished", 0, None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return "damaged", 0, None
