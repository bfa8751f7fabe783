"""What triton_spec raises: texts, attributes, pickles, and how engine errors become exceptions."""

import copy
import pickle

import pytest

import triton_spec
from triton_spec import _spec, errors

CLASSES = [value for value in vars(errors).values()
           if isinstance(value, type) and issubclass(value, errors.SpecError)]

FINDING = {"severity": "error", "code": "redundant", "where": "/v/a.py", "message": "same as the trunk's",
           "mend": "remove it"}


@pytest.mark.parametrize("kind", CLASSES)
def test_class_is_exported_by_package_and_extension(kind):
    assert getattr(triton_spec, kind.__name__) is kind is getattr(_spec, kind.__name__)
    assert kind.__name__ in triton_spec.__all__


def test_codes_tell_the_classes_apart():
    assert len({kind.code for kind in CLASSES}) == len(CLASSES) == 7


def test_text_has_place_mend_and_findings():
    error = errors.SpecRefused("the overlay is refused", "/v", "see below", findings=[FINDING])
    assert str(error) == ("the overlay is refused\n  at: /v\n  mend: see below\n"
                          "  error[redundant]: same as the trunk's\n    at: /v/a.py\n    mend: remove it")


def test_text_of_many_findings_ends():
    error = errors.SpecRefused("no", findings=[FINDING] * 25)
    assert str(error).count("redundant") == 10 and str(error).endswith("and 15 more findings")


def test_text_leaves_out_what_is_not_known():
    assert str(errors.SpecError("what")) == "what"


@pytest.mark.parametrize("kind", CLASSES)
@pytest.mark.parametrize("again", [lambda error: pickle.loads(pickle.dumps(error)), copy.copy],
                         ids=["pickle", "copy"])
def test_error_survives(kind, again):
    error = kind("what", "a.py:3", "mend", code="other", findings=[FINDING])
    if isinstance(error, ImportError):
        error.name, error.path = "triton.spec.acme.triton", "a.py"
    twin = again(error)
    assert type(twin) is kind and str(twin) == str(error) and twin.args == error.args
    assert vars(twin) == vars(error) and twin.code == "other" and twin.findings == [FINDING]
    if isinstance(error, ImportError):
        assert (twin.name, twin.path) == ("triton.spec.acme.triton", "a.py")
