"""Small runs of the studies, with and without a file."""

from conformal_roc_widget import simulation
from conformal_roc_widget.simulation import runner, studies

SETTINGS = ("sample_size", "missing_predictor", "missing_interaction")


MODELS = {
    "sample_size": ["M1", "M2", "M3"],
    "missing_predictor": ["M1", "M2"],
    "missing_interaction": ["M1", "M2"],
}


SMALL = {"n_test": 40, "neighbors": 30}


QUIET = {"progress": False, "random_state": 7}


VALUES = {"sample_size": 90, "missing_predictor": 2.0, "missing_interaction": 1.5}


def names_in(folder):
    return [path.name for path in folder.iterdir()]


def saved(path, **changes):
    options = {"values": [90], "replicates": 6, "path": path, **SMALL, **QUIET, **changes}
    return simulation.run("sample_size", **options)


def count_measured(monkeypatch):
    seen = []
    measure = studies.measure

    def counted(study, value, *rest):
        seen.append(value)
        return measure(study, value, *rest)

    monkeypatch.setattr(studies, "measure", counted)
    return seen


def stop_after(monkeypatch, chunks, error):
    work = runner._measured
    left = iter(range(chunks))

    def stopping(*arguments):
        if next(left, None) is None:
            raise error
        return work(*arguments)

    monkeypatch.setattr(runner, "_measured", stopping)
