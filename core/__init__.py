"""Token Loupe's core: everything but the window. Runs under plain asyncio, imports no Qt."""

__version__ = "0.1.0"
ISSUES_PAGE = ""  # where reports are filed; "" until the project has a public page
