"""What Hugging Face's Transformers say of the models in hugging_face_samples: compared, or written to be compared."""

import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.models.hugging_face_samples import ALL, RECORDED, WORDS, weight


def made(name, folder):
    """A model with its weights, saved by the library; its config, the shapes of what was saved, and its scores."""
    import numpy as np
    import torch
    import transformers
    from safetensors import safe_open

    kind, sizes = ALL[name]
    cls = getattr(transformers, kind)
    model = cls(cls.config_class(**sizes)).eval()
    for key, tensor in model.named_parameters():
        tensor.data = torch.tensor(weight(key, tensor.shape))
    model.save_pretrained(folder)
    with torch.no_grad():
        scores = [model(torch.tensor(word[None]), use_cache=False).logits for word in WORDS]
    last = np.array([(one if one.ndim == 2 else one[:, -1])[0].numpy() for one in scores], dtype=np.float64)
    with safe_open(Path(folder) / "model.safetensors", "np") as file:
        shapes = {key: list(file.get_tensor(key).shape) for key in sorted(file.keys())}
    return json.loads((Path(folder) / "config.json").read_text()), shapes, last


def main():
    """Write the record."""
    found = {}
    for name in ALL:
        with tempfile.TemporaryDirectory() as folder:
            config, shapes, scores = made(name, folder)
        found[name] = {"config": config, "shapes": shapes, "scores": scores.round(6).tolist()}
    RECORDED.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
