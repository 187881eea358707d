import numpy as np
import pytest

import study_exports
from beholder.errors import Misuse
from beholder.video.recipe.clips import with_prompts
from beholder.video.recipe.levels import levels_of
from beholder.video.recipe.preferences import from_reward, from_scores, read, some_pairs
from beholder.video.recipe.splits import apart, check_size, split, units


def table(tmp_path, *lines):
    file = tmp_path / "preferences.csv"
    file.write_text("\n".join([*lines, ""]))
    return file


def pairs(found):
    named = np.array(found.items)
    return list(zip(named[found.first], named[found.second], found.value.tolist(), strict=True))


@pytest.mark.parametrize(
    ("head", "words"),
    [
        ("first,second,value", ("1", "0.5", "0")),
        ("a,b,winner", ("a", "tie", "b")),
        ("item,other,value", ("first", "same", "second")),  # as `beholder study export` has them
        ("Left,Right,preference", ("left", "equal", "right")),
        ("video_a,video_b,choice", ("x.mp4", "tie", "w")),  # the names of the clips
    ],
)
def test_comparisons_are_read_by_many_words(tmp_path, head, words):
    rows = [
        f"{one},{other},{word}"
        for (one, other), word in zip([("x.mp4", "y"), ("y", "z"), ("z", "w")], words, strict=True)
    ]
    found = read(table(tmp_path, head, *rows))
    assert pairs(found) == [("x.mp4", "y", 1.0), ("y", "z", 0.5), ("z", "w", 0.0)]


def test_winner_and_loser_need_no_value(tmp_path):
    found = read(table(tmp_path, "winner,loser", *[f"c{n},c{n + 1}" for n in range(8)]))
    assert found.value.tolist() == [1.0] * 8


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (["first,second,value", "x,y,better"], "line 2: got the answer 'better'; expected 1"),
        (["first,second,value", "x,y,2"], "line 2: got the answer '2'"),
        (["first,second,value", "x,y,1", "x,x,1"], "line 3: got 'x' compared with itself"),
        (["first,second,value", "x,,1"], "line 2: got no name of a clip"),
        (["first,second", "x,y"], "no column that says which clip is better"),
        (["first,second,value", *["x,y,0.5"] * 4], "4 comparisons that are all ties"),
        (["first,second,value", *[f"x{n},y,1" for n in range(9)]], "in all of which the first clip is better"),
        (["first,second,value,group", "x,y,1,p", "y,z,0,q"], "clip 'y' in the groups 'q' and 'p'"),
        (["item,rater,value", *[f"c{n},r,3" for n in range(30)]], "ratings that are all alike"),
        (["first,second,value"], "got no rows"),
        (["something,else", "1,2"], "no column called item"),
    ],
)
def test_what_cannot_be_learnt_from_is_refused(tmp_path, lines, sentence):
    with pytest.raises(Misuse, match=sentence):
        read(table(tmp_path, *lines))


def test_ratings_become_comparisons_within_a_rater(tmp_path):
    rows = ["item,group,rater,value", "a,p,r,5", "b,p,r,3", "c,q,r,3", "a,p,s,1", "b,p,s,2"]
    found = read(table(tmp_path, *rows))
    assert sorted(pairs(found)) == [("a", "b", 0.0), ("a", "b", 1.0), ("a", "c", 1.0), ("b", "c", 0.5)]
    assert found.groups == ("p", "p", "q")
    inside = read(table(tmp_path, *rows), within_groups=True)
    assert sorted(pairs(inside)) == [("a", "b", 0.0), ("a", "b", 1.0)]


def test_a_column_of_a_wide_table_is_a_reward_model(tmp_path):
    file = table(tmp_path, "item,reward,other_one", "a,0.2,7", "b,0.9,6", "c,0.9,5")
    assert sorted(pairs(read(file, dimension="reward"))) == [("a", "b", 0.0), ("a", "c", 0.0), ("b", "c", 0.5)]


def test_a_callable_is_a_reward_model():
    found = from_reward({1: 0.5, 2: 1.5}.get, {"a": 1, "b": 2})
    assert pairs(found) == [("a", "b", 0.0)]
    with pytest.raises(Misuse, match="2 scores that are all alike"):
        from_scores({"a": 1.0, "b": 1.0})


def test_few_of_many_pairs_link_everybody():
    from scipy.sparse.csgraph import connected_components

    found = some_pairs(200, 6, np.random.default_rng(0))
    met = np.zeros((200, 200))
    met[found[:, 0], found[:, 1]] = 1
    assert connected_components(met, directed=False)[0] == 1
    assert np.bincount(found.ravel()).max() <= 6


def test_cut_points_hold_a_fifth_each_and_come_from_the_given_clips_only():
    strengths = np.random.default_rng(0).normal(size=103)
    found = levels_of(strengths)
    assert set(found.counts(strengths).values()) <= {20, 21}
    assert found.of(np.array([-99.0, 99.0])).tolist() == [0, 4]
    with pytest.raises(Misuse, match="only 2 different strengths"):
        levels_of(np.repeat([0.0, 1.0], 20))
    with pytest.raises(Misuse, match="no clip is"):
        levels_of(np.concatenate([np.zeros(50), np.arange(1.0, 6)]))


def test_no_prompt_is_on_both_sides_and_no_comparison_is_used_twice():
    scores = {f"p{n // 4}/m{n % 4}": float(n % 7) for n in range(80)}
    found = from_scores(scores, {name: name.partition("/")[0] for name in scores})
    parts = split(units(found), seed=3)
    prompts = [{found.groups[at] for at in part} for part in parts]
    assert sum(map(len, prompts)) == len(set.union(*prompts)) == 20
    mask = apart(found, parts.test)
    test = set(parts.test.tolist())
    touches = [a in test or b in test for a, b in zip(found.first.tolist(), found.second.tolist(), strict=True)]
    assert mask.tolist() == touches


def test_too_few_clips_or_prompts_are_refused():
    with pytest.raises(Misuse, match="comparisons of 19 clips; expected 20 or more"):
        check_size(from_scores({str(n): n for n in range(19)}))
    with pytest.raises(Misuse, match="clips of 3 groups; expected 5 or more"):
        check_size(from_scores({str(n): n for n in range(30)}, {str(n): str(n % 3) for n in range(30)}))


def exported(folder):
    """Two people chose between clips; the second one broke a rule of the study."""
    made = study_exports.study(
        trial="two_alternative", right={}, trials={"count": 2, "practice": 0, "checks": 0, "repeats": 0}
    )
    ids = [item["id"] for item in made["items"]]
    row = {"study": "made", "use": "trial", "dimension": "human", "class": "human|human"}
    answers = [
        row | {"session": "p1", "position": 0, "item": ids[0], "other": ids[60], "group": "g0", "value": "first"},
        row | {"session": "p1", "position": 1, "item": ids[61], "other": ids[1], "group": "g1", "value": "second"},
        row | {"session": "p2", "position": 0, "item": ids[0], "other": ids[60], "group": "g0", "value": "second"},
    ]
    sessions = [
        {"session": "p1", "outcome": "complete"},
        {"session": "p2", "outcome": "complete", "excluded": "checks"},
    ]
    return study_exports.written(folder, made, answers, sessions)


def test_the_export_of_a_study_is_read_as_it_is(tmp_path):
    found = read(exported(tmp_path / "export"))
    assert pairs(found) == [("human0", "synthetic0", 1.0), ("synthetic1", "human1", 0.0)]
    assert dict(zip(found.items, found.groups, strict=True))["human1"] == "g1"


def test_groups_may_come_from_the_manifest_of_the_clips(tmp_path):
    (tmp_path / "manifest.csv").write_text("file,prompt\na.npz,a cup falls\nb.npz,a cup falls\nc.npz,rain\n")
    found = with_prompts(from_scores({"a": 1.0, "b.npz": 2.0, "c": 3.0}), tmp_path)
    assert found.groups == ("a cup falls", "a cup falls", "rain")
    partly = with_prompts(from_scores({"a": 1.0, "d": 2.0}), tmp_path)
    assert partly.groups == ("", "")  # what is known of some clips only is no split
