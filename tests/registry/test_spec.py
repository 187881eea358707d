import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beholder.errors import Misuse, NotFound
from beholder.registry.spec import check_settings, configure, parse, parse_setting, resolve


@pytest.fixture(autouse=True)
def _own_import_path(monkeypatch):
    """What a test adds to the import path goes away with it."""
    monkeypatch.setattr(sys, "path", list(sys.path))


@pytest.mark.parametrize(
    ("spec", "name", "settings"),
    [
        ("sgbm", "sgbm", {}),
        (" sgbm ", "sgbm", {}),
        ("sgbm()", "sgbm", {}),
        ("sgbm(mode=hh, block=3)", "sgbm", {"mode": "hh", "block": 3}),
        ("m(a='x, y)', b=(1, 2), c=[-1.5], d={'k': None}, e=True)", "m",
         {"a": "x, y)", "b": (1, 2), "c": [-1.5], "d": {"k": None}, "e": True}),
        ("m(fill=false, deep=true)", "m", {"fill": False, "deep": True}),
        ("my.py:f(k=1)", "my.py:f", {"k": 1}),
        ("runs (1)/my.py:f", "runs (1)/my.py:f", {}),
        ("runs (1)/my.py:f(k=1)", "runs (1)/my.py:f", {"k": 1}),
        ("m(reads='other.py:g')", "m", {"reads": "other.py:g"}),
        ("pkg.mod:f(k=word)", "pkg.mod:f", {"k": "word"}),
        ("odd)", "odd)", {}),
    ],
)  # fmt: skip
def test_good_specs(spec, name, settings):
    assert parse(spec) == (name, settings)


EVIL = [
    "f(__import__('os').system('x'))",
    "f(a=__import__('os').system('x'))",
    "f(a=open('x', 'w'))",
    "f(a=[].__class__)",
    "f(a=(lambda: 1)())",
    "f(a=b.c)",
    "f(a=[x for x in (1,)])",
    "f(a=f'{1}')",
    "f(a:=1)",
    "f(**{'a': 1})",
    "f(*'ab')",
    "f(1)",
    "f(a=1, a=2)",
    "f(a=1)(b=2)",
    "f(a=1) or g(b=2)",
    "f(a=1, 2)",
    "f(a=)",
    "f(a b)",
    "f(a=1",
    "f(a={[1]: 2})",
    "f(a=1\0)",
    f"f(a={'(' * 300}1{')' * 300})",
    f"f(a={'-' * 20000}1)",
    f"f(a={'9' * 5000})",
]


@pytest.mark.parametrize("spec", EVIL, ids=lambda spec: spec[:30].replace("\0", "0"))
def test_evil_specs_are_refused_and_never_evaluated(spec, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if spec == "f(a=1":
        assert parse(spec) == (spec, {})  # a name that nothing has
        return
    with pytest.raises(Misuse, match="expected key=value, separated by commas"):
        parse(spec)
    assert list(tmp_path.iterdir()) == []


@settings(deadline=None)
@given(st.text(max_size=30))
def test_no_text_makes_a_spec_crash(inside):
    try:
        name, settings = parse(f"f({inside})")
    except Misuse:
        return
    assert name
    assert all(key.isidentifier() for key in settings)


literals = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=5,
)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(["a", "mode", "_x1"]), literals))
def test_every_literal_comes_back(settings):
    spec = f"model({', '.join(f'{key}={value!r}' for key, value in settings.items())})"
    assert parse(spec) == ("model", settings)


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("mode=facts", "mode", "facts"),
        ("n=3", "n", 3),
        (" n = 3", "n", 3),
        ("on=false", "on", False),
        ("path=/data/my file.csv", "path", "/data/my file.csv"),
        ("sizes=1,2", "sizes", "1,2"),
        ("sizes=(1,2)", "sizes", (1, 2)),
        ("of=release-2", "of", "release-2"),
        ("a=", "a", ""),
        ("a=__import__('os').system('x')", "a", "__import__('os').system('x')"),
        ("a=1)(b=2", "a", "1)(b=2"),
        ("from=x.py:f(a=1)", "from", "x.py:f(a=1)"),
    ],
)
def test_settings_of_the_command_line(text, key, value):
    assert parse_setting(text) == (key, value)


@pytest.mark.parametrize("text", ["mode", "", "=3", "my key=3", "1st=2"])
def test_a_setting_is_a_key_and_a_value(text):
    with pytest.raises(Misuse, match="expected key=value"):
        parse_setting(text)


def test_a_second_setting_is_not_swallowed():
    with pytest.raises(Misuse, match="got 2 settings in 'a=1,b=2'; expected one"):
        parse_setting("a=1,b=2")


def test_names_of_ours():
    from beholder.judges.pareto import pareto
    from beholder.stereo.measures.disparity import rms
    from beholder.stereo.models.block import block

    assert resolve("stereo.models", "block") is block
    assert resolve("stereo.measures", "disparity.rms") is rms
    assert resolve("judges", "pareto") is pareto
    assert resolve("stereo.models", "beholder.stereo.models.block:block") is block


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("blok", "nothing called 'blok' in stereo.models; did you mean 'block'"),
        ("beholder.stereo.models.block:blok", "has no 'blok'; did you mean 'block'"),
        ("beholder.stereo.models.blok:block", "no module called 'beholder.stereo.models.blok' can be imported"),
        ("no_such_package.mod:f", "no module called 'no_such_package' can be imported; is it installed"),
        ("..:f", "nothing called '..:f'"),
        (".mod:f", "nothing called '.mod:f'"),
        ("no_such_file.py:f", "got no_such_file.py, which is not a file; expected FILE.py:FUNCTION"),
        ("", "nothing called ''"),
    ],
)
def test_unknown_names_with_the_nearest_word(name, says):
    with pytest.raises(NotFound, match=says.replace(".", r"\.")):
        resolve("stereo.models", name)


def written(folder, name, text):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, "utf-8")
    return folder / name


def test_a_function_of_a_file(tmp_path):
    file = written(tmp_path, "mine.py", "COUNT = []\ndef flow(x):\n    COUNT.append(x)\n    return len(COUNT)\n")
    assert resolve("stereo.models", f"{file}:flow")(1) == 1
    assert resolve("stereo.models", f"{file}:flow")(1) == 2  # imported once
    with pytest.raises(NotFound, match=r"mine\.py has no 'flwo'; did you mean 'flow'\?"):
        resolve("stereo.models", f"{file}:flwo")
    with pytest.raises(NotFound, match="there are flow"):
        resolve("stereo.models", f"{file}:")


def test_files_of_one_name_do_not_collide(tmp_path):
    for who in ("ann", "bob"):
        written(tmp_path / who, "model.py", f"def run():\n    return {who!r}\n")
    found = [resolve("stereo.models", f"{tmp_path / who / 'model.py'}:run") for who in ("ann", "bob")]
    assert [f() for f in found] == ["ann", "bob"]
    assert found[0].__module__ != found[1].__module__


def test_a_file_may_import_its_neighbours(tmp_path):
    written(tmp_path, "neighbour_of_spec_test.py", "def half(x):\n    return x / 2\n")
    file = written(tmp_path, "user.py", "from neighbour_of_spec_test import half\n")
    assert resolve("stereo.models", f"{file}:half")(3) == 1.5


@pytest.mark.parametrize("neighbour", ["twin_of_spec_test.py", "twins_of_spec_test/__init__.py"])
def test_a_file_never_gets_the_neighbour_of_another(tmp_path, neighbour):
    module = neighbour.partition("/")[0].removesuffix(".py")
    for who in ("ann", "bob"):
        written((tmp_path / who / neighbour).parent, neighbour.rpartition("/")[2], f"NAME = {who!r}\n")
        written(tmp_path / who, "model.py", f"import {module}\ndef run():\n    return {module}.NAME\n")
    assert resolve("stereo.models", f"{tmp_path}/ann/model.py:run")() == "ann"
    with pytest.raises(Misuse, match=f"both hold '{module}', and one process cannot import both; rename one"):
        resolve("stereo.models", f"{tmp_path}/bob/model.py:run")
    written(tmp_path / "ann", "second.py", f"from {module} import NAME\n")
    assert resolve("stereo.models", f"{tmp_path}/ann/second.py:NAME") == "ann"  # in one folder there is one


def test_a_file_never_hides_an_installed_module(tmp_path, monkeypatch):
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    written(tmp_path, "colorsys.py", "raise RuntimeError('hidden')\n")
    file = written(tmp_path, "user.py", "from colorsys import rgb_to_hsv\n")
    assert resolve("stereo.models", f"{file}:rgb_to_hsv")(1, 0, 0) == (0, 1, 1)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("1 / 0\n", ZeroDivisionError),
        ("import no_such_thing\n", ModuleNotFoundError),
        ("def f(:\n", SyntaxError),
        ("raise SystemExit(3)\n", SystemExit),
    ],
)
def test_what_a_file_raises_at_import_is_raised_as_it_is(tmp_path, text, fault):
    file = written(tmp_path, "broken.py", text)
    before = set(sys.modules)
    for _ in range(2):  # a broken module is not taken for an imported one
        with pytest.raises(fault):
            resolve("stereo.models", f"{file}:f")
    assert not [name for name in set(sys.modules) - before if name.startswith("beholder_user")]


def test_a_module_of_the_working_folder(tmp_path, monkeypatch):
    written(tmp_path, "module_of_spec_test.py", "def f():\n    return 7\n")
    monkeypatch.chdir(tmp_path)
    assert resolve("stereo.models", "module_of_spec_test:f")() == 7


def sized(pair, window=9, *, fill=True):
    return (pair, window, fill)


def anything(pair, **options):
    return options


def test_settings_are_checked_against_the_function():
    assert configure(sized, {"window": 5, "fill": False}, "model sized")("p") == ("p", 5, False)
    assert configure(sized, {}, "model sized") is sized
    assert configure(anything, {"odd": 1}, "model anything")("p") == {"odd": 1}
    with pytest.raises(Misuse, match="model sized has no setting 'windw'; did you mean 'window'"):
        check_settings(sized, {"windw": 5}, "model sized")


def kinds(movie, *, full: bool = False, count: int = 1, gain: float = 1.0, free=1, maybe: float | None = None):
    """A model with settings of several kinds."""


@pytest.mark.parametrize(
    "given",
    [
        {"full": True, "count": 3, "gain": 2},
        {"gain": np.float32(0.5), "count": np.int64(2), "full": np.bool_(1), "free": "word", "maybe": None},
    ],
)
def test_settings_of_their_kind(given):
    assert check_settings(kinds, given, "model m", given=1) == given


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"full": "maybe"}, "got full=maybe; expected true or false"),
        ({"full": 3}, "expected true or false"),
        ({"count": 1e3}, "expected a whole number"),
        ({"count": 1.5}, "got count=1.5; expected a whole number"),
        ({"gain": "much"}, "expected a number"),
        ({"gain": True}, "expected a number"),
    ],
)
def test_settings_of_another_kind_are_refused(given, says):
    with pytest.raises(Misuse, match=says):
        check_settings(kinds, given, "model m", given=1)


def test_a_default_is_always_right():
    def odd(movie, *, gain: float = None):  # noqa: RUF013  (as users write)
        """A model."""

    assert check_settings(odd, {"gain": None}, "model m", given=1) == {"gain": None}
