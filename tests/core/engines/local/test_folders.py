"""Any local folder with a causal model: other architectures, other caches, and folders that are refused."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from safetensors.numpy import load_file, save_file

from core.engines.base import Sampling
from core.errors import ModelError
from core.models.folder import read_folder
from core.paths import default_paths
from tests.core.engines.local.conftest import Local, open_local, reference

TESTS = Path(__file__).parents[3]
TINY = TESTS / "cases" / "models" / "tiny"
KINDS = ("llama", "qwen3.5", "gemma4")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tiny random models of every kind."""
    root = tmp_path_factory.mktemp("made")
    script = str(TESTS / "reference" / "make_model.py")
    for kind in (*KINDS, "bert"):
        command = [sys.executable, script, kind, str(TINY), str(root / kind)]
        subprocess.run(command, check=True, capture_output=True)
    return root


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Local]:
    opened = open_local(tmp_path_factory.mktemp("home"))
    yield opened
    opened.close()


@pytest.mark.parametrize("kind", KINDS)
def test_greedy_equals_generate_and_a_longer_prompt_reuses_what_can_be_reused(
    local: Local, made: Path, kind: str
) -> None:
    """Recurrent states and sliding windows cannot be cut back, only gone on from."""
    local.run(local.engine.open(str(made / kind), dtype="float32"))
    assert local.engine.info.recommended == Sampling(temperature=0.9, top_k=30, max_tokens=512)
    question = "hello world, this is true " * 8  # longer than the sliding window
    prompt = list(local.prompt(question).ids)
    greedy = Sampling(temperature=0.0, max_tokens=24)
    rows, _, _ = local.generate(prompt, greedy)
    told = reference(
        folder=str(made / kind),
        dtype="float32",
        messages=[{"role": "user", "content": question}],
        max_tokens=24,
    )
    assert prompt == told["prompt_ids"]
    assert [row.id for row in rows] == told["ids"]
    read = prompt + [row.id for row in rows[:-1]]
    longer = [*read, 40, 41, 42]
    rows, _, prefilling = local.generate(longer, greedy)
    assert prefilling.reused == len(read)
    fresh = reference(
        folder=str(made / kind), dtype="float32", full=[longer, [row.id for row in rows]], top=5
    )
    for row, logprob in zip(rows, fresh["logprobs"], strict=True):
        assert row.logprob == pytest.approx(logprob, abs=1e-3)
    # another branch of the same conversation: cut back where that is possible, else read anew
    branch = [*prompt[:-4], 50, 51]
    rows, _, prefilling = local.generate(branch, greedy)
    assert prefilling.reused == (len(prompt) - 4 if kind == "llama" else 0)
    fresh = reference(
        folder=str(made / kind), dtype="float32", full=[branch, [row.id for row in rows]], top=5
    )
    for row, logprob in zip(rows, fresh["logprobs"], strict=True):
        assert row.logprob == pytest.approx(logprob, abs=1e-3)


def test_a_nearly_full_context_ends_the_answer(local: Local, made: Path) -> None:
    local.run(local.engine.open(str(made / "llama")))
    limit = local.engine.info.context_limit
    assert limit == 512
    prompt = [40 + i % 50 for i in range(limit - 5)]
    rows, finished, _ = local.generate(prompt, Sampling(temperature=1.0, seed=1, ignore_eos=True))
    assert (len(rows), finished.reason) == (5, "context")


def copy(made: Path, tmp_path: Path, kind: str = "llama") -> Path:
    return Path(shutil.copytree(made / kind, tmp_path / "model"))


def refused(local: Local, folder: Path) -> ModelError:
    with pytest.raises(ModelError) as error:
        local.run(local.engine.open(str(folder)))
    return error.value


def test_a_model_that_does_not_write_text_is_refused(local: Local, made: Path) -> None:
    """transformers would load it with a random head, and every number would be made up."""
    error = refused(local, made / "bert")
    assert (error.code, error.params["architecture"]) == ("model.not_causal", "BertModel")


def test_missing_weights_are_refused_not_made_up(local: Local, made: Path, tmp_path: Path) -> None:
    folder = copy(made, tmp_path)
    weights = load_file(folder / "model.safetensors")
    gone = next(name for name in weights if "layers.2" in name)
    del weights[gone]
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    error = refused(local, folder)
    assert error.code == "model.incomplete"
    assert gone in error.detail


def test_a_cut_file_is_an_error_and_another_model_opens_after_it(
    local: Local, made: Path, tmp_path: Path
) -> None:
    folder = copy(made, tmp_path)
    with (folder / "model.safetensors").open("r+b") as file:
        file.truncate(5000)
    assert refused(local, folder).code == "model.load"
    local.run(local.engine.open(str(made / "llama")))
    rows, _, _ = local.generate(list(local.prompt("hello").ids), Sampling(temperature=0.0, max_tokens=2))
    assert len(rows) == 2


def test_only_safetensors_are_opened(made: Path, tmp_path: Path) -> None:
    folder = copy(made, tmp_path)
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(ModelError) as error:
        read_folder(folder)
    assert error.value.code == "model.no_safetensors"


def test_code_of_the_model_is_never_run(local: Local, made: Path, tmp_path: Path) -> None:
    folder = copy(made, tmp_path)
    config = json.loads((folder / "config.json").read_text())
    trap = tmp_path / "ran"
    (folder / "trap.py").write_text(f"open({str(trap)!r}, 'w')\n")
    config |= {
        "model_type": "trap",
        "auto_map": {"AutoModelForCausalLM": "trap.Model", "AutoConfig": "trap.C"},
    }
    (folder / "config.json").write_text(json.dumps(config))
    assert refused(local, folder).code == "model.remote_code"
    assert not trap.exists()


@pytest.mark.parametrize(
    ("name", "content"),
    [("config.json", "{"), ("config.json", "[]"), ("config.json", "{}"), ("tokenizer.json", None)],
)
def test_broken_folders_are_named(made: Path, tmp_path: Path, name: str, content: str | None) -> None:
    folder = copy(made, tmp_path)
    if content is None:
        (folder / name).unlink()
    else:
        (folder / name).write_text(content)
    with pytest.raises(ModelError) as error:
        read_folder(folder)
    assert error.value.code == ("model.no_tokenizer" if content is None else "model.config")


def test_an_unknown_architecture_is_an_error_with_a_short_text(
    local: Local, made: Path, tmp_path: Path
) -> None:
    folder = copy(made, tmp_path)
    shutil.copyfile(TESTS / "cases" / "models" / "unknown_arch" / "config.json", folder / "config.json")
    error = refused(local, folder)
    assert error.code in ("model.config", "model.remote_code")
    assert len(error.detail) < 500


def test_no_folder() -> None:
    with pytest.raises(ModelError) as error:
        read_folder(default_paths().data / "nothing")
    assert error.value.code == "model.not_found"
