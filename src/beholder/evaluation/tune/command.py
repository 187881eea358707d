"""What the command `tune` does: search in a folder that can be resumed, write tuned.toml, score both side by side."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from beholder.engines.progress import Silent
from beholder.errors import Misuse
from beholder.evaluation.execute import Done, Manner, conduct, folder_for, owned
from beholder.evaluation.plan import Order, Part, Plan, plan
from beholder.evaluation.tune.search import Search, Trial, Tuned, ready, settled, spelt, tune, worded
from beholder.io.atomic import whole_file
from beholder.registry.plug import Plug
from beholder.store.cache import digest


class Found(NamedTuple):
    """What came out of a search."""

    done: Done  # the run of the model, as it is and tuned
    spec: str  # of the best parameter set
    says: str


def conduct_tuning(order: Order, search: Search, how: Manner, watch: Silent) -> Found:
    """Search, then run the model as it is and as it was tuned: two rows of one table, in the same folder."""
    what = plan(order)
    name, part = _subject(what, order)
    model = part.under_test[name]
    if not isinstance(model, Plug):
        raise Misuse(f"got recorded answers as {name}; expected a function: only that has parameters to search over")
    _, search = ready(part.benchmark, model, search)
    over = {key: str(one) for key, one in search.over.items()}
    mark = digest("tune", what.digest, name, over, search.trials, search.seed)[:10]
    place = folder_for(what, None).name.rpartition("-")[0]
    folder = how.out or Path("runs", f"tune-{place}-{mark}")
    with owned(folder, mark, how) as (book, _):
        found = tune(part.benchmark, model, search, jobs=how.jobs, ledger=book, watch=watch)
        best = _best(found)
        _write(folder / "tuned.toml", _facts(part, model, search, found))
    rows = {name: model} | ({f"{name} tuned": settled(model, best.settings)} if best.settings else {})
    pair = Part(replace(part.benchmark, baselines={}, extra=()), rows)
    done = conduct(what._replace(parts=(pair,), digest=mark), replace(how, out=folder, fresh=False), watch)
    return Found(done, spelt(model.spec, best.settings), _sentence(name, found, best))


def _subject(what: Plan, order: Order) -> tuple[str, Part]:
    """The one benchmark and the one model."""
    if len(what.parts) != 1:
        raise Misuse(f"got {len(what.parts)} benchmarks in {order.target!r}; expected one: tune DOMAIN/NAME")
    part = what.parts[0]
    if len(part.under_test) != 1:
        raise Misuse(f"got {len(part.under_test)} models; expected one --model to tune")
    return next(iter(part.under_test)), part


def _best(found: Tuned) -> Trial:
    if found.best is None:
        raise Misuse(f"no setting could be scored; as it is: {found.trials[0].reason}")
    return found.best


def _sentence(name: str, found: Tuned, best: Trial) -> str:
    tried, before = len(found.trials), found.trials[0].score
    if not best.settings:
        return f"none of {tried - 1} settings is better than {name} as it is ({before:.4g})"
    return f"{name} with {worded(best.settings)}: {best.score:.4g}; as it is: {before:.4g} ({tried} trials)"


def _facts(part: Part, model: Plug, search: Search, found: Tuned) -> dict[str, Any]:
    bench, best = part.benchmark, _best(found)
    return {
        "benchmark": bench.name,
        "version": bench.version,
        "measures": list(bench.official),
        "dataset": bench.dataset.name,
        "fingerprint": bench.dataset.fingerprint,
        "model": model.spec,
        "seed": search.seed,
        "better": "higher" if found.higher else "lower",
        "untuned": found.trials[0].score,
        "tuned": best.score,
        "spec": spelt(model.spec, best.settings),
        "over": {key: str(one) for key, one in search.over.items()},
        "trial": [{"score": t.score, "settings": dict(t.settings), "reason": t.reason} for t in found.trials],
    }


def _write(path: Path, facts: Mapping[str, Any]) -> None:
    """The record of a search as TOML, whole or not at all."""
    plain = [f"{key} = {_value(value)}" for key, value in facts.items() if key not in ("over", "trial")]
    over = ["", "[over]", *(f"{key} = {_value(value)}" for key, value in facts["over"].items())]
    trials = [
        line for one in facts["trial"] for line in ("", "[[trial]]", *(f"{k} = {_value(v)}" for k, v in one.items()))
    ]
    with whole_file(path) as file:
        file.write("\n".join([*plain, *over, *trials, ""]).encode("utf-8"))


def _value(of: Any) -> str:
    """A value as TOML writes it.

    >>> _value(float("nan")), _value("a"), _value({"k": 1}), _value(["x"])
    ('nan', '"a"', '{k = 1}', '["x"]')
    """
    if isinstance(of, Mapping):
        return "{" + ", ".join(f"{key} = {_value(value)}" for key, value in of.items()) + "}"
    if isinstance(of, float):
        return "nan" if math.isnan(of) else repr(of)
    return json.dumps(of, ensure_ascii=False)
