"""Asking people on the web: pages, the answers that are kept, who is shown what. Needs the extra `study`."""

from beholder.extras import EXTRAS, extra

for _module in EXTRAS["study"].missing:
    extra(_module)  # says how to install it
