"""Everything that is kept: run folders, the ledger, the cache, and digests that tell one state from another."""
