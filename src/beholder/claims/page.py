"""docs/explanation/claims.md: one section per source, by domain."""

from __future__ import annotations

from collections.abc import Iterable

from beholder.claims import (
    cabezas_2011,
    le_meur_2013,
    ling_2025,
    szeliski_1999,
    szeliski_2000,
    tlapale_2012,
    zanca_2020,
    zanca_study,
)

SECTIONS = {
    "attention": (le_meur_2013, zanca_2020),
    "motion": (tlapale_2012,),
    "stereo": (cabezas_2011, szeliski_1999, szeliski_2000),
    "study": (zanca_study,),
    "video": (ling_2025,),
}
HEAD = "# Claims\n\nWhat the sources claim, what comes out when it is recomputed here, and how far the comparison goes."


def page() -> str:
    """The whole page: every claim is recomputed, which takes long."""
    domains = [f"## {domain}\n\n{_joined(source.claims() for source in of)}" for domain, of in SECTIONS.items()]
    return _joined([HEAD, *domains]) + "\n"


def _joined(parts: Iterable[str]) -> str:
    return "\n\n".join(parts)
