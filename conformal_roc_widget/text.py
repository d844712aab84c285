"""Formats numbers, and strips control characters from names given by users."""

from __future__ import annotations

import math
import re
import shlex
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import partial
from typing import Any, NamedTuple, Self

#: Digits enough for every float.
_EXACT = Context(prec=400, rounding=ROUND_HALF_UP)
#: At most this many combining marks on one letter are kept.
MOST_MARKS = 8
#: At most this many letters of a user's name reach a page.
LONGEST = 200
#: At most this many decimals tell a threshold or percentage from 0 or 1.
_MOST_DECIMALS = 12


def number_text(value: float, digits: int = 2, *, sign: bool = False) -> str:
    """Number with a fixed count of decimals and a true minus sign; halves go away from zero.

    So does JavaScript's ``toFixed``: 0.125 reads "0.13" in a picture and on the page.
    """
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        text = "∞"
    else:
        text = f"{abs(Decimal(value)).quantize(Decimal(1).scaleb(-digits), context=_EXACT):f}"
    if value < 0 and (math.isinf(value) or float(text)):
        return f"−{text}"
    return f"+{text}" if sign and value > 0 else text


#: Digits of a threshold outside [0, 1].
DIGITS = 5


def threshold_text(value: float) -> str:
    """Threshold with two decimals, three where it needs them, and more next to 0 and 1.

    A threshold that is neither 0 nor 1 never reads "0.00" or "1.00". What is no probability has
    five digits, and as many before the point as it needs.
    """
    if value == math.inf:
        return "above all scores"
    if abs(value) > 1:
        text = number_text(value, max(DIGITS - 1 - math.floor(math.log10(abs(value))), 0))
        return text.rstrip("0").removesuffix(".") if "." in text else text
    tail = min(abs(value), abs(1 - value))
    if 0 < tail < 0.0005:
        return number_text(value, _decimals(tail))
    return number_text(value, 3).removesuffix("0")


def percent(share: float) -> str:
    """Share as a percentage with up to four decimals: "95 %", "98.75 %".

    More decimals stand only where a share that is neither 0 nor 1 would read "0 %" or "100 %".
    """
    tail = 100 * min(share, 1 - share)
    digits = _decimals(tail) if 0 < tail < 0.00005 else 4
    return f"{number_text(100 * share, digits).rstrip('0').removesuffix('.')} %"


def percent_down(share: float) -> str:
    """Share as a percentage, rounded down to one decimal, for a coverage of at least that."""
    return f"{number_text(math.floor(1000 * share + 1e-9) / 10, 1)} %"


def rate_at_least(share: float) -> str:
    """Share rounded down to two decimals, and to more next to 1: for what is at least so much."""
    digits = 2 if share <= 0.99 or share == 1 else 4
    return number_text(math.floor(10**digits * share + 1e-9) / 10**digits, digits)


def rate_at_most(share: float) -> str:
    """Share rounded up to two decimals, for what is at most so much."""
    return number_text(math.ceil(100 * share - 1e-9) / 100)


def _decimals(tail: float) -> int:
    """Decimals up to the first digit of a small number that is not 0."""
    return min(-math.floor(math.log10(tail)), _MOST_DECIMALS)


def counted(n: int, noun: str) -> str:
    """A number of things, of which one has no s: "1 row", "2,000 rows"."""
    return f"{n:,} {noun}{'s' * (n != 1)}"


def counted_people(n: int) -> str:
    """A number of people in words."""
    return "1 person" if n == 1 else f"{n:,} people"


def duration(time: float, unit: str) -> str:
    """A time in its unit, which has no s at 1: "1 year", "730 days"; the unit may be empty."""
    is_one = time == 1 and unit.endswith("s") and len(unit) > 2
    return f"{time:,.12g} {unit[:-1] if is_one else unit}".rstrip()


def ordinal(rank: int) -> str:
    """Rank in words: 1st, 2nd."""
    teens = rank % 100 in (11, 12, 13)
    return f"{rank:,}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(rank % 10, 'th')}"


def plain_text(text: Any, most: int) -> str:
    """The user's text on one line, without characters that control a terminal or reverse the text.

    Joiners stay: scripts and emoji need them. A longer text is cut in its middle, since names often
    differ at their ends.
    """
    line = few_marks(" ".join(str(text).split()))
    printable = "".join(c for c in line if c.isprintable() or c in "\N{ZERO WIDTH JOINER}\u200c")
    return short_name(printable, most)


def few_marks(text: str) -> str:
    """The text with at most `MOST_MARKS` combining marks in a row, which no script exceeds.

    More of them on one letter paint over the lines around.
    """
    kept, marks = [], 0
    for character in text:
        marks = marks + 1 if unicodedata.category(character)[0] == "M" else 0
        if marks <= MOST_MARKS:
            kept.append(character)
    return "".join(kept)


def chart_text(text: Any, most: int) -> str:
    """Plain text for an Altair chart.

    Altair's pages hold a chart's texts within a script element, as they are. Where one would end
    that element or open a comment, a joiner that nobody sees keeps it from doing so.
    """
    return re.sub("<(?=[/!])", "<\N{WORD JOINER}", plain_text(text, most))


def chart_texts(names: Iterable[Any]) -> dict[Any, str]:
    """Name -> its text in an Altair chart, in order of first appearance.

    Different names stay different.
    """
    texts: dict[Any, str] = {}
    for name in names:
        if name not in texts:
            text, number = chart_text(name, 40), 1
            while text in texts.values():
                number += 1
                text = f"{chart_text(name, 40)} ({number})"
            texts[name] = text
    return texts


def class_name(name: Any, most: int = 24, *, noun: str = "class") -> str:
    """Name of a class for readers: ``"class 1"`` for a bare number or truth value."""
    text = plain_text(name, most)
    return f"{noun} {text}" if re.fullmatch(r"-?[\d.]+|True|False", text) else text


def short_name(name: str, most: int = 20) -> str:
    """The name with at most so many letters: a longer one is cut in the middle."""
    if len(name) <= most:
        return name
    return f"{name[: most // 2]}…{name[1 - most // 2 :]}"


class _Place(NamedTuple):
    """A label as templates show it: within a sentence, or at its start."""

    within: str
    start: str

    def __format__(self, spec: str) -> str:
        text: str = getattr(self, spec or "within")
        return text


#: Places of the labels in an `AboutLabels`: within a sentence, and at its start.
LABEL, LABEL_AT_START = ("{0}", "{1}"), ("{0:start}", "{1:start}")
_NUMBERS = tuple(_Place(f"label {k}", f"Label {k}") for k in (0, 1))


class AboutLabels(str):
    """A sentence that names labels as numbers; `with_class_names` puts the classes' names in.

    It is made from a template with `LABEL` in their places.
    """

    __slots__ = ("template",)

    template: str

    def __new__(cls, template: str) -> Self:
        """Puts the labels' numbers into the template."""
        made = super().__new__(cls, template.format(*_NUMBERS))
        made.template = template
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles and copies the template."""
        return type(self), (self.template,)

    def of_classes(self, classes: Sequence[Any]) -> str:
        """The sentence with the names of the classes."""
        return self.template.format(*_named(classes))


def _named(classes: Sequence[Any]) -> tuple[_Place, ...]:
    return tuple(_Place(class_name(name), class_name(name, noun="Class")) for name in classes)


def _in_python(name: str, value: Any) -> str:
    return f"{name}={value!r}"


def _as_option(name: str, value: Any) -> str:
    return f"--{name.replace('_', '-')} {shlex.quote(str(value))}"


class Advice(AboutLabels):
    """A sentence that names arguments; for the command `with_options` makes options of them.

    Its template has their names in their places. A value is a text, or the number of a label.
    """

    __slots__ = ("arguments", "classes")

    arguments: dict[str, str | int]
    classes: tuple[Any, ...]

    def __new__(cls, template: str, classes: Sequence[Any] = (), **arguments: str | int) -> Self:
        """Says the arguments as in Python; without `classes` labels are numbers."""
        made = str.__new__(cls, cls._said(template, classes, arguments, _in_python))
        made.template, made.classes, made.arguments = template, tuple(classes), arguments
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles and copies the template with what fills it."""
        return partial(type(self), self.template, self.classes, **self.arguments), ()

    def of_classes(self, classes: Sequence[Any]) -> Self:
        """The sentence with the names of the classes, which still knows its arguments."""
        return type(self)(self.template, classes, **self.arguments)

    @property
    def with_options(self) -> str:
        """The sentence with options of the command in place of arguments."""
        return self._said(self.template, self.classes, self.arguments, _as_option)

    @staticmethod
    def _said(
        template: str,
        classes: Sequence[Any],
        arguments: Mapping[str, str | int],
        say: Callable[[str, Any], str],
    ) -> str:
        values = classes or (0, 1)
        said = {
            name: say(name, values[value] if isinstance(value, int) else value)
            for name, value in arguments.items()
        }
        return template.format(*(_named(classes) or _NUMBERS), **said)


def with_options(sentence: str) -> str:
    """The sentence as the command says it."""
    return sentence.with_options if isinstance(sentence, Advice) else sentence


class Note(str):
    """A sentence on the data, with its parts: what is so, why or what follows, and what to do.

    The page has the fact in bold. A part may be an `AboutLabels`; reason and remedy may be empty.
    """

    __slots__ = ("fact", "reason", "remedy")

    fact: str
    reason: str
    remedy: str

    def __new__(cls, fact: str, reason: str = "", remedy: str = "") -> Self:
        """The whole sentence, which keeps its parts."""
        made = super().__new__(cls, _joined(fact, reason, remedy))
        made.fact, made.reason, made.remedy = fact, reason, remedy
        return made

    def __reduce__(self) -> tuple[type[Self], tuple[str, str, str]]:
        """Pickles and copies the parts."""
        return type(self), (self.fact, self.reason, self.remedy)

    @property
    def record(self) -> dict[str, str]:
        """The parts by their names, for a message."""
        return {"fact": str(self.fact), "reason": str(self.reason), "remedy": str(self.remedy)}

    def of_classes(self, classes: Sequence[Any]) -> Self:
        """The note with the names of the classes, if it is about labels."""
        parts = self.fact, self.reason, self.remedy
        return type(self)(*(with_class_names(part, classes) for part in parts))

    @property
    def with_options(self) -> str:
        """The note as the command says it."""
        return _joined(*map(with_options, (self.fact, self.reason, self.remedy)))


def _joined(*parts: str) -> str:
    return " ".join(filter(None, parts))


def with_class_names(sentence: str, classes: Sequence[Any]) -> str:
    """The sentence with the names of the classes, if it is about labels."""
    return sentence.of_classes(classes) if isinstance(sentence, AboutLabels) else sentence
