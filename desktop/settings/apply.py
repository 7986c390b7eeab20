"""What the settings change in the kit, at the start and whenever one of them changes."""

from __future__ import annotations

from core.settings import Settings, SettingsStore
from desktop.kit.appearance import Appearance
from desktop.kit.bridge import bind
from desktop.kit.i18n import Language


def follow(store: SettingsStore, appearance: Appearance, language: Language) -> None:
    """Language, theme, zoom and motion as the store says, now and from now on."""

    def apply(settings: Settings) -> None:
        appearance.set_reduce_motion(settings.reduce_motion)
        appearance.take(settings.theme, settings.zoom)
        language.apply(settings.language)

    apply(store.value)
    bind(appearance, store.changed, apply)
