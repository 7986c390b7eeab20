"""Owns the translations' upkeep: collects the strings, compiles the .qm files, and checks both.

python resources/i18n/update.py            collect new strings and compile
python resources/i18n/update.py --compile  compile only, after translating
python resources/i18n/update.py --check    say what is missing or stale; exit code 1 if anything is
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# files of sentences: their context, and which of their values are sentences (None: all)
SENTENCES: dict[str, tuple[str, set[str] | None]] = {
    "errors.toml": ("Errors", None),
    "findings.toml": ("Findings", {"what", "why", "title", "effect", "button", "text"}),
}
# English holds only the plural forms; everything else is the source text itself
FILES = {"tokenloupe_zh_TW.ts": [], "tokenloupe_en.ts": ["-pluralonly"]}

HAN = r"[\u3007\u3400-\u9fff]"
PLACEHOLDERS = re.compile(r"%L?n|%L?\d|\{[^{}]*\}")


@dataclass(frozen=True)
class Message:
    """One string of a .ts file."""

    context: str
    source: str
    comment: str
    translations: tuple[str, ...]
    unfinished: bool
    numerus: bool

    @property
    def key(self) -> tuple[str, str, str]:
        return self.context, self.source, self.comment


@dataclass(frozen=True)
class Call:
    """One call in the sources that asks for a translation; `numerus` if it passes a count."""

    context: str
    source: str
    comment: str
    numerus: bool


def tool(name: str) -> str:
    """A PySide6 tool beside this Python, else on the path."""
    found = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    if found is None:
        raise SystemExit(f"{name} is missing: it comes with PySide6-Essentials")
    return found


def run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0 or "warning" in done.stderr.lower():
        raise SystemExit(f"{' '.join(command[:1])} failed:\n{done.stdout}{done.stderr}")


def file_strings() -> Iterator[Call]:
    """The sentences of the files of resources, in file order, each once."""

    def walk(table: dict[str, object], parts: set[str] | None) -> Iterator[str]:
        for key, value in table.items():
            if isinstance(value, dict):
                yield from walk(value, parts)
            elif isinstance(value, str) and value and (parts is None or key in parts):
                yield value

    for name, (context, parts) in SENTENCES.items():
        tables = tomllib.loads((ROOT / "resources" / name).read_text(encoding="utf-8"))
        yield from (Call(context, text, "", False) for text in dict.fromkeys(walk(tables, parts)))


def window_strings() -> Iterator[Call]:
    """Every string that the window translates, with its context: the class of a `self.tr`, else the first
    argument of `QCoreApplication.translate`. Read from the syntax tree, since lupdate overlooks calls whose
    last argument has a dot or a bracket in it.
    """
    for path in sorted((ROOT / "desktop").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for scope, node in _calls(tree, ""):
            where = f"{path.relative_to(ROOT)}:{node.lineno}"
            assert isinstance(node.func, ast.Attribute)
            own = node.func.attr == "tr"
            if not own and ast.unparse(node.func.value) != "QCoreApplication":
                continue
            words = [one.value if isinstance(one, ast.Constant) else None for one in node.args]
            context = scope if own else words.pop(0)
            if not isinstance(context, str) or not words or not isinstance(words[0], str):
                if not own and isinstance(node.args[0], ast.Name) and node.args[0].id == "CONTEXT":
                    continue  # sentences of a file, which are read from it
                raise SystemExit(f"{where}: only literal strings can be translated")
            comment = words[1] if len(words) > 1 and isinstance(words[1], str) else ""
            yield Call(context, words[0], comment, len(words) > 2)


def _calls(node: ast.AST, scope: str) -> Iterator[tuple[str, ast.Call]]:
    for child in ast.iter_child_nodes(node):
        inner = child.name if isinstance(child, ast.ClassDef) else scope
        if (
            isinstance(child, ast.Call)
            and isinstance(child.func, ast.Attribute)
            and child.func.attr in ("tr", "translate")
        ):
            yield scope, child
        yield from _calls(child, inner)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def collect(folder: Path) -> None:
    """Bring the .ts files in `folder` up to the sources; translations that are there stay."""
    calls = [*window_strings(), *file_strings()]
    by_context: dict[str, list[Call]] = {}
    for call in calls:
        by_context.setdefault(call.context, []).append(call)
    lines = []
    for context, found in by_context.items():
        # lupdate knows plurals only of `self.tr`
        lines += [f"class {context}:", "    def strings(self, n):"]
        for call in found:
            text = f"{_quoted(call.source)}, {_quoted(call.comment)}"
            lines.append(f"        self.tr({text}{', n' if call.numerus else ''})")
    with tempfile.TemporaryDirectory() as scratch:
        source = Path(scratch) / "strings.py"
        source.write_text("\n".join(lines) + "\n", encoding="utf-8")
        for name, options in FILES.items():
            language = name.removeprefix("tokenloupe_").removesuffix(".ts")
            run(
                tool("pyside6-lupdate"),
                str(source),
                *options,
                *("-no-obsolete", "-locations", "none", "-source-language", "en"),
                *("-target-language", language, "-ts", str(folder / name)),
            )


def compile_to(folder: Path) -> None:
    for name in FILES:
        target = folder / name.replace(".ts", ".qm")
        run(tool("pyside6-lrelease"), "-silent", str(HERE / name), "-qm", str(target))


def messages(path: Path) -> Iterator[Message]:
    for context in ElementTree.parse(path).getroot().iter("context"):
        name = context.findtext("name") or ""
        for entry in context.iter("message"):
            translation = entry.find("translation")
            if translation is None:
                continue
            forms = [form.text or "" for form in translation.iter("numerusform")]
            yield Message(
                name,
                entry.findtext("source") or "",
                entry.findtext("comment") or "",
                tuple(forms) or (translation.text or "",),
                translation.get("type") == "unfinished",
                entry.get("numerus") == "yes",
            )


def faults(message: Message, chinese: bool) -> Iterator[str]:
    """What is wrong with one translation."""
    where = f"{message.context}: {message.source!r}"
    if message.unfinished or not all(message.translations):
        yield f"{where} is not translated"
        return
    wanted = set(PLACEHOLDERS.findall(message.source))
    if wanted & {"%n", "%Ln"} and not message.numerus:
        yield f"{where} has a number and no count is passed"
    for text in message.translations:
        # a language may leave the number out of one of its plural forms ("one token")
        got = set(PLACEHOLDERS.findall(text))
        if got != wanted and not (message.numerus and not chinese and wanted - got <= {"%n", "%Ln"}):
            yield f"{where} has {sorted(got)} in place of {sorted(wanted)}: {text!r}"
        if chinese:
            yield from (f"{where}: {fault}: {text!r}" for fault in wording(text))


def wording(text: str) -> Iterator[str]:
    """The rules of Chinese typesetting that a machine can see."""
    if re.search(rf"{HAN}[A-Za-z0-9]|[A-Za-z0-9%]{HAN}", text):
        yield "no space between Han and Latin"
    if re.search(rf"{HAN} ?[,;:!?](?!\w)|{HAN}\.(?!\w)|[(]{HAN}|{HAN}[)]", text):
        yield "half-width punctuation after Han"
    if "您" in text or "請" in text:
        yield "您 or 請"
    if re.search(r" [，。；：？、（）「」]|[，。；：？、（）「」] ", text):
        yield "a space beside full-width punctuation"


def check() -> list[str]:
    """Everything that is missing or stale."""
    found: list[str] = []
    with tempfile.TemporaryDirectory() as scratch:
        fresh = Path(scratch)
        for name in FILES:
            if not (HERE / name).exists():
                return [f"{name} is missing"]
            shutil.copy(HERE / name, fresh)
        collect(fresh)
        compile_to(fresh)
        for name in FILES:
            have = {message.key: message for message in messages(HERE / name)}
            want = {message.key for message in messages(fresh / name)}
            found += [f"{name}: new string in {key[0]}: {key[1]!r}" for key in sorted(want - have.keys())]
            found += [f"{name}: no longer used in {key[0]}: {key[1]!r}" for key in sorted(have.keys() - want)]
            for message in have.values():
                found += [f"{name}: {fault}" for fault in faults(message, name.endswith("zh_TW.ts"))]
            binary = name.replace(".ts", ".qm")
            if not (HERE / binary).exists() or (HERE / binary).read_bytes() != (fresh / binary).read_bytes():
                found.append(f"{binary} is stale")
    return found


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--compile", action="store_true")
    options = parser.parse_args(arguments)
    if options.check:
        found = check()
        print("\n".join(found) or "translations are complete")
        return 1 if found else 0
    if not options.compile:
        collect(HERE)
    compile_to(HERE)
    open_entries = [m for name in FILES for m in messages(HERE / name) if m.unfinished]
    print(f"{len(open_entries)} entries are not translated yet")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
