"""A small folder of the layout of ViSioNS, with made-up searchers and a model."""

import json
from pathlib import Path

import attention_folders as made

SHAPE = made.SHAPE
TARGETS = {"p1": (10, 20, 8, 12), "p2": (30, 40, 10, 10), "p3": (0, 0, 16, 16)}  # top, left, height, width
FOUND = {("p1", "01"), ("p1", "02"), ("p2", "01"), ("p3", "02")}
GRID = (12, 16)  # of the model: cells of 5 px
CELLS = {"p1": ([8, 4, 5], [6, 2, 2]), "p3": ([15, 0], [11, 0])}  # x and y; on p2 it was not asked


def trial(picture, who):
    """One person on one picture; two more durations than places, as of a path that was cut."""
    x, y, duration = made.path(int(picture[1]) - 1, who)
    top, left, height, width = TARGETS[picture]
    return {
        "subject": f"{who + 1:02}",
        "image_height": SHAPE[0],
        "image_width": SHAPE[1],
        "target_found": (picture, f"{who + 1:02}") in FOUND,
        "target_bbox": [top, left, top + height, left + width],
        "X": list(x),
        "Y": list(y),
        "T": [*map(int, duration), 700, 800],
    }


def visions_folder(root: Path, name: str = "Interiors", images: str = "images") -> Path:
    """Three pictures, of which the second is not there, two people and one model."""
    data = root / "Datasets" / name
    made.pictures(data / images, ".png")
    (data / images / "p2.png").unlink()
    if images != "images":
        (data / "dataset_info.json").write_text(json.dumps({"images_dir": f"{images}/", "receptive_size": [45, 45]}))
    (data / "human_scanpaths").mkdir()
    for who in range(len(made.PEOPLE)):
        held = {f"{name}.jpg": trial(name, who) for name in made.NAMES}
        (data / "human_scanpaths" / f"subj{who + 1:02}_scanpaths.json").write_text(json.dumps(held))
    keys = ("target_matched_row", "target_matched_column", "target_height", "target_width")
    placed = [
        {"image": f"{name}.jpg", "image_height": SHAPE[0], "image_width": SHAPE[1], "target_object": "TBD"}
        | dict(zip(keys, box, strict=True))
        for name, box in TARGETS.items()
    ]
    placed[0]["target_object"] = "clock"
    (data / "trials_properties.json").write_text(json.dumps(placed))
    results = root / "Results" / f"{name}_dataset" / "IVSN"
    results.mkdir(parents=True)
    walks = {
        f"{name}.jpg": {"X": x, "Y": y, "image_height": GRID[0], "image_width": GRID[1], "target_found": name == "p3"}
        for name, (x, y) in CELLS.items()
    }
    (results / "Scanpaths.json").write_text(json.dumps(walks))
    return root


FOLDERS = {
    "interiors_search": visions_folder,
    "unrestricted_search": lambda root: visions_folder(root, "Unrestricted", "stimuli"),
    "mcs_search": lambda root: visions_folder(root, "MCS"),
    "coco_search18": lambda root: visions_folder(root, "COCOSearch18"),
}
