"""How each chip looks: its text, its sort, how wide it is. Measured once for each token id."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QFontMetricsF

from core.prompt.context import Who
from core.tokens.label import Sort, characters, label
from desktop.context import words
from desktop.context.flow import Cells, Measures
from desktop.context.model import Form, Sight
from desktop.kit import fonts

_FONT = 12
_NAMES, _NAMES_MOST = 100, 160
_ROW, _CHIP, _GAP = 26, 21, 4
_ABOVE, _BELOW, _LEAST = 12, 15, 62
_PAD, _PILL_PAD = 4, 7
_TEXT_ROW = 22


@dataclass(frozen=True, slots=True)
class Face:
    """`text` is drawn `pad` from the left edge; `mark` behind it, small. `ends`: a line ends with it."""

    text: str
    sort: Sort | None  # None: a folded medium
    width: float
    pad: float
    mark: str = ""
    mark_at: float = 0.0
    ends: bool = False


class ChipFonts:
    """The fonts of chips and their measures at the present zoom."""

    def __init__(self) -> None:
        self.mono = fonts.font("mono")
        self.mono.setPixelSize(fonts.px(_FONT))
        self.small = fonts.font("caption")
        self.of_mono, self.of_small = QFontMetricsF(self.mono), QFontMetricsF(self.small)
        of_names = QFontMetricsF(fonts.font("body_strong"))
        longest = max(of_names.horizontalAdvance(words.who(one)) for one in Who)
        # of the column with the groups' names
        self.names = max(fonts.px(_NAMES), min(round(longest) + fonts.px(20), fonts.px(_NAMES_MOST)))

    def measures(self, form: Form) -> Measures:
        px, text = fonts.px, form is Form.TEXT
        return Measures(
            row=px(_TEXT_ROW if text else _ROW),
            chip=px(_CHIP),
            gap=0 if text else px(_GAP),
            above=px(_ABOVE),
            below=px(_BELOW),
            least=px(_LEAST),
        )


class Faces:
    """The faces of one sight's cells in one form."""

    def __init__(
        self, sight: Sight, form: Form, cells: Cells, chip_fonts: ChipFonts, known: Faces | None
    ) -> None:
        """`known`: faces of the same vocabulary and form, whose measures are taken over."""
        self.sight, self.form, self.cells = sight, form, cells
        self._fonts = chip_fonts
        self._by_id: dict[int, Face] = known._by_id if known is not None else {}
        self._typed = sight.context.typed
        self.made = 0  # measured so far: what laying out costs
        self._plain = not sight.context.media and not self._typed and form is not Form.TEXT

    def width(self, cell: int) -> float:
        if self._plain:  # the common case: one look-up
            known = self._by_id.get(self.sight.context.ids[cell])
            if known is not None:
                return known.width
        return self.face(cell).width

    def ends(self, cell: int) -> bool:
        return self.form is Form.TEXT and self.face(cell).ends

    def face(self, cell: int) -> Face:
        medium = self.cells.folded(cell)
        if medium is not None:
            return self._boxed(words.medium(medium), None, _PILL_PAD)
        index = self.cells.token(cell)
        token = self.sight.context.ids[index]
        if index in self._typed:
            return self._typed_face(token)
        known = self._by_id.get(token)
        if known is None:
            known = self._make(token)
            if known is None:
                return self._split(index)
            if known.sort is not Sort.ABSENT:  # some vocabularies are learned as tokens come
                self._by_id[token] = known
        return known

    def _make(self, token: int) -> Face | None:
        """None: in a text it depends on the tokens around it."""
        self.made += 1
        shown = label(self.sight.vocabulary, token)
        if self.form is Form.IDS:
            return self._boxed(str(token), shown.sort, _pad(shown.sort))
        if self.form is Form.TEXT and shown.sort in (Sort.TEXT, Sort.BLANK):
            raw = self.sight.vocabulary.bytes_of(token)
            return self._flowing(raw.decode("utf-8"), shown.sort)
        if self.form is Form.TEXT and shown.sort is Sort.BYTES:
            return None
        return self._boxed(shown.text, shown.sort, _pad(shown.sort))

    def _boxed(self, text: str, sort: Sort | None, pad: int) -> Face:
        around = fonts.px(pad)
        width = self._fonts.of_mono.horizontalAdvance(text) + 2 * around
        return Face(text, sort, width, around)

    def _typed_face(self, token: int) -> Face:
        plain = self._make(token)
        assert plain is not None  # a special token
        mark, at = words.typed(), plain.width
        width = at + self._fonts.of_small.horizontalAdvance(mark) + plain.pad
        return Face(plain.text, plain.sort, width, plain.pad, mark, at)

    def _flowing(self, text: str, sort: Sort) -> Face:
        """As it reads: blanks as blanks, a line's end as its sign and an end."""
        shown = text.replace("\r\n", "\n").replace("\n", "↵").replace("\t", "    ")
        return Face(shown, sort, self._fonts.of_mono.horizontalAdvance(shown), 0.0, ends="\n" in text)

    def _split(self, index: int) -> Face:
        return self._flowing(characters(self.sight.vocabulary, self.sight.context.ids, index), Sort.TEXT)


def _pad(sort: Sort) -> int:
    return _PILL_PAD if sort is Sort.SPECIAL else _PAD
