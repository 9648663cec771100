"""Formats of identifiers with check digits or a fixed build.

Sources: GS1 General Specifications 7.9 (check digit), ISO 2108 (ISBN), ISO 3297 (ISSN), ISO 17442 (LEI) and others.
"""

from __future__ import annotations

import re

from schemaproof.agents.compliance_contacts import WEB
from schemaproof.agents.compliance_fault import Check, Fault


def gtin(text: str, _language: str, lengths: tuple[int, ...] = (8, 12, 13, 14)) -> Fault | None:
    """GS1 number with its check digit."""
    plain = re.sub(r"[\s-]", "", text)
    if WEB.match(plain):
        return None
    asked = " or ".join(str(length) for length in lengths)
    if not re.fullmatch(r"\d+", plain, re.ASCII):
        return Fault("not-a-gtin", f"is not a number of {asked} digits")
    if len(plain) not in lengths:
        return Fault("gtin-length", f"has {len(plain)} digits; {asked} are asked")
    if not plain.strip("0"):
        return Fault("placeholder", "is a number that stands for none")
    if gs1_digit(plain[:-1]) != plain[-1]:
        return Fault("gtin-check-digit", f"has a wrong check digit: {plain[-1]} instead of {gs1_digit(plain[:-1])}")
    return None


def gs1_digit(body: str) -> str:
    """Check digit of a GS1 number without it (weights 3, 1, 3... from the right)."""
    total = sum(int(char) * (3 if index % 2 == 0 else 1) for index, char in enumerate(reversed(body)))
    return str(-total % 10)


def isbn(text: str, language: str) -> Fault | None:
    """ISBN of 10 or 13 digits with its check digit."""
    plain = re.sub(r"(?i)^(?:urn:)?isbn(?:-1[03])?[:\s]*|[\s‐-―-]", "", text)
    if re.fullmatch(r"\d{9}[\dXx]", plain, re.ASCII):
        total = sum((10 if char in "Xx" else int(char)) * (10 - index) for index, char in enumerate(plain))
        return Fault("isbn-check-digit", "has a wrong check digit", probability=0.15) if total % 11 else None
    if re.fullmatch(r"97[89]\d{10}", plain, re.ASCII):
        good = gs1_digit(plain[:-1]) == plain[-1]
        return (
            None
            if good
            else Fault("isbn-check-digit", "has a wrong check digit", plain[:-1] + gs1_digit(plain[:-1]), 0.15)
        )
    return Fault("not-an-isbn", "is not an ISBN of 10 or 13 digits")


def issn(text: str, _language: str) -> Fault | None:
    """ISSN: eight digits, the last a check digit."""
    written = re.sub(r"(?i)^issn[:\s]*|\s", "", text)
    plain = re.sub(r"[‐-―-]", "", written)
    if not re.fullmatch(r"\d{4}[‐-―-]?\d{3}[\dXx]", written, re.ASCII):
        return Fault("not-an-issn", "is not an ISSN of eight digits")
    total = sum((10 if char in "Xx" else int(char)) * (8 - index) for index, char in enumerate(plain))
    return Fault("issn-check-digit", "has a wrong check digit", probability=0.15) if total % 11 else None


def pattern(rule: str, asked: str, expression: str) -> Check:
    compiled = re.compile(expression)

    def check(text: str, _language: str) -> Fault | None:
        return None if compiled.fullmatch(text.strip()) else Fault(f"not-{rule}", f"is not {asked}", probability=0.1)

    return check


def gtin_of(*lengths: int) -> Check:
    return lambda text, language: gtin(text, language, lengths)
