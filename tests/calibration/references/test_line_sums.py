"""Sums by cells on a line, against sums over all pairs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformal_roc_widget.calibration.references import kernel
from conformal_roc_widget.calibration.references.line_sums import gaussian_sums


def all_pairs(targets, sources):
    return np.exp(-0.5 * np.square(targets[:, None] - sources)).sum(axis=1)


def test_one_source_gives_the_kernel_itself():
    at = np.array([-2.0, -1.0, 0.0, 0.5, 3.0])
    np.testing.assert_allclose(gaussian_sums(at, np.zeros(1)), np.exp(-0.5 * at**2), rtol=1e-13)


def test_two_sources_by_hand():
    found = gaussian_sums(np.array([1.0]), np.array([0.0, 2.0]))
    np.testing.assert_allclose(found, [2 * np.exp(-0.5)], rtol=1e-13)


@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(1, 400),
    spread=st.sampled_from([1e-9, 0.1, 1.0, 30.0, 1e3]),
)
def test_sums_that_have_their_digits_are_those_of_all_pairs(seed, n, spread):
    rng = np.random.default_rng(seed)
    sources = spread * rng.standard_t(2, size=n)
    targets = np.concatenate([sources[: n // 2], spread * rng.standard_t(2, size=n)])
    expected = all_pairs(targets, sources)
    found = gaussian_sums(targets, sources)
    exact = expected >= kernel.EXACT_FROM
    np.testing.assert_allclose(found[exact], expected[exact], rtol=1e-10)
    assert np.all(found[~exact] < 1.001 * kernel.EXACT_FROM)


def test_what_is_far_from_all_sources_is_zero():
    at = np.array([-1e140, -1e6, 50.0, 1e140])
    np.testing.assert_array_equal(gaussian_sums(at, np.array([0.0, 1.0])), 0)


@pytest.mark.parametrize("shape", ["close", "gaps", "one far out"])
def test_the_reference_is_the_same_by_cells_and_by_pairs(rng, monkeypatch, shape):
    x = rng.normal(size=(300, 1))
    if shape == "gaps":
        x[::3] += 40
    if shape == "one far out":
        x[0] = 1e4
    codes = (np.arange(300) % 3 > 0).astype(int)
    reference = kernel.fit_kernel(x, codes, 0.05)
    asked = np.concatenate([x, 1.5 * x, [[1e9], [-3e5]]])

    def figures():
        return reference.logits(), reference.logits(asked), reference.effective_n(asked)

    by_pairs = figures()
    monkeypatch.setattr(kernel, "ON_A_LINE_FROM", 0)
    for found, expected in zip(figures(), by_pairs, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


def test_a_kernel_that_is_asked_for_many_points_sums_by_cells(rng, monkeypatch):
    called = []
    monkeypatch.setattr(kernel, "ON_A_LINE_FROM", 300 * 300)
    sums = kernel.gaussian_sums
    monkeypatch.setattr(kernel, "gaussian_sums", lambda *at: called.append(1) or sums(*at))
    x = rng.normal(size=(300, 1))
    codes = np.arange(300) % 2
    kernel.fit_kernel(x, codes).logits(x[:299])
    kernel.fit_kernel(np.column_stack([x, x**2]), codes).logits()
    assert not called
    kernel.fit_kernel(x, codes).logits()
    assert called
