"""The networks of the deep rivals: what each does, where its weights come from, and under which licence."""

from __future__ import annotations

from beholder.video.networks.weights import Role

MEMORY = "from memory, not verified"
DINO = Role(
    "dino",
    "features of frames (subject consistency)",
    "facebook/dino-vitb16",
    f"Apache-2.0 ({MEMORY})",
    "Caron2021",
    ("vit", "dinov2", "dinov2_with_registers", "dinov3_vit"),
    opt_in=True,
)
CLIP = Role(
    "clip",
    "features of frames (background consistency)",
    "openai/clip-vit-base-patch32",
    f"MIT, by OpenAI's code ({MEMORY})",
    "Radford2021",
    ("clip",),
    opt_in=True,
)
RAFT = Role(
    "raft",
    "optical flow (RAFT magnitude)",
    "raft-things.pth of RAFT's authors",
    f"BSD-3-Clause, by RAFT's code ({MEMORY})",
    "Teed2020",
    files=("*.pth",),
    opt_in=True,
)
DOVER = Role(
    "dover",
    "technical quality (DOVER)",
    "DOVER's technical branch as TorchScript (DOVER.pth itself is none)",
    "S-Lab Licence 1.0, non-commercial (verified)",
    "Wu2023",
    files=("*.pt",),
    opt_in=True,
)
VIDEOSCORE = Role(
    "videoscore",
    "five scores by regression (VideoScore)",
    "TIGER-Lab/VideoScore",
    f"MIT ({MEMORY})",
    "He2024",
    opt_in=True,
)
VIDEOPHY = Role(
    "videophy",
    "yes or no: does a clip show what was asked, does it obey physics (VideoPhy)",
    "a model of transformers for pictures and text, trained as videophysics/videocon_physics was",
    f"MIT, by VideoPhy's code ({MEMORY}); that of the model is its own",
    "Bansal2024",
    opt_in=True,
)
FID = Role(
    "fid",
    "features of frames (FID)",
    "inception-2015-12-05.pt or another TorchScript, or a ViT of transformers",
    f"Apache-2.0 for Inception ({MEMORY})",
    "Heusel2017",
    files=("*.pt",),
    opt_in=True,
)
FVD = Role(
    "fvd",
    "features of clips (FVD)",
    "i3d_torchscript.pt or another TorchScript, or a VideoMAE of transformers",
    f"Apache-2.0 for I3D ({MEMORY})",
    "Unterthiner2018",
    files=("*.pt",),
    opt_in=True,
)
JUDGE = Role(
    "judge",
    "a grade in words (multimodal language model)",
    "a model of transformers for pictures and text, such as Qwen/Qwen2.5-VL-7B-Instruct (or name an endpoint)",
    "that of the model",
    "Zheng2023",
    opt_in=True,
)
ALL = (DINO, CLIP, RAFT, DOVER, VIDEOSCORE, VIDEOPHY, FID, FVD, JUDGE)
