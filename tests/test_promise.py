"""A promise is a value: every result has one, and uses its words."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from data import evaluation_from_scores, logistic_sample, scored
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import (
    ConformalROC,
    Promise,
    RocEvaluation,
    average_bands,
    calibration_band,
    comparators,
)
from conformal_roc_widget import promise as parts
from conformal_roc_widget.promise import KINDS, MODELS, Guarantee, Level, Phrase, Scope


def results_of(evaluation, alpha=0.1):
    """Every result of an evaluation by name."""
    at = evaluation.at(alpha)
    return {
        "at": at,
        "band": at.band(),
        "point": at.operating_point(0.4),
        "auc": at.ideal_auc_range(),
        "youden": at.youden(),
        "intervals": at.intervals(),
        "precision and recall": evaluation.precision_recall(alpha),
        "net benefit": evaluation.net_benefit(alpha),
        "reliability": evaluation.reliability(alpha),
        "metrics": evaluation.metrics(0.4, alpha),
    }


def kinds_of(results):
    return {name: result.promise.kind for name, result in results.items()}


def assert_words_are_the_promises(results):
    for name, result in results.items():
        promise = result.promise
        assert isinstance(promise, Promise), name
        assert promise.kind in KINDS
        words = (result.target, result.scope, result.guarantee)
        assert words == (promise.target, promise.scope, promise.guarantee), name
        assert all(words), name
        assert "{" not in " ".join(words), name


def test_limits_of_single_points_promise_no_area_and_no_index(rng):
    X, y, _ = logistic_sample(rng, 300)
    evaluation = ConformalROC(LogisticRegression(), random_state=0).fit(X, y).evaluate(X, y)
    found = results_of(evaluation)
    assert_words_are_the_promises(found)
    assert kinds_of(found) == dict.fromkeys(found, "individual") | {
        "auc": "none",
        "youden": "none",
        "net benefit": "none",
        "reliability": "simultaneous",
        "metrics": "none",
    }
    assert {result.promise.model for name, result in found.items() if name != "reliability"} == {
        "ideal_model"
    }


def test_limits_of_the_curve_keep_those_of_single_points(rng):
    X, y, _ = logistic_sample(rng, 300)
    model = ConformalROC(LogisticRegression(), reference="sharp", random_state=0).fit(X, y)
    evaluation = model.evaluate(X, y, guarantee="curve")
    found = results_of(evaluation) | {"ideal curve": evaluation.ideal_curve(0.1)}
    assert_words_are_the_promises(found)
    kinds = kinds_of(found)
    assert kinds["band"] == kinds["point"] == "curve"
    assert kinds["intervals"] == "individual"
    assert kinds["ideal curve"] == "credible"


def test_a_centre_that_does_not_cover_promises_nothing(rng):
    X, y, _ = logistic_sample(rng, 300)
    model = ConformalROC(LogisticRegression(), neighbors=50, center="kernel", random_state=0)
    found = results_of(model.fit(X, y).evaluate(X, y))
    assert_words_are_the_promises(found)
    del found["reliability"]
    assert set(kinds_of(found).values()) == {"none"}


def test_simultaneous_limits_promise_everything_at_once(rng):
    found = results_of(
        RocEvaluation.from_predictions(*scored(rng, 80), *scored(rng, 40), guarantee="simultaneous")
    )
    assert_words_are_the_promises(found)
    assert set(kinds_of(found).values()) == {"simultaneous"}
    assert all(result.promise.every_threshold for result in found.values())
    assert {result.promise.model for result in found.values()} == {"recalibration"}


def test_other_peoples_limits_are_for_more_test_data(rng):
    y, score = scored(rng, 80)
    found = {
        "bootstrap": comparators.bootstrap_band(y, score, resamples=100, random_state=0),
        "ks": comparators.ks_band(y, score),
        "box": comparators.clopper_pearson_box(y, score, 0.5),
    }
    assert_words_are_the_promises(found)
    assert set(kinds_of(found).values()) == {"sampling"}


def test_an_average_promises_nothing_and_a_calibration_band_everything(rng):
    evaluation = evaluation_from_scores(3)
    found = {
        "average": average_bands({"a": evaluation, "b": evaluation}, 0.1),
        "calibration": calibration_band(*scored(rng, 80)),
    }
    assert_words_are_the_promises(found)
    assert kinds_of(found) == {"average": "none", "calibration": "simultaneous"}


def test_a_promise_is_frozen_and_equal_by_its_fields():
    promise = Promise("curve", "a", "b", "{confidence} of c")
    assert promise == Promise("curve", "a", "b", "{confidence} of c")
    assert hash(promise.at(0.1)) == hash(Promise("curve", "a", "b", "90 % of c"))
    assert promise.at(None).guarantee == "1 − α of c"
    with pytest.raises(AttributeError):
        promise.kind = "none"
    with pytest.raises(ValueError, match=r"^kind: found 'sure', expected one of 'individual'"):
        Promise("sure", "a", "b", "c")


def test_numbers_with_a_promise_unpack_as_before(rng):
    evaluation = evaluation_from_scores(3)
    area, lower, upper = evaluation.ideal_auc_range(0.1)
    assert lower <= area <= upper
    low, high = evaluation.intervals(0.1)
    assert np.all(low <= high)


def test_intervals_and_differences_for_the_population_carry_one_too(rng):
    y, score = scored(rng, 80)
    other = np.clip(score + rng.normal(size=80) / 10, 0, 1)
    found = {
        "area": comparators.delong_interval(y, score),
        "average precision": comparators.average_precision_interval(y, score),
        "accuracy": comparators.accuracy_interval(y, score, 0.5),
        "Brier score": comparators.brier_score_interval(y, score),
        "log loss": comparators.log_loss_interval(y, score),
        "difference of areas": comparators.delong_difference(y, score, other),
        "difference of sensitivities": comparators.sensitivity_difference(y, score, other, 0.5),
        "mean area": comparators.mean_auc_interval([(y[:40], score[:40]), (y[40:], score[40:])]),
    }
    assert_words_are_the_promises(found)
    assert set(kinds_of(found).values()) == {"sampling"}
    assert {result.promise.model for result in found.values()} == {"classifier"}


#: At least one promise of each kind, with its short sentence at alpha = .1.
SENTENCES = {
    "individual": (
        parts.for_rates(
            "individual",
            parts.individual(
                parts.SMOOTH, parts.LIKE_REFITS, parts.RIGHT_WEIGHTS, whom=parts.NEW_PERSON
            ),
        ).assuming(parts.FOLDS_ALIKE),
        (
            "at least 90 % for a threshold picked blindly in large samples, if the true log-odds are "
            "smooth and the classifier errs as its refits do and the weights are right and the "
            "classifiers of all folds err alike, for a row of a new person."
        ),
    ),
    "curve": (
        parts.for_rates("curve", Guarantee(parts.ON_AVERAGE, (parts.LEARNABLE,))),
        (
            "90 % on average for a threshold picked blindly, if the truth can be learned from the "
            "features."
        ),
    ),
    "simultaneous": (
        parts.FOR_RECALIBRATION[0],
        (
            "at least 90 % for any threshold I pick for every sample size, if a higher score never "
            "means a lower probability."
        ),
    ),
    "everywhere": (
        parts.EVERYWHERE,
        (
            "conformal limits hold in at least 90 % of datasets drawn alike for any threshold I pick from "
            "0.005 to 0.995 after looking, if true residuals spread no wider than estimated."
        ),
    ),
    "credible": (
        parts.credible(parts.SMOOTH),
        "90 % credible for one false positive rate, if the true log-odds are smooth.",
    ),
    "unlabelled": (
        parts.for_labels(is_told=True),
        (
            "90 % on average for any threshold I pick, if a score means the same here but for the "
            "share told and the true log-odds are smooth."
        ),
    ),
    "sampling": (
        parts.sampling(parts.ONE_RATE, parts.LARGE_SAMPLES),
        (
            "about 90 % for one point of the curve in large samples, if more data come from the same "
            "source."
        ),
    ),
    "population": (
        parts.for_population(["sensitivity"], 0.9),
        (
            "at least 90 % for this threshold for every sample size, if more data come from the same "
            "source."
        ),
    ),
    "none": (
        parts.for_range(
            parts.sampling(parts.ONE_RATE, parts.LARGE_SAMPLES), "Youden's index", parts.ONE_RATE
        ),
        "none (computed from both limits together).",
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_short_sentence_of_every_kind_names_all_that_is_assumed(kind):
    promise, expected = SENTENCES[kind]
    assert promise.kind == kind
    said = promise.at(0.1)
    assert str(said.line) == expected
    for condition in said.conditions:
        assert condition.short in str(said.line)
        assert condition.text in said.guarantee
    assert "{" not in said.guarantee + str(said.line)


def test_what_is_said_around_a_guarantee_keeps_its_conditions():
    rates = SENTENCES["individual"][0].at(0.1)
    derived = {
        "of both labels": parts.for_both_labels(rates, "net benefit", "these points"),
        "of recall": parts.for_both_labels(
            rates, "precision", "these points", "individual", parts.PRECISION_HAS_NONE
        ),
        "of gaps": parts.for_gaps(rates, 4, 0.025, 0.1),
    }
    for name, promise in derived.items():
        for condition in rates.conditions:
            assert condition.text in promise.guarantee, name
            assert condition.short in str(promise.line), name
    assert str(derived["of recall"].line).startswith("recall alone: at least 90 % for ")
    assert str(derived["of both labels"].line).startswith("each label alone: at least 90 %")
    joint = parts.for_both_labels(parts.EVERYWHERE, "net benefit", "these points")
    assert (joint.kind, joint.guarantee) == ("everywhere", parts.EVERYWHERE.guarantee)


def test_a_condition_that_is_new_is_one_entry():
    """The condition for outcomes with a time."""
    learned = Phrase("P(T <= t) can be learned from the features", "the risk can be learned")
    leaving = Phrase(
        "censoring does not depend on the time of the event", "leaving tells nothing of it"
    )
    promise = parts.for_rates("individual", parts.individual(learned, leaving)).at(0.05)
    assert promise.guarantee == (
        "at least 95 % in large samples, if P(T <= t) can be learned from the features and "
        "censoring does not depend on the time of the event"
    )
    assert str(promise.line) == (
        "at least 95 % for a threshold picked blindly in large samples, if the risk can be learned "
        "and leaving tells nothing of it."
    )


def test_a_promise_says_how_a_threshold_has_to_be_chosen():
    chosen = {kind: promise.line.chosen for kind, (promise, _) in SENTENCES.items()}
    assert chosen == dict.fromkeys(KINDS, "any") | {
        "individual": "blindly",
        "curve": "blindly",
        "sampling": "beforehand",
    }
    for name, scope in vars(parts).items():
        if isinstance(scope, Scope):
            assert scope.chosen in ("any", "blindly", "beforehand"), name
            blind = "drawn at random, not the whole curve" in scope.text
            assert (scope.chosen == "blindly") == blind, name


def test_the_condition_is_ten_words_at_most_and_leaves_out_nothing_that_weakens_the_promise():
    large = "in large samples"
    found = {kind: promise.line.condition for kind, (promise, _) in SENTENCES.items()}
    assert found == {
        "individual": "in large samples, under the conditions below",
        "curve": "if features can tell the truth",
        "simultaneous": "if a higher score never means a lower probability",
        "everywhere": "if true residuals spread no wider than estimated",
        "credible": "if the true log-odds are smooth",
        "sampling": "in large samples, if more data are drawn alike",
        "population": "if more data are drawn alike",
        "unlabelled": "if only the positives' share differs and log-odds are smooth",
        "none": "",
    }
    own = [each for each in vars(parts).values() if isinstance(each, Guarantee)]
    every = [
        *(parts.individual(each) for each in parts.CONDITIONS.values()),
        *(parts.individual(each, whom=parts.NEW_PERSON) for each in parts.CONDITIONS.values()),
        *(*own, *parts.GUARANTEES.values(), parts.of_folds("DeLong", varies=True).surety),
    ]
    for guarantee in every:
        condition = guarantee.condition
        assert len(condition.split()) <= 10
        assert (large in condition) == (large in guarantee.level.text)
        briefs = [each.brief or each.short for each in guarantee.conditions]
        is_named = all(each in condition for each in (*briefs, guarantee.whom.short))
        assert is_named or condition.endswith(parts.words("promise.under"))


def test_a_row_that_is_there_is_said_and_every_scope_is_chosen_in_one_of_three_ways():
    inner = parts.INNER_THRESHOLDS.text
    assert f"from {parts.FIRST_THRESHOLD} to {parts.LAST_THRESHOLD} " in inner

    def once(pairs):
        assert len(dict(pairs)) == len(pairs), pairs
        return dict(pairs)

    text = Path(parts.__file__).with_name("promises.json").read_text("utf-8")
    rows = json.loads(text, object_pairs_hook=once)
    assert {each["chosen"] for each in rows["scopes"].values() if "chosen" in each} == {
        "blindly",
        "beforehand",
    }
    here = Path(parts.__file__).parent
    sources = [*here.rglob("*.py"), *(here.parent / "js/src").rglob("*.ts")]
    text = json.dumps(rows["guarantees"]) + "".join(each.read_text("utf-8") for each in sources)
    for table in set(rows) - {"kinds", "models"}:
        for key in rows[table]:
            assert f'"{key}"' in text or f".{key}" in text, (table, key)


def test_a_message_carries_keys_the_long_sentences_and_the_parts_of_the_short_one():
    record = parts.EVERYWHERE.record
    assert list(record) == ["kind", "model", "target", "scope", "guarantee", "line"]
    assert record["model"] in MODELS
    assert (
        record["line"]["level"]
        == "conformal limits hold in at least {confidence} of datasets drawn alike"
    )
    assert record["line"]["rest"].startswith(", if true residuals")


def test_a_promise_refuses_a_model_that_is_none_and_keeps_texts_as_they_are():
    with pytest.raises(ValueError, match=r"^model: found 'an ideal model', expected one of"):
        Promise("none", "a", "b", "c", "an ideal model")
    level = Level("{confidence} of it", "{confidence}")
    assert Promise("none", "a", "b", Guarantee(level)).at(0.2).guarantee == "80 % of it"


def test_nothing_reads_a_promise_back():
    """Only promise.py cuts the words of a promise or searches in them."""
    part = r"\b(?:target|scope|guarantee)\b"
    cuts = "split|removeprefix|removesuffix|startswith|endswith|replace|replaceAll|match|matchAll"
    finds = "search|includes|startsWith|endsWith|indexOf|find|index|partition|slice"
    said = re.compile(rf"{part}\.(?:{cuts}|{finds})\(|(?:\.test|\.exec|\bre\.\w+)\([^)]*{part}")
    here = Path(parts.__file__).parent
    files = [*here.rglob("*.py"), *(here.parent / "js/src").rglob("*.ts")]
    assert len(files) > 200
    found = {
        f"{file.name}: {line.strip()}"
        for file in files
        if file.name != "promise.py"
        for line in file.read_text("utf-8").splitlines()
        if said.search(line)
    }
    assert found == set()


#: Patterns that are not for sentences of a reader: names in code, and those below.
NO_SENTENCE = {
    *(
        "-?[\\d.]+|True|False",
        "^(-?[\\d.]+|True|False)$",
        "^(1|True)$",
        "^(0|False)$",
        "^(-?\\d+|True|False)$",
    ),
    "^-?[\\d.]+$",
    # messages of exceptions, which may come from any package
    *("[.!?]$", "X: "),
    # names that a user has given to classes
    *("^class ", "class "),
    # CSS and HTML
    *("auto|scroll", "hidden|clip", "color(srgb ", "^transparent$|, 0\\)$", "rgb", "</script"),
    "var\\(--crw-[\\w-]+(?:, var\\(--crw-[\\w-]+\\))?\\)",
    "^(class|role|tabindex|style|data-.*|aria-.*)$",
    # names of keys, marks and tones
    *("Arrow", "arm", "corner", "^label[01]$", "band-", "^comparator-", "comparator-"),
    *("^(?:curve|other)-(\\d+)$", "^(.*)_(lower|upper)$"),
    # formats of words.json, and endings of nouns
    *("count ", "[^aeiou]ies$"),
    # modules, arguments and constants
    *("pyarrow", "polars", "decision_function_shape", ".{TILDE}?"),
}
#: Matches the end of a sentence or a part of one: a full stop, colon or comma, then a space or the
#: end.
SENTENCE_END = re.compile(r"[.:;,!?]\]?[?*+]?(?: |\\s|\$)")
#: Matches three literal letters in a row.
WORD = re.compile(r"(?<![\\\w])[A-Za-z]{3,}")


def patterns_of_the_page(text):
    """Regular expressions of the page's code, and texts that it searches for."""
    # A slash is a division if it has a space on either side.
    start = r"(?:(?<=\()/|(?<=[,=:&|!?\s])/(?!\s))(?![/*])"
    literal = start + r"((?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\n\\\[])+)/[dgimsuvy]*(?=[.,)\];\s])"
    looked = r"\.(?:replace|replaceAll|startsWith|endsWith|split|indexOf|search|match)\(\s*[\"'`]([^\"'`]*)"
    code = re.sub(r"^\s*(?://|\*|/\*).*$", "", text, flags=re.MULTILINE)
    return re.findall(literal, code) + re.findall(looked, code)


def patterns_of_the_package(text):
    """Regular expressions of the package, and texts that it searches for."""
    patterns = r"\bre\.\w+\(\s*[rf]*[\"']([^\"']*)"
    looked = (
        r"\.(?:replace|startswith|endswith|removeprefix|removesuffix|partition|split|index|find)"
    )
    return re.findall(patterns, text) + re.findall(looked + r"\(\s*[\"']([^\"']*)", text)


def english_in(patterns):
    # Escapes such as `\\p{Surrogate}` are classes of letters.
    bare = {each: re.sub(r"\\[pP]\{\w+\}|\[[^\]]*\]", "", each) for each in patterns}
    found = [each for each, text in bare.items() if WORD.search(text) or SENTENCE_END.search(each)]
    return [each for each in found if each not in NO_SENTENCE]


def test_no_pattern_reads_english_on_either_side():
    """Sentences are built from parts, and no code parses them again."""
    assert english_in(patterns_of_the_page("text.replace(/^(Class|Fold) /, low)")) != []
    assert english_in(patterns_of_the_page('first.text.replace("At threshold ", "")')) != []
    assert (
        english_in(patterns_of_the_package('re.sub(r"\\b([Ll])abel ([01])\\b", named, text)')) != []
    )
    assert english_in(patterns_of_the_page("const end = note.search(/[.:] /);")) != []
    assert english_in(patterns_of_the_page('rankText.split(", ")[0]')) != []
    assert english_in(patterns_of_the_package('fact, _, reason = note.partition(". ")')) != []
    here = Path(parts.__file__).parent
    page = [(each, patterns_of_the_page) for each in (here.parent / "js/src").rglob("*.ts")]
    package = [(each, patterns_of_the_package) for each in here.rglob("*.py")]
    found = {
        f"{file.name}: {pattern}"
        for file, read in (*page, *package)
        for pattern in english_in(read(file.read_text("utf-8")))
    }
    assert found == set()
