"""From a clip to typed evidence: everything slow happens here, once per clip."""
