"""What every new study says at first: consent, form and exclusions, for the researcher to change."""

from __future__ import annotations

from typing import Any

FILL_IN = "FILL IN"  # stands where only the researcher knows what to write

CONSENT = f"""\
What this is. You will watch short clips and answer one or more questions after each. A few clips show an instruction
that says which answer to give: they show us that people watch the clips.

How long it takes. {FILL_IN}: about how many minutes.

Who may take part. You are 18 years old or older. {FILL_IN}: any other condition for taking part, such as normal
or corrected sight.

Who runs it. {FILL_IN}: the institution that is responsible for the study and for your data, its address, its data
protection officer, and the number of the ethics vote if there is one.

Risks and benefits. We know of no risk beyond looking at a screen for this time. {FILL_IN}: what the clips show,
if it could upset anybody. You have no benefit other than the payment, if there is one.

Payment. {FILL_IN}: how much, for whom, and what people get who stop before the end or do not follow the clips with
an instruction; or that there is none.

What is stored. Your answers, how long they took, your answers to the form, and general information about your screen.
Your name and your network address are not stored. An id from a recruiting platform is stored only in a form from which
nobody can recover the id.

Stopping. Taking part is voluntary. You can stop at any time, without giving a reason, with the button 'Stop taking
part', which is on every page: your answers are then deleted. If you close the page instead, your answers so far are
kept, and you can continue later from the same link; if you do not, they are left out of the results.

Afterwards. {FILL_IN}: until when, and how, you can ask for your answers to be deleted after the end.

How long it is kept. {FILL_IN}: until which date the answers are kept (retain_until in the study file).

What happens to the answers. They are analysed together with those of others, and may be published without anything that
identifies you.

Questions and complaints. The address for questions is below. {FILL_IN}: to whom you can complain, such as the ethics
board or the data protection authority.
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
    {"rule": "incomplete"},
    {"rule": "checks", "most": 0},
    {"rule": "frames", "least": 0.8},
    {"rule": "fast", "most": 0.2, "seconds": 0.3},
    {"rule": "one_answer"},  # who answers everything alike has judged nothing
]
