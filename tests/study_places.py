"""A small study on disk: four pictures or more, on each a track of a person and one of a model."""

import json

import numpy as np
from PIL import Image

ANSWERS = '[{value = "human", label = "A person"}, {value = "synthetic", label = "A computer"}]'


def write(folder, *, name="small", groups=8, count=6, top="", trial="yes_no", more="", practice=1, checks=1, repeats=1):
    """The study file; `top` stands before the tables, `more` after them."""
    (folder / "media").mkdir(parents=True, exist_ok=True)
    (folder / "tracks").mkdir(exist_ok=True)
    rng = np.random.default_rng(0)
    rows = ["id,class,group,system,use,expected,show,media,track,stimulus,note"]
    uses = [("trial", at) for at in range(groups)] + [("practice", at) for at in range(2)] + [("check", 0)]
    for use, at in uses:
        picture = f"media/{use}{at}.png"
        Image.fromarray(rng.integers(0, 255, (12, 16, 3), dtype=np.uint8)).save(folder / picture)
        for kind in ("human", "synthetic") if use != "check" else ("human",):
            id = f"{use}-{at}-{kind}"
            track = [[t / 10, *np.round(rng.random(2), 4)] for t in range(11)]
            (folder / "tracks" / f"{id}.json").write_text(json.dumps(track))
            expected = "synthetic" if use == "check" else ""
            group, system = f"{use}{at}", "people" if kind == "human" else "model"
            rows.append(f"{id},{kind},{group},{system},{use},{expected},track,{picture},tracks/{id}.json,picture,")
    (folder / "items.csv").write_text("\n".join(rows) + "\n")
    file = folder / "study.toml"
    file.write_text(f"""
name = "{name}"
title = "Who looked?"
trial = "{trial}"
instructions = "Watch, then say who looked."
debrief = "Thank you."
items = "items.csv"
right = {{human = "human", synthetic = "synthetic"}}
{top}
[[questions]]
text = "Who looked?"
answers = {ANSWERS}
[consent]
version = "1"
text = "You may stop at any time."
contact = "someone@example.org"
[trials]
count = {count}
practice = {practice}
checks = {checks}
repeats = {repeats}
[[form]]
name = "knowledge"
label = "What do you know of eye movements?"
[[groups]]
name = "expert"
field = "knowledge"
at_least = 3
[[groups]]
name = "naive"
field = "knowledge"
at_most = 2
[codes]
failed_checks = "FAILED"
[[exclude]]
rule = "checks"
[[exclude]]
rule = "incomplete"
{more}
""")
    return file
