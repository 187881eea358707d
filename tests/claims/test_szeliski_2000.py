"""Self-consistency: necessary, not sufficient."""

from beholder.claims import szeliski_2000


def test_zeros_are_consistent_and_wrong(monkeypatch):
    monkeypatch.setattr(szeliski_2000, "COUNT", 1)
    page = szeliski_2000.claims()
    assert "| truth | 0.0 | 0.0 |" in page
    assert "| zero everywhere | 0.0 | 100.0 |" in page
    assert "The claim holds" in page
