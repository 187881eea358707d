"""docs/explanation/claims.md has one section per source, by domain."""

from beholder.claims import page


def test_every_source_has_its_section(monkeypatch):
    for source in [source for of in page.SECTIONS.values() for source in of]:
        monkeypatch.setattr(source, "claims", lambda source=source: f"### {source.__name__}")
    lines = page.page().splitlines()
    assert lines[0] == "# Claims"
    assert [line for line in lines if line.startswith("#")][1:5] == [
        "## attention",
        "### beholder.claims.le_meur_2013",
        "### beholder.claims.zanca_2020",
        "## motion",
    ]
