"""PostgreSQL for these tests, too."""

from study.server.conftest import postgres, postgres_db

__all__ = ["postgres", "postgres_db"]
