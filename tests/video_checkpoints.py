"""Tiny networks with random weights, saved as the published ones are; made by the tests, never committed."""

import json
from pathlib import Path

VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", "?", "person", "disc", "man", "a", "the", "cup"]


def seeded(seed):
    import torch

    torch.manual_seed(seed)
    return torch


def videomae(folder, seed=0, labels=5, side=32, frames=4):
    """CAS: two layers over 32 px and four frames; its head is loud, so that two clips differ."""
    seeded(seed)
    from transformers import VideoMAEConfig, VideoMAEForVideoClassification

    made = VideoMAEForVideoClassification(
        VideoMAEConfig(
            image_size=side, patch_size=16, num_frames=frames, hidden_size=32, num_hidden_layers=2,
            num_attention_heads=2, intermediate_size=64, num_labels=labels, initializer_range=0.3,
        )
    )  # fmt: skip
    made.save_pretrained(folder)
    return Path(folder)


def vitpose(folder, seed=0):
    """Heat maps of 17 points in a square of 64 × 48 px."""
    torch = seeded(seed)
    from transformers import VitPoseBackboneConfig, VitPoseConfig, VitPoseForPoseEstimation

    backbone = VitPoseBackboneConfig(
        image_size=[64, 48], patch_size=[16, 16], hidden_size=32, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=64, num_labels=17, out_features=["stage1"],
    )  # fmt: skip
    made = VitPoseForPoseEstimation(VitPoseConfig(backbone_config=backbone, num_labels=17, scale_factor=4))
    with torch.no_grad():
        for one in made.parameters():
            one.normal_(0, 0.3)
    made.save_pretrained(folder)
    return Path(folder)


def sam2(folder, seed=0):
    """Masks through a clip, seen at 128 px."""
    torch = seeded(seed)
    from transformers import Sam2HieraDetConfig, Sam2VideoConfig, Sam2VideoModel, Sam2VisionConfig

    backbone = Sam2HieraDetConfig(
        hidden_size=8, num_attention_heads=1, image_size=[128, 128], window_positional_embedding_background_size=[4, 4],
        blocks_per_stage=[1, 1, 2, 1], embed_dim_per_stage=[8, 16, 32, 64], num_attention_heads_per_stage=[1, 1, 2, 2],
        window_size_per_stage=[4, 4, 4, 4], global_attention_blocks=[3],
    )  # fmt: skip
    vision = Sam2VisionConfig(
        backbone_config=backbone, backbone_channel_list=[64, 32, 16, 8], fpn_hidden_size=128,
        backbone_feature_sizes=[[32, 32], [16, 16], [8, 8]], num_feature_levels=3,
    )  # fmt: skip
    made = Sam2VideoModel(
        Sam2VideoConfig(
            vision_config=vision.to_dict(),
            prompt_encoder_config={"hidden_size": 128, "image_size": 128, "patch_size": 16},
            mask_decoder_config={"hidden_size": 128, "mlp_dim": 64, "num_attention_heads": 4},
            image_size=128, memory_attention_hidden_size=128, memory_attention_num_layers=1,
            memory_attention_feed_forward_hidden_size=64, memory_encoder_hidden_size=128,
            memory_encoder_output_channels=64,
            mask_downsampler_embed_dim=128, memory_fuser_embed_dim=128, memory_fuser_intermediate_dim=64,
            memory_fuser_num_layers=1, memory_attention_rope_feat_sizes=[8, 8], num_maskmem=3,
        )
    )  # fmt: skip
    with torch.no_grad():
        for one in made.mask_decoder.parameters():
            one.normal_(0, 0.2)
        made.mask_decoder.pred_obj_score_head.proj_out.bias.fill_(50.0)  # the object is always there
    made.save_pretrained(folder)
    return Path(folder)


def grounding_dino(folder, seed=0, loud=8.0):
    """Boxes for words; `loud` makes some of them sure."""
    torch = seeded(seed)
    from transformers import BertConfig, GroundingDinoConfig, GroundingDinoForObjectDetection, SwinConfig

    made = GroundingDinoForObjectDetection(
        GroundingDinoConfig(
            backbone_config=SwinConfig(
                image_size=160, patch_size=4, embed_dim=12, depths=[1, 1, 1, 1], num_heads=[1, 1, 2, 2], window_size=5,
                out_features=["stage2", "stage3", "stage4"],
            ),
            text_config=BertConfig(
                vocab_size=len(VOCABULARY), hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
                intermediate_size=32, max_position_embeddings=64,
            ),
            d_model=32, encoder_layers=1, decoder_layers=2, encoder_attention_heads=2, decoder_attention_heads=2,
            encoder_ffn_dim=32, decoder_ffn_dim=32, num_queries=5, num_feature_levels=4, disable_custom_kernels=True,
            max_text_len=16,
        )
    )  # fmt: skip
    with torch.no_grad():
        for one in made.model.text_projection.parameters():
            one.mul_(loud)
    made.save_pretrained(folder)
    folder = Path(folder)
    (folder / "vocab.txt").write_text("\n".join(VOCABULARY))
    (folder / "tokenizer_config.json").write_text(
        json.dumps({"tokenizer_class": "BertTokenizer", "do_lower_case": True})
    )
    (folder / "preprocessor_config.json").write_text(json.dumps({"size": {"shortest_edge": 160, "longest_edge": 224}}))
    return folder


MAKERS = {"grounding_dino": grounding_dino, "sam2": sam2, "vitpose": vitpose, "videomae": videomae}


def every(place, **seeds):
    """A folder with the four networks of the deep backend."""
    for role, make in MAKERS.items():
        make(Path(place) / role, seed=seeds.get(role, 0))
    return Path(place)
