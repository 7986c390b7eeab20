"""The command line's options: names, ranges and what they become."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable

import msgspec

from core import __version__
from core.engines.base import Sampling

_SAMPLING = {
    "temperature": float,
    "top_k": int,
    "top_p": float,
    "min_p": float,
    "repetition_penalty": float,
    "presence_penalty": float,
    "frequency_penalty": float,
    "seed": int,
    "max_tokens": int,
}
_RANGES: dict[str, tuple[float, float]] = {
    "temperature": (0, 2),
    "top_k": (0, 10_000_000),
    "top_p": (0.000001, 1),
    "min_p": (0, 1),
    "repetition_penalty": (0.01, 10),
    "presence_penalty": (-2, 2),
    "frequency_penalty": (-2, 2),
    "seed": (0, 2**63 - 1),
    "max_tokens": (1, 10_000_000),
}


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="tokenloupe", description="Chat with a language model and inspect every token of the answer."
    )
    top.add_argument("--version", action="version", version=f"Token Loupe {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    ask = commands.add_parser("ask", help="ask and print every token with its numbers")
    ask.add_argument("text", nargs="?", help='the question; without it or with "-": standard input')
    ask.add_argument("--system", default="", metavar="TEXT", help="system prompt")
    ask.add_argument(
        "--model",
        metavar="built-in|DIR|NAME",
        help="default: the server in Docker if one is ready (see up), else built-in; with --url the name of "
        "a served model, or what --files takes",
    )
    ask.add_argument(
        "--url",
        type=_not_empty,
        metavar="ADDRESS",
        help="a vLLM server; default: VLLM_URL if --model is not given",
    )
    ask.add_argument(
        "--files",
        metavar="DIR|ORG/NAME|server",
        help="with --url: where the tokenizer is: a folder, the hub (ORG/NAME[@REVISION]), or the server",
    )
    _add_key(ask)
    ask.add_argument("--input", metavar="FILE.jsonl", help="many questions, one JSON string or object a line")
    for name, kind in _SAMPLING.items():
        ask.add_argument(f"--{name.replace('_', '-')}", type=_within(name, kind), metavar="N")
    ask.add_argument("--stop", action="append", default=[], metavar="TEXT", help="stop string (repeatable)")
    ask.add_argument(
        "--structured",
        metavar="FORM=TEXT|FORM=@FILE",
        help="with --url: json (a schema), regex, choice or grammar",
    )
    ask.add_argument(
        "--sampling",
        action="append",
        default=[],
        metavar="KEY=JSON",
        help="with --url: another of vLLM's sampling fields (repeatable)",
    )
    for medium in ("image", "sound", "video"):
        ask.add_argument(
            f"--{medium}",
            action="append",
            default=[],
            metavar="FILE",
            help="with --url: goes with the question (repeatable)",
        )
    ask.add_argument("--thinking", choices=("on", "off"), help="for models that can think first")
    ask.add_argument("--plain", action="store_true", help="complete the text, without a chat template")
    ask.add_argument("--top-candidates", type=_count(1, 20), default=5, metavar="N", help="1 to 20 (5)")
    own = "of the built-in engine"
    ask.add_argument("--dtype", choices=("auto", "float32", "bfloat16", "float16"), default="auto", help=own)
    ask.add_argument("--device", choices=("auto", "cpu", "cuda", "mps"), default="auto", help=own)
    ask.add_argument("--json", action="store_true", help="one JSON object a line")
    models = commands.add_parser("models", help="the models on this computer, or those of a server")
    models.add_argument("--url", type=_not_empty, metavar="ADDRESS", help="a vLLM server")
    _add_key(models)
    models.add_argument("--json", action="store_true")
    _add_models(commands)
    _add_server(commands)
    doctor = commands.add_parser("doctor", help="check what this program needs")
    doctor.add_argument("--json", action="store_true")
    return top


def _add_models(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    pull = commands.add_parser(
        "pull",
        help="download a model of the hub",
        description="Download a model of the hub and check it. What is on disk is never fetched again; "
        "Ctrl+C pauses. HF_TOKEN: for models that need permission. HF_ENDPOINT, HTTPS_PROXY are used.",
    )
    pull.add_argument("model", type=_not_empty, metavar="ORG/NAME[@REVISION]|built-in")
    pull.add_argument(
        "--tokenizer-only", action="store_true", help="config, tokenizer and template, without the weights"
    )
    pull.add_argument("--json", action="store_true", help="one JSON object a line")
    verify = commands.add_parser("verify", help="read every byte of the models and name damaged files")
    verify.add_argument(
        "model", nargs="?", type=_not_empty, metavar="ORG/NAME[@REVISION]|DIR", help="default: all"
    )
    verify.add_argument("--json", action="store_true", help="one JSON object a line")
    remove = commands.add_parser("rm", help="remove a model that was downloaded, without asking")
    remove.add_argument("model", type=_not_empty, metavar="ORG/NAME[@REVISION]")
    remove.add_argument("--json", action="store_true")


def _add_server(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    up = commands.add_parser(
        "up",
        help="start vLLM in Docker",
        description="Start vLLM in Docker, as the window's Start does. Without --wait it returns as soon as "
        "there is a container; the start goes on in it. VLLM_API_KEY: the key that the server will ask for.",
    )
    up.add_argument(
        "--model",
        type=_not_empty,
        metavar="built-in|DIR|ORG/NAME[@REVISION]",
        help="a folder, or a model of the hub, downloaded where it is not on this computer; default: the "
        "settings' model",
    )
    up.add_argument("--no-fetch", action="store_true", help="download no model")
    up.add_argument(
        "--device", choices=("cpu", "gpu"), help="default: TOKENLOUPE_VLLM_DEVICE, else the settings'"
    )
    up.add_argument(
        "--port", type=_count(1, 65535), metavar="N", help="default: VLLM_PORT, else the settings'"
    )
    up.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="for this start alone (repeatable): context, eager, gpu_share, kv_bytes, memory, version",
    )
    up.add_argument("--wait", action="store_true", help="until it is ready, telling each step")
    up.add_argument("--json", action="store_true", help="one JSON object a line")
    down = commands.add_parser("down", help="stop it, whoever started it")
    down.add_argument("--json", action="store_true")
    status = commands.add_parser("status", help="what it does")
    status.add_argument("--json", action="store_true")
    logs = commands.add_parser("logs", help="what it wrote, or wrote at its last start; without keys")
    logs.add_argument("-f", "--follow", action="store_true", help="what it goes on to write, until it ends")
    logs.set_defaults(json=False)


def _add_key(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--api-key-env",
        action=_Variable,
        metavar="NAME",
        default="VLLM_API_KEY",
        help="variable with the server's key",
    )


class _Variable(argparse.Action):
    """One that is named must be set: a typing error would ask without a key."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        if values not in os.environ:
            raise argparse.ArgumentError(self, f"{values} is not set")
        setattr(namespace, self.dest, values)


def _not_empty(text: str) -> str:
    """A shell's variable that is not set must not lead to another engine."""
    if not text.strip():
        raise argparse.ArgumentTypeError("is empty")
    return text


def _within(name: str, kind: type[float] | type[int]) -> Callable[[str], float]:
    low, high = _RANGES[name]

    def read(text: str) -> float:
        try:
            value = kind(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"{text} is not within {low:g} … {high:g}")
        return value

    return read


def out_of_range(values: object) -> str:
    """Which of an object's sampling values is outside its range, "" if none is."""
    for name, (low, high) in _RANGES.items():
        value = getattr(values, name)
        if value is not None and not low <= value <= high:
            return f"{name} {value:g} is not within {low:g} … {high:g}"
    return ""


def _count(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not text.isdecimal() or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"{text} is not within {low} … {high}")
        return int(text)

    return read


def chosen_sampling(arguments: argparse.Namespace, recommended: Sampling) -> Sampling:
    """The model's recommended values with those of the command line in their place."""
    given = {name: value for name in _SAMPLING if (value := getattr(arguments, name)) is not None}
    return msgspec.structs.replace(recommended, **given, stop=(*recommended.stop, *arguments.stop))
