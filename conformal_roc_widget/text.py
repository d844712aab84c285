"""Formats numbers and sentences for readers, and cleans texts that users give."""

from __future__ import annotations

import math
import re
import shlex
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import partial
from typing import Any, NamedTuple, Self

#: A context for `Decimal` with enough digits for every float64 to be exact.
_EXACT = Context(prec=400, rounding=ROUND_HALF_UP)
#: If a letter has more combining marks than this, the rest are dropped.
MOST_MARKS = 8
#: If a user's name has more letters than this, the rest are not sent to a page.
LONGEST = 200
#: If a threshold or percentage is near 0 or 1, it gets more decimals, at most this many.
_MOST_DECIMALS = 12


def number_text(value: float, digits: int = 2, *, sign: bool = False) -> str:
    """Writes `value` with `digits` decimals and a typographic minus sign. Halves round away from 0.

    JavaScript's ``toFixed`` rounds in the same way: 0.125 is "0.13" in a picture and on the page.
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


#: A float64 holds every whole number up to this one, but not every larger one.
EXACT = 2.0**53
#: A threshold outside [0, 1] has `DIGITS` significant digits, and one beyond `EXACT` has
#: `FAR_DIGITS`.
DIGITS, FAR_DIGITS = 5, 12


def threshold_text(value: float) -> str:
    """Writes a threshold with two decimals, three if needed, and more near 0 and 1.

    If a threshold is neither 0 nor 1, it never reads "0.00" or "1.00". If scores are no
    probabilities, it has five digits, or more if its integer part needs them. Beyond `EXACT` it has
    twelve, with a sign of approximation if more would be needed: "≈4.61168601843e18".
    """
    if value == math.inf:
        return "above all scores"
    if abs(value) > EXACT:
        unit = Decimal(1).scaleb(Decimal(value).adjusted() + 1 - FAR_DIGITS)
        digits, power = f"{Decimal(value).quantize(unit, context=_EXACT):e}".split("e+")
        text = f"{digits.rstrip('0').removesuffix('.')}e{power}"
        return ("" if float(text) == value else "≈") + text.replace("-", "−")
    if abs(value) > 1:
        text = number_text(value, max(DIGITS - 1 - math.floor(math.log10(abs(value))), 0))
        return text.rstrip("0").removesuffix(".") if "." in text else text
    tail = min(abs(value), abs(1 - value))
    if 0 < tail < 0.0005:
        return number_text(value, _decimals(tail))
    return number_text(value, 3).removesuffix("0")


def percent(share: float) -> str:
    """Writes a share as a percentage with up to four decimals: "95 %", "98.75 %".

    Only a share of exactly 0 or 1 reads "0 %" or "100 %". Other shares get more decimals if needed.
    """
    tail = 100 * min(share, 1 - share)
    digits = _decimals(tail) if 0 < tail < 0.00005 else 4
    return f"{number_text(100 * share, digits).rstrip('0').removesuffix('.')} %"


def percent_down(share: float) -> str:
    """Writes `share` as a percentage after "at least", rounded down to one decimal."""
    return f"{number_text(math.floor(1000 * share + 1e-9) / 10, 1)} %"


def rate_at_least(share: float) -> str:
    """Writes a share after "at least", rounded down to two decimals, or to four above .99."""
    digits = 2 if share <= 0.99 or share == 1 else 4
    return number_text(math.floor(10**digits * share + 1e-9) / 10**digits, digits)


def rate_at_most(share: float) -> str:
    """Writes a share after "at most", rounded up to two decimals."""
    return number_text(math.ceil(100 * share - 1e-9) / 100)


def _decimals(tail: float) -> int:
    """Returns the number of decimals up to the first nonzero digit of a small number."""
    return min(-math.floor(math.log10(tail)), _MOST_DECIMALS)


def counted(n: int, noun: str) -> str:
    """Writes `n` with a noun, which gets an s unless n is 1: "1 row", "2,000 rows"."""
    return f"{n:,} {noun}{'s' * (n != 1)}"


def counted_people(n: int) -> str:
    """Writes a number of people: "1 person", "2,000 people"."""
    return "1 person" if n == 1 else f"{n:,} people"


def duration(time: float, unit: str) -> str:
    """Writes a time with its unit: "730 days", "1 year" from "years". The unit may be empty."""
    is_one = time == 1 and unit.endswith("s") and len(unit) > 2
    return f"{time:,.12g} {unit[:-1] if is_one else unit}".rstrip()


def ordinal(rank: int) -> str:
    """Writes `rank` as an ordinal number: 1st, 2nd."""
    teens = rank % 100 in (11, 12, 13)
    return f"{rank:,}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(rank % 10, 'th')}"


def plain_text(text: Any, most: int) -> str:
    """Returns a user's text in one line, without characters that control a terminal.

    Characters that reverse text are removed too. Zero-width joiners stay, because scripts and emoji
    need them. If the text has more than `most` letters, it is cut in the middle, because names
    often differ at their ends.
    """
    line = few_marks(" ".join(str(text).split()))
    printable = "".join(c for c in line if c.isprintable() or c in "\N{ZERO WIDTH JOINER}\u200c")
    return short_name(printable, most)


def few_marks(text: str) -> str:
    """Returns the text with at most `MOST_MARKS` combining marks in a row.

    No script needs more. More marks on one letter would be drawn over the lines above and below.
    """
    kept, marks = [], 0
    for character in text:
        marks = marks + 1 if unicodedata.category(character)[0] == "M" else 0
        if marks <= MOST_MARKS:
            kept.append(character)
    return "".join(kept)


def chart_text(text: Any, most: int) -> str:
    """Returns `plain_text` in a form that is safe in an Altair chart.

    Altair writes texts unescaped into a script element. So an invisible joiner follows each "<"
    that would end the element or begin a comment.
    """
    return re.sub("<(?=[/!])", "<\N{WORD JOINER}", plain_text(text, most))


def chart_texts(names: Iterable[Any]) -> dict[Any, str]:
    """Returns the text of each distinct name in an Altair chart, in order of first appearance.

    If two names would have the same text, the second gets a number.
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


def class_name(name: Any, *, noun: str = "class") -> str:
    """Names a class in a sentence. A number or truth value gets the noun: ``"class 1"``."""
    text = plain_text(name, 24)
    return f"{noun} {text}" if re.fullmatch(r"-?[\d.]+|True|False", text) else text


def short_name(name: str, most: int = 20) -> str:
    """Returns `name` with at most `most` letters. A longer name is cut in the middle."""
    if len(name) <= most:
        return name
    return f"{name[: most // 2]}…{name[1 - most // 2 :]}"


class _Place(NamedTuple):
    """The words for a label: within a sentence, and at its start."""

    within: str
    start: str

    def __format__(self, spec: str) -> str:
        text: str = getattr(self, spec or "within")
        return text


#: The placeholders of the labels in an `AboutLabels`: within a sentence, and at its start.
LABEL, LABEL_AT_START = ("{0}", "{1}"), ("{0:start}", "{1:start}")
_NUMBERS = tuple(_Place(f"label {k}", f"Label {k}") for k in (0, 1))


class AboutLabels(str):
    """A sentence that calls the labels "label 0" and "label 1".

    It keeps its template, from which `with_class_names` makes the sentence with class names. The
    placeholders of the template are those in `LABEL` and `LABEL_AT_START`.
    """

    __slots__ = ("template",)

    template: str

    def __new__(cls, template: str) -> Self:
        """Makes the sentence of a template with the numbers of the labels."""
        made = super().__new__(cls, template.format(*_NUMBERS))
        made.template = template
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles and copies are made from the template."""
        return type(self), (self.template,)

    def of_classes(self, classes: Sequence[Any]) -> str:
        """Returns the sentence with the names of the classes."""
        return self.template.format(*_named(classes))


def _named(classes: Sequence[Any]) -> tuple[_Place, ...]:
    return tuple(_Place(class_name(name), class_name(name, noun="Class")) for name in classes)


def _in_python(name: str, value: Any) -> str:
    return f"{name}={value!r}"


def _as_option(name: str, value: Any) -> str:
    return f"--{name.replace('_', '-')} {shlex.quote(str(value))}"


class Advice(AboutLabels):
    """A sentence that advises the user to pass arguments, such as ``neighbors=50``.

    On the command line, `with_options` writes them as options, such as ``--neighbors 50``. The
    template has a placeholder for each argument. The value of an argument is a text, or the number
    of a label.
    """

    __slots__ = ("arguments", "classes")

    arguments: dict[str, str | int]
    classes: tuple[Any, ...]

    def __new__(cls, template: str, classes: Sequence[Any] = (), **arguments: str | int) -> Self:
        """Makes the sentence with Python's arguments. If `classes` is empty, labels are numbers."""
        made = str.__new__(cls, cls._said(template, classes, arguments, _in_python))
        made.template, made.classes, made.arguments = template, tuple(classes), arguments
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles and copies are made from the template and its values."""
        return partial(type(self), self.template, self.classes, **self.arguments), ()

    def of_classes(self, classes: Sequence[Any]) -> Self:
        """Returns the sentence with the names of the classes, as an `Advice` again."""
        return type(self)(self.template, classes, **self.arguments)

    @property
    def with_options(self) -> str:
        """Returns the sentence with command-line options, such as ``--neighbors 50``."""
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
    """`sentence`. If it is an `Advice`, it has command-line options instead of arguments."""
    return sentence.with_options if isinstance(sentence, Advice) else sentence


class Note(str):
    """A sentence on the data in three parts: fact, reason (or consequence), remedy.

    The page shows the fact in bold. Each part may be an `AboutLabels`. Reason and remedy may be
    empty.
    """

    __slots__ = ("fact", "reason", "remedy")

    fact: str
    reason: str
    remedy: str

    def __new__(cls, fact: str, reason: str = "", remedy: str = "") -> Self:
        """Joins the parts to one text, which keeps them as attributes."""
        made = super().__new__(cls, _joined(fact, reason, remedy))
        made.fact, made.reason, made.remedy = fact, reason, remedy
        return made

    def __reduce__(self) -> tuple[type[Self], tuple[str, str, str]]:
        """Pickles and copies are made from the parts."""
        return type(self), (self.fact, self.reason, self.remedy)

    @property
    def record(self) -> dict[str, str]:
        """Returns the parts as a dict, for a message to a page."""
        return {"fact": str(self.fact), "reason": str(self.reason), "remedy": str(self.remedy)}

    def of_classes(self, classes: Sequence[Any]) -> Self:
        """Returns the note with class names instead of the labels' numbers."""
        parts = self.fact, self.reason, self.remedy
        return type(self)(*(with_class_names(part, classes) for part in parts))

    @property
    def with_options(self) -> str:
        """Returns the note, as a str, with command-line options instead of arguments."""
        return _joined(*map(with_options, (self.fact, self.reason, self.remedy)))


def _joined(*parts: str) -> str:
    return " ".join(filter(None, parts))


def with_class_names(sentence: str, classes: Sequence[Any]) -> str:
    """Returns `sentence`. If it is an `AboutLabels`, it has class names instead of numbers."""
    return sentence.of_classes(classes) if isinstance(sentence, AboutLabels) else sentence
