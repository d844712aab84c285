"""Sentences on data that make a comparator less trustworthy than it looks."""

from comparator_cases import BANDS, DEGENERATE


def test_the_words_name_what_is_wrong():
    def notes(band, data, alpha=0.05):
        return " ".join(BANDS[band](*DEGENERATE[data], alpha).notes)

    assert "separate" in notes("ks", "AUC 1")
    assert "no width" in notes("bootstrap", "AUC 1")
    assert "5 positives" in notes("bootstrap", "5 positives")
    assert "1 positive:" in notes("simultaneous", "1 positive")
    assert "equal" in notes("bootstrap", "all equal")
    assert "same score" in notes("ks", "heavy ties")
    assert "same score" in notes("simultaneous", "heavy ties")
    assert "no spread" in notes("working_hotelling", "equal positives")
    assert "from 0 to 1" in notes("ks", "one of each")
    assert "replicates" in notes("bootstrap", "heavy ties", 0.01)
    assert "above 0.1" in notes("simultaneous", "heavy ties", 0.3)
