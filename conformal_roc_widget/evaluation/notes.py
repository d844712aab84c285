"""Writes the notes on the data of an evaluation: few residuals, extreme scores, far test points.

The reference is the estimate ``pi~`` of the true probability. If a docstring says "at most one
note" and the note does not apply, the list is empty.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from conformal_roc_widget.arrays import shortened
from conformal_roc_widget.calibration.classifiers import kind_of
from conformal_roc_widget.calibration.followed.known import Known
from conformal_roc_widget.calibration.followed.residuals import whole_effective_n
from conformal_roc_widget.calibration.quantiles import first_alpha, residuals_needed, written_up
from conformal_roc_widget.calibration.residuals import (
    GroupedResiduals,
    Residuals,
    WeightedResiduals,
)
from conformal_roc_widget.text import (
    LABEL,
    LABEL_AT_START,
    AboutLabels,
    Advice,
    Note,
    counted,
    counted_people,
    percent,
)
from conformal_roc_widget.words import words

from .support import Support

#: A test point has limits from the residuals of some rows. Notes call these rows by one of these
#: words.
CALIBRATION_POINTS, NEIGHBOURS = "calibration points", "neighbours"
#: An evaluation has no alpha, but some notes depend on one. They are written for this alpha.
USUAL_ALPHA = 0.05
#: The advice if a reference that was made from scores is mostly noise. `NOISE_OF_ROWS` is the
#: advice for rows with weights or groups, for which the simultaneous guarantee is impossible.
NOISE_OF_SCORES = Advice(
    "More calibration points make it narrower; {guarantee} promises without a reference.",
    guarantee="simultaneous",
)
NOISE_OF_ROWS = "More calibration points make it narrower."
#: The note that test points have missing features, although the points of the fit had none.
GAPS_IN_TEST = Note(
    "Test points have gaps in their features, and the points of the fit had none:",
    "no residual tells how the classifier does there, and how far test points lie from the "
    "calibration data is told by their scores.",
)
OTHER_CENTRE = Note(
    "Intervals are centred on a model of the training part and not on the classifier:",
    "they are narrower where the columns tell π; where noise is hidden from every column they "
    "miss more points than those around the classifier.",
)
#: Both numbers are for outcomes with a time. If a weight exceeds `HEAVY` times the mean weight, a
#: note says so. If a label has fewer calibration rows than `FEW_EVENTS`, another note says so.
HEAVY, FEW_EVENTS = 5.0, 100
#: If the mean score differs from the share of positives by more than this, a note asks whether the
#: scores are risks.
FAR_FROM_SHARE = 0.2
#: If more than this share of the test points is far from the calibration data, a note says so.
SHARE_TO_NOTE = 0.05
#: For a good reference, `Support.reference_slope` is near 1. If it exceeds `SLOPE_TO_NOTE` by more
#: than two standard errors, a note says that the reference is too smooth.
SLOPE_TO_NOTE = 1.2
#: If `Support.reference_slope` is more than two standard errors below this, a note says that the
#: reference is mostly noise.
SLOPE_OF_NOISE = 0.5


def vacuous_reason(
    label: int, alpha: float, rule: str, *, n: int, noun: str, few: tuple[int, int] | None
) -> str:
    """Writes why a label has no limits at `alpha`.

    If `few` is (k, n), only k of the n test points of the label have no limits. `n` is the label's
    number of residuals, and `noun` names their rows.
    """
    confidence = percent(1 - float(alpha))
    one, both = residuals_needed(alpha, rule)
    of, start = LABEL[label], LABEL_AT_START[label]
    if few is not None:
        k, n_label = few
        it, has = ("it", "has") if k == 1 else ("they", "have")
        return AboutLabels(
            f"{k:,} of the {counted(n_label, 'test point')} of {of} {has} fewer than "
            f"{counted(one, noun.removesuffix('s'))} of their label, too few for {confidence}: "
            f"{it} {has} no limits."
        )
    if float(first_alpha(n, rule)) >= 1:
        found = f"only {n} calibration point" if n else "no calibration points"
        return AboutLabels(
            f"{start} has {found}, and so no limits at any α: one limit at "
            f"α = {float(alpha):g} takes {counted(one, 'point')}, two take {both}."
        )
    return AboutLabels(
        f"{start} has too few calibration points for {confidence}. Its "
        f"{counted(n, 'point')} can promise at most {n}/{n + 1} = "
        f"{percent(round(n / (n + 1), 3))}, so it has no limits. One limit appears from "
        f"α = {first_alpha(n, rule)}, or with "
        f"{counted(one, 'point')}; two limits at α = {float(alpha):g} take "
        f"{counted(both, 'point')}."
    )


def weighted_vacuous_reason(
    label: int,
    alpha: float,
    rule: str,
    *,
    groups: WeightedResiduals,
    few: tuple[int, int] | None,
) -> str:
    """Like `vacuous_reason`, for residuals that have weights or belong to people."""
    confidence, first = percent(1 - float(alpha)), groups.vacuous_below(rule)
    of, start = LABEL[label], LABEL_AT_START[label]
    if groups.people is not None:
        return AboutLabels(
            f"{start} has calibration rows of {counted_people(groups.people)}, too few for "
            f"{confidence}: it has no limits. Limits appear from "
            f"α = {written_up(first)}."
        )
    if few is not None and few[0] < few[1]:
        alone = few[0] == 1
        return AboutLabels(
            f"{few[0]:,} of the {few[1]:,} test points of {of} {'weighs' if alone else 'weigh'} "
            f"too much beside the calibration rows for {confidence}: "
            f"{'it has' if alone else 'they have'} no limits."
        )
    return AboutLabels(
        f"{start} has no limits at {confidence}: a test point weighs "
        f"{percent(round(groups.own_share, 3))} of its calibration rows and itself. Limits "
        f"appear from α = {written_up(first)}."
    )


def kernel_too_smooth(share: float, *, alike: bool = True) -> Note:
    """Returns the note that the kernel on the score is too smooth.

    `share` says in how many of all bins of the score the kernel's intervals contain the observed
    share of positives. If calibration rows do not count `alike`, the note cannot recommend the
    simultaneous guarantee.
    """
    instead = ", or {guarantee}, which needs no reference" * alike
    return Note(
        f"In {percent(round(1 - share, 2))} of the score ranges this band misses the share of "
        "positives actually seen:",
        "the kernel on the score is too smooth. Do not use it.",
        Advice(f"Try {{reference}}{instead}.", reference="sharp", guarantee="simultaneous"),
    )


def few_residuals(
    n_calibration: Mapping[int, int], groups: Sequence[Residuals], noun: str, rule: str
) -> tuple[Note, ...]:
    """Returns notes on labels, and on single test points, without limits at `USUAL_ALPHA`.

    `n_calibration` has the number of residuals of each label. `noun` names their rows.
    """
    if any(isinstance(group, WeightedResiduals) for group in groups):
        # If residuals have weights, the band itself has a note on points without limits. So there
        # is none here.
        return ()
    need = residuals_needed(USUAL_ALPHA, rule)[0]
    small = [_too_few(n, LABEL_AT_START[k], rule) for k, n in n_calibration.items() if n < need]
    local = [
        Note(
            AboutLabels(
                f"{few:,} of the {counted(group.sizes.size, 'test point')} of {LABEL[k]} "
                f"{'has' if few == 1 else 'have'} fewer than {need} {noun} of their label:"
            ),
            f"at alpha = {USUAL_ALPHA} their intervals say nothing.",
        )
        for k, group in enumerate(groups)
        if isinstance(group, GroupedResiduals)
        and group.points is not None
        and (few := int((group.sizes < need).sum()))
    ]
    return (*small, *local)


def _too_few(n: int, label: str, rule: str) -> Note:
    """Returns the note that a label with n residuals has no limits at `USUAL_ALPHA`.

    With the rule "split", a single residual gives no limit at any alpha.
    """
    if not n:
        return Note(
            AboutLabels(f"{label} has no calibration points, and so no limits at any alpha.")
        )
    first = float(first_alpha(n, rule))
    then = f"from alpha = {first:g} on it has some" if first < 1 else "no alpha gives it any"
    return Note(
        AboutLabels(f"{label} has only {counted(n, 'calibration point')}:"),
        f"at alpha = {USUAL_ALPHA} its band is vacuous (no limits); {then}.",
    )


def below_chance(auc: float, against_rest: bool, has_time: bool) -> list[Note]:
    """At most one note: the AUC is below 0.5, so the classes may be swapped."""
    if auc >= 0.5:
        return []
    remedy: str | Advice = ""
    if has_time:
        remedy = "If the scores are probabilities of survival, give 1 minus each."
    elif not against_rest:
        # With two classes, the positive class may have been mistaken. The advice is to name the
        # other one.
        other = f"If {LABEL[0]} is the one to be found, say {{pos_label}}."
        remedy = Advice(other, pos_label=0)
    note = Note(
        f"The AUC is {auc:.2f}, below 0.5:",
        AboutLabels(
            f"the scores of {LABEL[0]} are more often above those of {LABEL[1]}, which counts as "
            "the positive class, than below."
        ),
        remedy,
    )
    return [note]


def unlike_risks(mean: float, share: float, rows: int) -> list[Note]:
    """At most one note: the mean of the scores is far from the share of positives.

    Such scores are in [0, 1], but may not be risks.
    """
    # If scores are true risks, their mean differs from the share of positives only by chance. By
    # chance it hardly ever differs by six standard errors.
    spread = (max(mean * (1 - mean), share * (1 - share)) / rows) ** 0.5
    if abs(mean - share) <= max(FAR_FROM_SHARE, 6 * spread):
        return []
    return [
        Note(
            f"Are these scores risks? They are {mean:.2f} on average, and "
            f"{percent(round(share, 2))} of the rows are positive.",
            "Limits at the same threshold, reliability and net benefit read them as risks; what is "
            "said of this classifier does not.",
        )
    ]


#: The note on results that treat scores as risks, if the scores are margins.
NO_RISKS = Note(
    words("answer.margins"),
    remedy="Calibrate the classifier (CalibratedClassifierCV) to read a probability from them.",
)


def margins(estimator: Any) -> list[Note]:
    """At most one note: the classifier has margins instead of probabilities."""
    if hasattr(estimator, "predict_proba"):
        return []
    note = Note(
        f"{kind_of(estimator).__name__} gives margins and no probabilities:",
        "its scores are 1 / (1 + exp(-margin)), which rank as the margins do.",
        "They are no risks: reliability, net benefit and a threshold that is a risk ask for a "
        "calibrated classifier (CalibratedClassifierCV).",
    )
    return [note]


def no_rows_of(population: Any, known: Sequence[Any]) -> Note:
    """Returns the note that no row of the fit belongs to `population`.

    `known` are the populations of the fit.
    """
    return Note(
        "No limits:",
        f"none of the fit's rows belong to {population!r} (the fit has {shortened(list(known))}).",
    )


def absent_classes(names: Sequence[Any]) -> Note:
    """Returns the note that the test set has no row of the classes `names`."""
    return Note(
        f"The test set has no row of {shortened(list(names))}:",
        f"{'it is' if len(names) == 1 else 'they are'} left out, and the rest of each class lacks "
        "such rows.",
    )


def seen_rows(kind: str, seen: int, n: int) -> Note:
    """The note that `seen` of the n test or calibration rows also trained the classifier."""
    consequence = {
        "test": "curve, area and band are those of rows that it has seen, and look better than "
        "those of new ones.",
        "calibration": "residuals of rows that it has seen say nothing of new ones, and the limits "
        "have no guarantee.",
    }[kind]
    number = "is a row" if seen == 1 else "are rows"
    return Note(
        f"{seen:,} of the {n:,} {kind} rows {number} that the classifier was trained on:",
        consequence,
    )


def clipped_scores(clipped: int, n: int) -> list[Note]:
    """At most one note: `clipped` of the n calibration scores are exactly 0 or 1."""
    number = "is" if clipped == 1 else "are"
    note = Note(
        f"{clipped:,} of the {n:,} calibration scores {number} exactly 0 or 1.",
        "Such a logit lies beyond all others, so that the residual is extreme, and so may the "
        "limits be.",
    )
    return [note] if clipped else []


def summarized_table(n: int, error: float) -> Note:
    """Returns the note that the n test points are counts in bins.

    `error` is the largest error of a rate.
    """
    exact = f"are within {error:.2g} of the exact ones" if error else "are the exact ones"
    return Note(
        f"The {n:,} test points were counted in narrow bins of the score:",
        f"rates and limits {exact}.",
    )


def lost_rows(test: Known, calibrating: Known, by: str) -> list[Note]:
    """Returns notes on rows lost to follow-up before a horizon, and on weights of other rows.

    `test` and `calibrating` have the outcomes of test and of calibration rows. `by` is the horizon
    in words.
    """
    found = []
    for noun, known in (("test", test), ("calibration", calibrating)):
        if lost := known.counts[2]:
            share = percent(round(lost / known.unknown.size, 3))
            found.append(
                Note(
                    f"{lost:,} of the {known.unknown.size:,} {noun} rows ({share}) "
                    f"{'was' if lost == 1 else 'were'} lost from sight before {by}:",
                    "those still followed count more in their place.",
                )
            )
    effective = [whole_effective_n(calibrating.weights[calibrating.labels == k]) for k in (0, 1)]
    if (calibrating.weights != calibrating.weights[0]).any():
        found.append(
            Note(
                AboutLabels(
                    f"By their weights, the calibration rows count like {effective[0]:,} of "
                    f"{LABEL[0]} and {effective[1]:,} of {LABEL[1]}:"
                ),
                "these are the n.",
            )
        )
    for noun, known in (("test", test), ("calibration", calibrating)):
        if (ratio := float(known.weights.max() / known.weights.mean())) > HEAVY:
            found.append(
                Note(
                    f"One {noun} row counts {ratio:.1f} times as much as the mean:",
                    "rates depend much on single rows that were followed longest.",
                )
            )
    if min(effective) < FEW_EVENTS:
        found.append(
            Note(
                f"A label has {counted(round(min(effective)), 'calibration row')} of equal weight:",
                "limits from so few are wide, for they hold all that the data leave open.",
            )
        )
    return found


def rows_of_people(n: int, people: int) -> Note:
    """Returns the note that the n test rows belong to fewer people."""
    return Note(
        f"The {n:,} test rows belong to {counted_people(people)}, and rows of one person are not "
        "independent:",
        "there is no reliability, whose bounds count independent rows.",
    )


def nobody_in_test(argument: str) -> Note:
    """The note that calibration rows are grouped by person, and test rows are not.

    `argument` is the name under which the user gives the people of test rows.
    """
    return Note(
        "Calibration rows are grouped by person, and test rows are not:",
        "each test row counts as independent of the others, so that limits for this classifier are "
        "too narrow if one person has several.",
        f"If one person has several test rows, pass groups: {argument}=...",
    )


def far_points(support: Support, about: bool = False) -> list[Note]:
    """At most one note: new rows are far from the labelled rows.

    `about` tells that only some of the rows were checked.
    """
    if support.share <= SHARE_TO_NOTE:
        return []
    share = ("About " if about else "") + f"{100 * support.share:.0f} %"
    return [
        Note(
            f"{words('note.far', share=share)}.",
            "Whether a score means the same risk there, no labelled row tells.",
        )
    ]


def poor_support(support: Support, about: bool = False, advice: str = "") -> tuple[Note, ...]:
    """Returns notes on far test points, and on a reference that is too smooth or too noisy.

    `about` tells that only some of the test points were checked. If the reference is mostly noise,
    `advice` says what to do.
    """
    notes = []
    if support.share > SHARE_TO_NOTE:
        share = f"{100 * support.share:.0f} %"
        notes.append(
            Note(
                f"{words('note.far', share=('About ' if about else '') + share)}.",
                "There the reference π̃ leans on few points; read their part of the band with care.",
            )
        )
    slope, error = support.reference_slope
    if slope - 2 * error > SLOPE_TO_NOTE:
        notes.append(
            Note(
                "The reference π̃ is too smooth to be trusted:",
                f"the calibration labels follow its logit with slope {slope:.2f} (standard error "
                f"{error:.2f}) instead of 1. The band may cover less than it says.",
            )
        )
    elif slope + 2 * error < SLOPE_OF_NOISE:
        notes.append(
            Note(
                "The reference π̃ is mostly noise:",
                f"the calibration labels follow its logit with slope {slope:.2f} (standard error "
                f"{error:.2f}) instead of 1, and the band is wide for that.",
                advice,
            )
        )
    return tuple(notes)
