"""Who takes part: which of the benchmark's baselines, and which of the user's models in which benchmark.

Blind models, oracles and people always take part: they are what models are held against.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from beholder.core.benchmark import Benchmark
from beholder.errors import Misuse, NotFound
from beholder.evaluation.costs import FAST, read_costs
from beholder.registry.find import domains, nearest
from beholder.registry.load import benchmarks
from beholder.registry.spec import split

WORDS = ("all", "fast", "none")


def baselines(benchmark: Benchmark, chosen: str | Sequence[str]) -> list[str]:
    """The baselines of a benchmark that take part: all, none, fast, or those of some names that it has."""
    every = benchmark.provided("baseline")
    if chosen == "all":
        return every
    if chosen == "fast":
        costs = read_costs()
        return [name for name in every if costs.get((benchmark.name, name), FAST) < FAST]
    wanted = named(chosen)
    return [name for name in every if name in wanted]


def named(chosen: str | Sequence[str]) -> list[str]:
    """The names in a choice of baselines; none where it is one of the words.

    >>> named("sgbm(block=1,p1=8), block"), named("fast")
    (['sgbm(block=1,p1=8)', 'block'], [])
    """
    names = split(chosen) if isinstance(chosen, str) else list(chosen)
    return [] if names in ([word] for word in WORDS) else names


def refuse_unknown(chosen: str | Sequence[str], among: Iterable[Benchmark]) -> None:
    """Refuse a name that is no baseline of any of these benchmarks, with the nearest one."""
    known = [name for one in among for name in one.provided("baseline")]
    names = named(chosen)
    if not names and chosen not in WORDS:
        raise Misuse(f"got {chosen!r} for baselines; expected all, fast, none, or names separated by commas")
    for name in names:
        if name not in known:
            raise NotFound(f"no baseline here is called {name!r}{nearest(name, [*dict.fromkeys(known), *WORDS])}")


class Scoped(NamedTuple):
    """A model, and where it takes part."""

    scope: str  # a domain or a benchmark; nothing: wherever the run goes
    text: str  # [NAME=]SPEC

    def fits(self, benchmark: str) -> bool:
        """Whether it takes part in a benchmark."""
        return not self.scope or f"{benchmark}/".startswith(f"{self.scope}/")


def scoped(text: str) -> Scoped:
    """Where a model takes part, as DOMAIN/NAME=SPEC or DOMAIN/BENCHMARK/NAME=SPEC says; with no name it is a path.

    >>> scoped("stereo/mine=my.py:mine"), scoped("stereo/my.py:mine").scope, scoped("mine=stereo/my.py:mine").scope
    (Scoped(scope='stereo', text='mine=my.py:mine'), '', '')
    """
    found = re.fullmatch(r"(\w+(?:/\w+)?)/(\w[\w .+-]*=(?!=).+)", text, re.DOTALL)
    if found is None or Path(text.rpartition(":")[0]).exists():  # a file may be called so
        return Scoped("", text)
    known = [*domains(), *benchmarks()]
    if found[1] not in known:
        raise NotFound(f"got --model {text}; no domain or benchmark is called {found[1]!r}{nearest(found[1], known)}")
    return Scoped(found[1], found[2])


def refuse_scopes(models: Iterable[Scoped], target: str, chosen: Sequence[str]) -> None:
    """Refuse a model that fits no benchmark of the run, or that would be put to benchmarks of several domains."""
    several = len({name.partition("/")[0] for name in chosen}) > 1
    for one in models:
        if not one.scope and several:
            raise Misuse(
                "got --model without a domain, and a model fits one domain only; expected: run DOMAIN --model …, "
                f"or --model DOMAIN/NAME={one.text.partition('=')[2] or one.text}"
            )
        if not any(map(one.fits, chosen)):
            raise Misuse(f"got --model {one.scope}/{one.text}, and this run is of {target}; expected a model of that")
