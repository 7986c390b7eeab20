"""The hub is reached in another way from now on: what becomes of the downloads."""

from __future__ import annotations

from core.models.download import Downloads

_ASKING = frozenset({"resolving", "fetching", "waiting"})
# what another token, address or proxy, or the offline switch may change
_BY_SETTINGS = frozenset(
    {
        *("hub.no_token", "hub.bad_token", "hub.no_access", "hub.no_repo", "hub.switched_off", "hub.proxy"),
        *("hub.headers", "hub.other_commit", "hub.offline", "hub.stalled", "hub.server", "hub.rate_limit"),
        "hub.certificate",
    }
)


async def go_on(downloads: Downloads) -> None:
    """One that runs is begun again from its bytes on disk, as is one that failed for what has changed."""
    for state in downloads.states:
        model = "@".join(filter(None, (state.repo, state.commit or state.revision)))
        failed = state.phase == "failed" and state.error is not None and state.error.code in _BY_SETTINGS
        if state.phase in _ASKING:
            await downloads.pause(model, state.tokenizer_only)
        if failed or state.phase in _ASKING:
            await downloads.resume(model, state.tokenizer_only)
