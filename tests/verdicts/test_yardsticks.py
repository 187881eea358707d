import math

from beholder.core.scores import table
from beholder.verdicts.summary import summary
from beholder.verdicts.yardsticks import like_with_like
from toys import score


def test_the_truth_is_measured_on_the_movie_that_the_model_has():
    """A model on one movie of three, where truth is close, looked closer to people than the truth over all of them."""
    truth = [score("truth", str(u), v, role="oracle") for u, v in enumerate((1.0, 9.0, 9.0))]
    model = [score("m", "0", 2.0), *(score("m", u, math.nan, state="na", reason="no frames") for u in "12")]
    lines = summary(like_with_like(table([*truth, *model]))).set_index("model")
    assert lines["value"].to_dict() == {"truth": 1.0, "m": 2.0}
    assert lines.loc["truth", "held"] == 1


def test_each_measure_is_by_itself_and_nothing_is_taken_from_models():
    rows = [score(m, u, 1.0, measure=k) for m in "ab" for u in "12" for k in "xy" if (m, u, k) != ("a", "2", "y")]
    rows += [score("blind", u, 5.0, role="blind", measure=k) for u in "123" for k in "xyz"]
    kept = like_with_like(table(rows))
    blind = kept[kept["role"] == "blind"].groupby("measure")["unit"].agg("".join).to_dict()
    assert blind == {"x": "12", "y": "1", "z": "123"}
    assert (kept["role"] == "model").sum() == 7


def test_where_models_share_no_unit_nothing_is_taken():
    rows = [score("a", "1", 1.0), score("b", "2", 1.0), *(score("p", u, 1.0, role="ceiling") for u in "123")]
    assert len(like_with_like(table(rows))) == 5
