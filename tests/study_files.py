"""Small files of the layouts of published ratings, made by hand."""

import json

DIMENSIONS = ("static_quality", "temporal_quality", "alignment")


def write(file, content):
    """A file with its folders; what is no text is written as JSON."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return file


def fetv_folder(root, systems=("cogvideo", "damo-text2video", "ground-truth")):
    """Two raters, two prompts, one metric; the raters' ModelScope has another name than the metric's."""
    for at, who in enumerate(("human0", "human1")):
        for bonus, system in enumerate(systems):
            lines = [
                {str(prompt): {"video_id": f"video{prompt}", **dict.fromkeys(DIMENSIONS, 1 + prompt + bonus + at)}}
                for prompt in (1, 0)
            ]
            text = "\n".join(map(json.dumps, lines))
            write(root / "manual_eval_results" / who / f"manual_eval_results_{system}.json", text)
    for bonus, system in enumerate(systems):
        name = {"damo-text2video": "modelscope-t2v"}.get(system, system)
        values = {"0": 0.1 + bonus, "1": 0.2 + bonus, "7": 9.0}
        write(root / "auto_eval_results" / "CLIPScore" / f"auto_eval_results_{name}.json", values)
    return root


def bluebirds_folder(root):
    """Two workers on three birds; three workers on two ducks, one label missing."""
    write(
        root / "bluebirds" / "labels.yaml",
        "39: {11: true, 12: false,\n  13: true}\n40: {11: true, 12: true, 13: false}\n",
    )
    write(root / "bluebirds" / "gt.yaml", "{11: true, 12: false,\n    13: true}\n")
    write(root / "ducks" / "labels.txt", "2 3 5\n0 0 0\n0 1 1\n0 2 1\n1 0 0\n1 2 0\n")
    species = "{American Black Duck: 2, Canada Goose: 1, Mallard: 0}"
    write(root / "ducks" / "classes.yaml", f"labels: {{0: 2, 1: 1}}\nspecies: {species}\n")
    return root


def tcbench_folder(root):
    """Three videos of two systems, one with two raters; one metric of all, one of a single system."""
    people = {"seine_00000-00000": [[5, 4, 3], [5, 3, 3]], "seine_00025-00001": [[2, 1], [3, 2]],
              "lavie_00000-00000": [[1, 1, 2], [1, 2, 2]]}  # fmt: skip
    write(root / "eval_results/human_eval/i2v/human_scores_all.json", people)
    write(root / "eval_results/clip_eval/i2v/seine.json", {"00000-00000": 0.3, "00025-00001": 0.2, "00099-00000": 0.5})
    write(root / "eval_results/clip_eval/i2v/lavie.json", {"00000-00000": 0.4})
    yes, no = ({"question": "Is it pink?", "gpt_answer": word, "correct": int(word == "yes")} for word in ("yes", "no"))
    write(root / "eval_results/gpt_eval/i2v/seine.json", {"00000-00000": [yes, yes], "00025-00001": [yes, no]})
    write(root / "eval_results/gpt_eval/i2v/lavie.json", {"00000-00000": [no]})
    write(root / "eval_results/i2v_consistency/pips2/i2v/seine.json", {"00000-00000": 0.01, "00025-00001": 0.02})
    return root


def texture_folder(root):
    """Two people and a network on two pictures, as edges and as silhouettes."""
    head = "subj,session,trial,rt,object_response,category,condition,imagename"
    for name, short in (("edge-experiment", "edg"), ("silhouette-filled-experiment", "sif")):
        for who, answers in {"subject-01": ("oven", "na"), "subject-02": ("oven", "car")}.items():
            _trials(root, name, short, who, answers, head)
        _trials(root, f"{name}-trained-CNNs", short, "resnet50-train-60-epochs", ("clock", "car"), head)
    write(root / "stimuli" / "edges" / "oven" / "oven10.png", "no picture")
    return root


def _trials(root, folder, short, who, answers, head):
    rows = [
        f"{who},1,{n},0.5,{answer},{true},0,{n:04d}_{short}_s01_0_{true}_00_{item}.png"
        for n, (answer, true, item) in enumerate(zip(answers, ("oven", "car"), ("oven10", "car3"), strict=True), 1)
    ]
    write(root / "raw-data" / folder / f"{folder}_{who}_session_1.csv", "\n".join([head, *rows]))


def physion_folder(root):
    """Two scenarios; a model with two seeds, one with another protocol beside, and people."""
    for scenario, share in (("drop", 0.5), ("towers", 0.75)):
        rows = f"stim_ID,correct,c\npilot_0001,{share},92\npilot_0002,1.0,92\n"
        write(root / f"results/csv/humans/human_accuracy-{scenario}_pilot-production_2_testing.csv", rows)
    head = (
        "scenario,human_correct,model_correct,Model,Readout Type,Dynamics Training Dataset Type,Readout Train Data Type"
    )
    rows = [
        f"{scenario},{human},{value},{model},{kind},all,same"
        for scenario, human in (("drop", 0.7), ("towers", 0.8))
        for model, value, kind in (("DPI", 0.6, "B"), ("DPI", 0.8, "B"), ("DPI", 0.1, "A"), ("SVG", 0.5, "B"))
    ]
    write(root / "results/csv/summary/model_human_accuracies.csv", "\n".join([head, *rows]))
    return root


def vbench_folder(root):
    """Two dimensions; three systems on two prompts, compared in one or both directions."""
    videos = {name: f"{name}/cat.mp4" for name in "abc"}
    cat = {"prompt_en": "a cat", "videos": videos, "human_anno": {"a": {"b": 1, "c": 0.5}, "b": {"a": 0, "c": 0}}}
    dog = {"prompt_en": "a dog", "human_anno": {"a": {"b": 1, "c": None}, "b": {"a": 1}}}
    write(root / "motion.json", [cat, dog])
    write(root / "colour.json", [{**cat, "human_anno": {"c": {"a": 1}}}])
    write(root / "a" / "cat.mp4", "no film")
    return root


def ratings_file(root):
    """The table of a user."""
    return write(
        root / "mine.csv", "item,system,group,rater,value,clip\na1,a,1,x,3,0.5\nb1,b,1,x,4,0.75\nb1,b,1,y,2,0.75\n"
    )


FOLDERS = {
    "ratings": ratings_file,
    "tcbench": tcbench_folder,
    "texture_shape": texture_folder,
    "physion": physion_folder,
    "vbench": vbench_folder,
}
