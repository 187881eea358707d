"""Tiny networks of random weights, one folder a role, as the rivals look for them."""

import warnings

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")
transformers = pytest.importorskip("transformers", reason="transformers is not installed")
from safetensors.torch import load_file, save_file  # noqa: E402  (they come with the two)
from tokenizers import Tokenizer, models, pre_tokenizers  # noqa: E402

WORDS = ["<unk>", "<pad>", "<s>", "</s>", "<image>", "Yes", "No", "Grade", ":", *"12345", "user", "the", "clip"]
TEMPLATE = (
    "{% for m in messages %}{{ m['role'] }} : {% for c in m['content'] %}{% if c['type'] == 'image' %}<image> "
    "{% else %}{{ c['text'] }} {% endif %}{% endfor %}{% endfor %}the :"
)


def dino(folder, *, pooler=False, seed=0):
    torch.manual_seed(seed)
    config = transformers.ViTConfig(
        image_size=224, patch_size=16, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32
    )
    transformers.ViTModel(config, add_pooling_layer=pooler).save_pretrained(folder)


def dinov2(folder):
    torch.manual_seed(0)
    config = transformers.Dinov2Config(
        image_size=28, patch_size=14, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, mlp_ratio=2
    )
    transformers.Dinov2Model(config).save_pretrained(folder)


def clip(folder):
    torch.manual_seed(0)
    sizes = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
    config = transformers.CLIPConfig(
        vision_config={**sizes, "image_size": 32, "patch_size": 16}, text_config={**sizes, "vocab_size": 50},
        projection_dim=8,
    )  # fmt: skip
    transformers.CLIPModel(config).save_pretrained(folder)


def raft(folder):
    from beholder.vision.raft_network import SMALL, layout

    generator = torch.Generator().manual_seed(0)
    folder.mkdir()
    state = {name: 0.05 * torch.randn(shape, generator=generator) for name, shape in layout(SMALL).items()}
    torch.save(state, folder / "raft-small.pth")


class Mean(torch.nn.Module):
    """A network whose answer is known: the mean over everything but the first axis, for each channel."""

    def forward(self, x: torch.Tensor, return_features: bool = False) -> torch.Tensor:
        return x.flatten(2).mean(2)


def scripted(folder, name="network.pt"):
    folder.mkdir()
    with warnings.catch_warnings(category=DeprecationWarning, action="ignore"):
        torch.jit.save(torch.jit.script(Mean()), str(folder / name))


def _tokenizer(words, special):
    own = Tokenizer(models.WordLevel({word: n for n, word in enumerate(words)}, unk_token="<unk>"))
    own.pre_tokenizer = pre_tokenizers.Whitespace()
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=own, unk_token="<unk>", pad_token="<pad>", bos_token="<s>", eos_token="</s>",
        additional_special_tokens=special,
    )  # fmt: skip


def _with_scores(folder, numbers, *, without=()):
    """Put a head that gives numbers into the files, and leave weights out."""
    held = {key: value for key, value in load_file(folder / "model.safetensors").items() if not key.startswith(without)}
    held["score.weight"] = torch.randn(numbers, 16)
    save_file(held, folder / "model.safetensors", metadata={"format": "pt"})


def idefics2(folder):
    """What VideoScore is: an Idefics2 whose head gives five numbers instead of words."""
    torch.manual_seed(0)
    special = ["<image>", "<fake_token_around_image>", "<end_of_utterance>"]
    words = ["<unk>", "<pad>", "<s>", "</s>", *special, "the", "clip"]
    pictures = transformers.Idefics2ImageProcessorPil(
        size={"shortest_edge": 28, "longest_edge": 56}, do_image_splitting=False
    )
    processor = transformers.Idefics2Processor(pictures, _tokenizer(words, special), image_seq_len=4)
    sizes = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
    config = transformers.Idefics2Config(
        vision_config={**sizes, "image_size": 56, "patch_size": 14},
        perceiver_config={"hidden_size": 16, "resampler_n_latents": 4, "resampler_depth": 1, "resampler_n_heads": 2,
                          "resampler_head_dim": 8, "num_key_value_heads": 2},
        text_config={**sizes, "model_type": "mistral", "vocab_size": len(words), "num_key_value_heads": 2,
                     "pad_token_id": 1},
        image_token_id=words.index("<image>"),
    )  # fmt: skip
    transformers.Idefics2ForConditionalGeneration(config).save_pretrained(folder)
    processor.save_pretrained(folder)
    _with_scores(folder, 5, without=("lm_head",))


def llava(folder, *, scores=0):
    """A model for pictures and text; with `scores`, a head of so many numbers in its files."""
    torch.manual_seed(0)
    tokenizer = _tokenizer(WORDS, ["<image>"])
    pictures = transformers.CLIPImageProcessorPil(size={"shortest_edge": 28}, crop_size={"height": 28, "width": 28})
    processor = transformers.LlavaProcessor(
        image_processor=pictures, tokenizer=tokenizer, patch_size=14, vision_feature_select_strategy="default",
        num_additional_image_tokens=1, chat_template=TEMPLATE,
    )  # fmt: skip
    sizes = {"hidden_size": 16, "intermediate_size": 32, "num_attention_heads": 2}
    config = transformers.LlavaConfig(
        vision_config=transformers.CLIPVisionConfig(**sizes, num_hidden_layers=2, image_size=28, patch_size=14),
        text_config=transformers.LlamaConfig(
            **sizes, num_hidden_layers=1, vocab_size=len(WORDS), num_key_value_heads=2, max_position_embeddings=512
        ),
        image_token_index=WORDS.index("<image>"),
    )
    transformers.LlavaForConditionalGeneration(config).save_pretrained(folder)
    processor.save_pretrained(folder)
    if scores:
        _with_scores(folder, scores)
