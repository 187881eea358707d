"""What every new study says at first: consent, form and exclusions, for the researcher to change."""

from __future__ import annotations

from typing import Any

FILL_IN = "FILL IN"  # stands where only the researcher knows what to write

CONSENT = f"""\
What this is. You will watch short clips and answer one or more questions after each. There are no trick questions.

How long it takes. {FILL_IN}: about how many minutes.

Who runs it. {FILL_IN}: institution, and the number of the ethics vote if there is one.

What is stored. Your answers, how long they took, your answers to the form, and coarse facts about your screen. Your
name and your network address are not stored. An id from a recruiting platform is stored only in a form that cannot be
turned back into the id.

Your rights. Taking part is voluntary. You can stop at any time, without giving a reason, with the button 'Withdraw';
your answers are then not used. {FILL_IN}: payment, if any, and until when answers can be deleted on request.

What happens to the answers. They are analysed together with those of others, and may be published without anything that
tells who you are.
"""

# As Zanca et al. (2020) asked: education, and knowledge of eye movements from 1 to 5.
FORM: list[dict[str, Any]] = [
    {
        "name": "education",
        "label": "Your highest level of education",
        "choices": [
            {"value": "school", "label": "School"},
            {"value": "bachelor", "label": "Bachelor or similar"},
            {"value": "master", "label": "Master or similar"},
            {"value": "doctor", "label": "Doctorate"},
            {"value": "none", "label": "I would rather not say"},
        ],
    },
]
KNOWLEDGE: dict[str, Any] = {
    "name": "knowledge",
    "label": "How much do you know about eye movements? (1: nothing, 5: I work on them)",
    "low": 1,
    "high": 5,
}
GROUPS: list[dict[str, Any]] = [
    {"name": "expert", "field": "knowledge", "at_least": 3},
    {"name": "naive", "field": "knowledge", "at_most": 2},
]

# Stated before anything is collected; the analysis is made with and without them.
EXCLUDE: list[dict[str, Any]] = [
    {"rule": "checks", "most": 0},
    {"rule": "frames", "least": 0.8},
    {"rule": "fast", "most": 0.2, "seconds": 0.3},
]
