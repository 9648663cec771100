from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemaproof.agents.compliance_identifiers import gs1_digit, gtin, isbn, issn


@given(st.sampled_from([7, 11, 12, 13]), st.integers(min_value=0).filter(lambda number: number % 10**7 > 0))
def test_every_single_wrong_digit_is_found(length: int, number: int) -> None:
    body = str(number % 10**length).zfill(length)
    right = body + gs1_digit(body)
    assert gtin(right, "") is None
    for place in (0, length // 2, length):
        wrong = right[:place] + str((int(right[place]) + 1) % 10) + right[place + 1 :]
        fault = gtin(wrong, "")
        assert fault is not None
        assert fault.rule == "gtin-check-digit"


def test_a_number_of_zeros_stands_for_none() -> None:
    fault = gtin("0000000000000", "")
    assert fault is not None
    assert fault.rule == "placeholder"


@pytest.mark.parametrize("text", ["2050-084X", "ISSN 0378-5955", "03785955"])
def test_issn(text: str) -> None:
    # the first is of our own making: 2·8+0·7+5·6+0·5+0·4+8·3+4·2 = 78, and 78 + 10 is 8 · 11
    assert issn(text, "") is None


@pytest.mark.parametrize("text", ["0378-5956", "0378-595", "journal"])
def test_wrong_issn(text: str) -> None:
    assert issn(text, "") is not None


@given(st.integers(min_value=0, max_value=10**9 - 1))
def test_isbn_10_with_its_check_digit(number: int) -> None:
    body = str(number).zfill(9)
    total = sum(int(char) * (10 - index) for index, char in enumerate(body))
    check = "0123456789X"[-total % 11]
    assert isbn(body + check, "") is None
    assert isbn(body + "0123456789X"[(-total + 1) % 11], "") is not None
    assert isbn(f"ISBN {body[:1]}-{body[1:4]}-{body[4:]}-{check}", "") is None


def test_non_ascii_digits_are_no_identifier() -> None:
    assert gtin("٤٠٠٦٣٨١٣٣٣٩٣١", "") is not None
