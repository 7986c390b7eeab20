"""The scenes of the hub: its settings, its token, the hosts contacted, what is refused, and what helps."""

from __future__ import annotations

from typing import Any, Final

from core.errors import ModelError
from core.models.ledger import Contact
from core.models.orders import DownloadState
from core.models.search import HubModel
from desktop.models.details import Looked, detail_of
from desktop.models.next_steps import trouble_of
from desktop.models.picker import ModelPicker
from desktop.models.refusals import CodeSheet, WeightsSheet
from desktop.models.shelf import Entry
from desktop.models.values import ModelDetail
from desktop.settings.hub_section import TokenSeen
from desktop.settings.token_sheet import TokenSheet
from tests.desktop.models import models as m
from tests.shots.models import ANCHOR
from tests.shots.stage import ALL, BOTH, LIGHT, Stage

HUB: Final = "https://huggingface.co"
CODE: Final = (
    *((f"{name}_orca_code.py", size) for name, size in (("configuration", 9_100), ("modeling", 88_400))),
    ("tokenization_orca_code.py", 12_700),
)
BINS: Final = tuple(f"pytorch_model-0000{at}-of-00002.bin" for at in (1, 2))
NOON: Final = 1_790_000_000.0
OWN: Final = HubModel(
    "someone/orca-mini-code-7B",
    "3e22461f65e89153144f8adb70e3b8c2cc9845a7",
    "orca_code",
    (),
    "",
    "remote_code",
    files=(("config.json", 900), ("model.safetensors", 14 * m.GB), *CODE),
    code=CODE,
    config={"model_type": "orca_code", "auto_map": {"AutoModel": "modeling_orca_code.Model"}},
    whole=True,
)
PICKLED: Final = HubModel(
    "somebody/an-older-model-6B", "0" * 40, "gptj", (), "", "no_weights",
    files=(("config.json", 900), *((name, 9) for name in BINS)), unsafe=BINS, whole=True,
)  # fmt: skip
ERRORS: Final = {
    "no-token": ModelError("hub.no_token", repo=m.GATED.key, page=f"{HUB}/{m.GATED.key}"),
    "bad-token": ModelError("hub.bad_token", repo=m.GATED.key),
    "proxy": ModelError("hub.proxy", endpoint=HUB, detail="407 Proxy Authentication Required"),
    "code": ModelError("hub.code", repo=OWN.id, commit=OWN.revision),
    "switched-off": ModelError("hub.switched_off", host="huggingface.co"),
}


def detail(error: ModelError) -> ModelDetail:
    state = DownloadState(m.GATED.key, phase="failed", error=error, done=2 * m.GB, total=m.GATED.size)
    entry = Entry(m.GATED.key, m.GATED.key, download=state)
    return detail_of(entry, Looked(), None, page=f"{HUB}/{m.GATED.key}", use=False, start_after=False)


class Hub(Stage):
    """Pictures over the window; the settings are as they were afterwards."""

    SCENES: Final = ("hub_settings", "hub_sheets", "hub_errors")

    async def hub_settings(self) -> None:
        self.window.resize(1280, 800)
        self.app.settings_page.open("token")
        view = self.app.settings_page.view
        section = view.page.hub
        await self.shoot("hub-settings", ALL)
        for name, seen in (
            ("kept", TokenSeen(kept=True)),
            ("environment", TokenSeen(kept=True, variable="HF_TOKEN")),
            ("other", TokenSeen(other="HF_TOKEN", other_hub="huggingface.co")),
        ):
            section.set_token(seen)
            await self.shoot(f"hub-token-{name}", LIGHT)
        section.endpoint.field.setText("mirror example")
        section.endpoint.field.editingFinished.emit()
        section.proxy.field.setText("http://me:secret@proxy.example:3128")
        section.proxy.field.editingFinished.emit()
        await self.shoot("hub-refused-values", BOTH)
        view.open_at("hosts")
        await self.settle()
        view.hosts.set_contacts(())
        await self.shoot("hub-no-hosts", LIGHT)
        view.hosts.set_contacts(
            tuple(
                Contact(host, why, NOON + 60 * at)
                for at, (host, why) in enumerate(
                    (
                        ("huggingface.co", "search qwen3.5"),
                        ("huggingface.co", f"list {m.GEMMA}"),
                        ("huggingface.co", f"files of {m.GEMMA}"),
                        ("cas-bridge.xethub.hf.co", f"files of {m.GEMMA}"),
                    )
                )
            )
        )
        await self.shoot("hub-hosts", ALL)
        await self.escape()

    async def hub_sheets(self) -> None:
        for name, made in (
            ("token", lambda: TokenSheet(self.window, HUB)),
            ("code", lambda: CodeSheet(self.window, OWN, f"{HUB}/{OWN.id}")),
            ("weights", lambda: WeightsSheet(self.window, PICKLED)),
        ):
            sheet: Any = made()
            sheet.open()
            await self.shoot(f"hub-sheet-{name}", ALL)
            if name == "token":
                sheet.edit.setText("two words")
                sheet.keep.click()
                await self.shoot("hub-sheet-token-refused", LIGHT)
            sheet.reject()
            await self.settle()

    async def hub_errors(self) -> None:
        made = ModelPicker(self.window)
        self.app.appearance.changed.connect(made.set_theme)
        made.set_theme(self.app.appearance.theme)
        made.change(machine=m.MACHINE)
        made.change(rows=m.ROWS)
        made.select(m.GATED.key)
        made.open_at(ANCHOR)
        for name, error in ERRORS.items():
            made.set_detail(detail(error))
            await self.shoot(f"hub-error-{name}", BOTH if name == "no-token" else LIGHT)
        made.change(trouble=trouble_of(ModelError("hub.search_switched_off", words="qwen")))
        await self.shoot("hub-error-search", BOTH)
        made.close_picker()
        self.app.appearance.changed.disconnect(made.set_theme)
        made.deleteLater()
        await self.settle()
