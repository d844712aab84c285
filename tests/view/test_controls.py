"""Positions of the controls, and which labels a band is for."""

import pytest

from conformal_roc_widget.view.controls import Controls, band_labels


def test_a_band_is_for_its_labels_in_the_order_in_which_they_are_named():
    assert [band_labels(band) for band in ("sensitivity", "specificity", "both")] == [
        (1,),
        (0,),
        (1, 0),
    ]


def test_an_ideal_models_curve_is_a_band_over_the_false_positive_rate():
    assert band_labels("ideal") == (1,)


@pytest.mark.parametrize("band", ["vertical", "", None, 1])
def test_another_band_is_refused_by_name(band):
    with pytest.raises(ValueError, match=r"^band: found .*, expected one of 'sensitivity'"):
        band_labels(band)


def test_controls_start_where_the_widget_does():
    assert Controls() == (0.05, 0.5, "sensitivity", None, "size", "roc", None, None, None, None)
