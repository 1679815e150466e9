"""Options of reading a file, for what a reader may guess wrong.

A default option means that the reader decides. The options stand in the recipe of the data, so that
a link and a saved screen read the same file in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from dtviz.base.text import MAX_TEXT_CHARS, quoted, short_repr
from dtviz.data.dataset import MAX_FEATURES, DataError, ParameterValue, Recipe, safe_text

ABSENT_CELL = "\ud800"  # a cell that a short row lacks; no file holds it
MISSING_WORDS = frozenset(
    (
        "", ABSENT_CELL, "na", "n/a", "n.a.", "nan", "null", "none", "?", "-", "--", ".", "\\n",
        "<na>", "#n/a", "#div/0!", "#ref!", "#name?", "#null!", "#num!", "#value!",
    )
)  # fmt: skip
"""Words of a missing value, in small letters: of people, of databases and of spreadsheets."""
MAX_MISSING_WORDS = 100
"""Words of missing values that a user may choose, of all columns together."""
MAX_NAMES_LINE = 1_000
"""Largest number of the line that holds the names of the columns."""
MissingValues = Mapping[str, Iterable[str]]
"""Words of missing values by column: () if every word of it is a value."""


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Options of reading a file. Raises DataError for a value that is not allowed.

    >>> ReadOptions(names_line=3, delimiter=";").params()
    {'names_line': 3, 'delimiter': ';'}
    >>> ReadOptions.of_recipe(Recipe("file", (("header", False),)))
    ReadOptions(names_line=0, encoding='', delimiter='', quotes=True, part='', types=(), missing=())
    """

    names_line: int | None = None
    """Line of the file that holds the names of the columns; 0: none does; None: the reader decides.
    """
    encoding: str = ""
    """Name of the encoding of a text; ''."""
    delimiter: str = ""
    """Sign between the cells of a text; ' ' for any number of blanks; ''."""
    quotes: bool = True
    """False if a quote in a text is a letter like any other."""
    part: str = ""
    """Name of the table in a file of several: a sheet, a file in an archive, a list in JSON."""
    types: tuple[tuple[str, str], ...] = ()
    """Type that a user chose, by column: its cells stay text unless they were read as that type."""
    missing: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Words of missing values that a user chose, by column."""

    def __post_init__(self) -> None:
        _check_names_line(self.names_line)
        _check_encoding(self.encoding)
        _check_delimiter(self.delimiter)
        if type(self.quotes) is not bool:
            raise DataError(f"`quotes` must be True or False; not {short_repr(self.quotes)}")
        if not isinstance(self.part, str) or len(self.part) > MAX_TEXT_CHARS:
            raise DataError(
                "`part` must be the name of a sheet, of a file in an archive or of a list in JSON; "
                f"not {short_repr(self.part)}",
                "part",
            )

    @property
    def has_header(self) -> bool:
        """True unless no line of the file holds names."""
        return self.names_line != 0

    def missing_words(self, column: str) -> frozenset[str] | None:
        """The words of missing values of a column, in small letters; None if none were chosen."""
        words = dict(self.missing).get(column)
        return None if words is None else frozenset(word.lower() for word in words)

    def params(self) -> dict[str, ParameterValue]:
        """The parameters of a recipe that these options set, but for the types."""
        params: dict[str, ParameterValue] = {}
        if self.names_line == 0:
            params["header"] = False
        elif self.names_line is not None:
            params["names_line"] = self.names_line
        for name in ("encoding", "delimiter", "part"):
            if getattr(self, name):
                params[name] = getattr(self, name)
        if not self.quotes:
            params["quotes"] = False
        if self.missing:
            params["missing_values"] = missing_values_text(self.missing)
        return params

    def place_text(self) -> str:
        """The options as text, '' for the default: a file read otherwise is another table."""
        params = self.params() | ({"types": repr(self.types)} if self.types else {})
        return urlencode([(name, str(value)) for name, value in sorted(params.items())])

    @classmethod
    def of_recipe(cls, recipe: Recipe, types: Mapping[str, str] | None = None) -> ReadOptions:
        """The options in a recipe, with the types chosen; raises DataError."""
        params = dict(recipe.params)
        names_line: Any = params.get("names_line")
        if str(params.get("header")) == str(False):
            names_line = 0
        return cls(
            names_line,
            str(params.get("encoding", "")),
            str(params.get("delimiter", "")),
            str(params.get("quotes", True)) != str(False),
            str(params.get("part", "")),
            tuple(sorted((types or {}).items())),
            parse_missing_values(params.get("missing_values")),
        )


def _check_names_line(value: Any) -> None:
    is_line = type(value) is int and 0 <= value <= MAX_NAMES_LINE
    if value is not None and not is_line:
        raise DataError(
            f"`names_line` must be the number of a line, 0 to {MAX_NAMES_LINE:,}; not "
            f"{short_repr(value)}",
            "names_line",
        )


def _check_encoding(value: Any) -> None:
    try:
        if value:
            "".encode(value)
    except (LookupError, TypeError, ValueError):
        raise DataError(
            f"`encoding` must be the name of an encoding, such as utf-8, cp1251 or gb18030; not "
            f"{short_repr(value)}",
            "encoding",
        ) from None


def _check_delimiter(value: Any) -> None:
    is_sign = isinstance(value, str) and (not value or (len(value) == 1 and value not in '"\r\n'))
    if not is_sign or (value and value.isalnum()):
        raise DataError(
            "`delimiter` must be one sign, such as ; or a tab, or a blank; not "
            f"{short_repr(value)}",
            "delimiter",
        )


def checked_missing_values(value: MissingValues | None) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The words of missing values by column, in a fixed order; raises DataError."""
    if value is None:
        return ()
    if not isinstance(value, Mapping):
        raise DataError(
            f'`missing_values` must be words by column, as {{"age": ["-999"]}}; not '
            f"{short_repr(value)}",
            "missing_values",
        )
    checked: dict[str, tuple[str, ...]] = {}
    for name, words in value.items():
        listed = [words] if isinstance(words, str | int | float) else words
        if not isinstance(listed, Iterable):
            raise DataError(
                f"`missing_values` must be a list of words for {quoted(str(name))}; not "
                f"{short_repr(words)}",
                "missing_values",
            )
        texts = tuple(dict.fromkeys(str(word).strip() for word in listed))
        if any(len(text) > MAX_TEXT_CHARS or "=" in text for text in texts):
            raise DataError(
                f"`missing_values` must be words of at most {MAX_TEXT_CHARS} letters without '='",
                "missing_values",
            )
        checked[safe_text(name)] = tuple(text for text in texts if text)
    if len(checked) > MAX_FEATURES or sum(map(len, checked.values())) > MAX_MISSING_WORDS:
        raise DataError(
            f"`missing_values` must be at most {MAX_MISSING_WORDS} words", "missing_values"
        )
    return tuple(sorted(checked.items()))


def missing_values_text(missing: Iterable[tuple[str, Iterable[str]]]) -> tuple[str, ...]:
    """Text of words by column, as a parameter of a recipe: ('age=-999', 'continent=')."""
    return tuple(f"{name}={word}" for name, words in missing for word in ([*words] or [""]))


def parse_missing_values(value: ParameterValue) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Words by column from a recipe's parameter; () where that is None; raises DataError."""
    if value is None:
        return ()
    parts = [text.rpartition("=") for text in value] if isinstance(value, tuple) else []
    if not parts or any(not sign for _, sign, _ in parts):
        raise DataError(
            f'`missing_values` must be like ["age=-999"]; not {short_repr(value)}', "missing_values"
        )
    words: dict[str, list[str]] = {}
    for name, _, word in parts:
        words.setdefault(name, []).append(word)
    return checked_missing_values(words)


DEFAULT = ReadOptions()
"""Options that leave all to the reader."""
