"""The paper's own numbers, as printed. Cells are text, so that the digits printed are known.

Source: "LLM4Schema.org: Generating Schema.org Markups With Large Language Models", Tables 1 to 4 and 6 to 9,
section 4.5, Appendices E and H.
"""

from __future__ import annotations

STAGES = ("Input", "Valid", "Fact", "Comp")

# Tables 1 and 3: statements of the agents' ground truth.
GROUND_TRUTH_SIZES = {
    "factuality_intrinsic": {"Positive": "785", "Negative": "498", "Total": "1283"},
    "factuality_extrinsic": {"Positive": "785", "Negative": "630", "Total": "1415"},
    "compliance": {"Positive": "785", "Negative": "147", "Total": "932"},
}

# Tables 2 and 4. Table 4's precision is printed 0.9, as a program drops zeros; all others have three digits.
AGENTS = {
    "factuality_intrinsic": {"Precision": "0.866", "Recall": "0.938", "F1": "0.901"},
    "factuality_extrinsic": {"Precision": "0.945", "Recall": "0.945", "F1": "0.945"},
    "compliance": {"Precision": "0.900", "Recall": "0.914", "F1": "0.907"},
}

# Table 6: property-value pairs (min, mean, max), distinct properties, distinct types, document size in kB.
PAGES: dict[tuple[str, str], dict[str, str]] = {
    ("count_sum", "Low"): {
        "PV min": "4", "PV mean": "27", "PV max": "193", "DP": "155", "DT": "26",
        "DS min": "2", "DS mean": "23", "DS max": "78",
    },
    ("count_sum", "Medium"): {
        "PV min": "4", "PV mean": "41", "PV max": "598", "DP": "131", "DT": "16",
        "DS min": "0.2", "DS mean": "13", "DS max": "45",
    },
    ("count_sum", "High"): {
        "PV min": "3", "PV mean": "85", "PV max": "924", "DP": "180", "DT": "19",
        "DS min": "2", "DS mean": "22", "DS max": "84",
    },
    ("pset_length", "Low"): {
        "PV min": "1", "PV mean": "75", "PV max": "1600", "DP": "109", "DT": "25",
        "DS min": "2.5", "DS mean": "20", "DS max": "214",
    },
    ("pset_length", "Medium"): {
        "PV min": "8", "PV mean": "28", "PV max": "168", "DP": "97", "DT": "20",
        "DS min": "1.5", "DS mean": "19", "DS max": "73",
    },
    ("pset_length", "High"): {
        "PV min": "15", "PV mean": "68", "PV max": "1000", "DP": "147", "DT": "20",
        "DS min": "2", "DS mean": "17", "DS max": "53",
    },
    ("", "Overall"): {
        "PV min": "1", "PV mean": "53", "PV max": "1600", "DP": "364", "DT": "78",
        "DS min": "0.2", "DS mean": "19", "DS max": "214",
    },
}  # fmt: skip

# Table 7: statements after each stage, rejection rate in percent, MeMR of human and model.
PIPELINE: dict[str, dict[str, str]] = {
    "human": {"Input": "5690", "Valid": "4875", "Fact": "3315", "Comp": "2719", "RR": "52.2"},
    "gpt3": {
        "Input": "4190", "Valid": "3369", "Fact": "2489", "Comp": "2055", "RR": "50.9", "h": "0.687", "l": "0.585",
    },
    "gpt4": {
        "Input": "5260", "Valid": "4613", "Fact": "3573", "Comp": "3113", "RR": "40.8", "h": "0.568", "l": "0.707",
    },
}  # fmt: skip


def _columns(rows: dict[str, str]) -> dict[tuple[str, str], dict[str, str]]:
    """Table 8 is printed one row a stage, nine columns: three contenders by three strata."""
    cells: dict[tuple[str, str], dict[str, str]] = {}
    for row, printed in rows.items():
        values = printed.split()
        contenders = ("human", "gpt3", "gpt4") if len(values) == 9 else ("gpt3", "gpt4")
        for place, value in enumerate(values):
            key = (contenders[place // 3], ("Low", "Medium", "High")[place % 3])
            cells.setdefault(key, {})[row] = value
    return cells


# Table 8 (a) and (b): (contender, stratum) to cells.
STRATA: dict[str, dict[tuple[str, str], dict[str, str]]] = {
    "count_sum": _columns(
        {
            "Input": "910 861 1039 1293 572 401 1286 619 671",
            "Valid": "748 731 812 781 452 373 1064 592 619",
            "Fact": "463 488 602 589 245 284 819 469 513",
            "Comp": "402 346 515 549 222 256 683 441 448",
            "RR": "55 59 50 57 61 36 46 28 33",
            "h": "0.603 0.689 0.802 0.491 0.576 0.653",
            "l": "0.669 0.577 0.506 0.795 0.673 0.638",
        }
    ),
    "pset_length": _columns(
        {
            "Input": "535 740 1605 812 567 545 849 897 1605",
            "Valid": "369 687 1528 793 474 496 778 713 1528",
            "Fact": "273 457 1032 645 339 387 629 506 1032",
            "Comp": "216 373 867 381 281 366 525 444 867",
            "RR": "59 49 45 53 50 32 38 50 45",
            "h": "0.585 0.687 0.772 0.434 0.569 0.704",
            "l": "0.643 0.618 0.480 0.797 0.758 0.567",
        }
    ),
}

# Table 9: beginning of the page's id to (human, MeMR) for GPT-3.5 and GPT-4; A human, B model, T tie.
ASSESSMENT: dict[str, dict[str, str]] = {
    "0aab6": {"gpt3": "BB", "gpt4": "BB"},
    "1bce9": {"gpt3": "AB", "gpt4": "TB"},
    "21a44": {"gpt3": "BB", "gpt4": "TT"},
    "2e921": {"gpt3": "BB", "gpt4": "AB"},
    "34575": {"gpt3": "AA", "gpt4": "BB"},
    "43abb": {"gpt3": "AA", "gpt4": "TA"},
    "5acb1": {"gpt3": "AA", "gpt4": "BB"},
    "5c362": {"gpt3": "AA", "gpt4": "BB"},
    "690a9": {"gpt3": "AA", "gpt4": "AA"},
    "6b394": {"gpt3": "AA", "gpt4": "AA"},
    "759d6": {"gpt3": "BB", "gpt4": "BB"},
    "75fd9": {"gpt3": "BA", "gpt4": "BB"},
    "7bf0c": {"gpt3": "AA", "gpt4": "AA"},
    "7d7a3": {"gpt3": "AT", "gpt4": "BB"},
    "90193": {"gpt3": "TA", "gpt4": "BB"},
    "d6f28": {"gpt3": "TB", "gpt4": "BB"},
    "daffe": {"gpt3": "AA", "gpt4": "TA"},
    "e5449": {"gpt3": "TA", "gpt4": "TA"},
}
KAPPA = {"gpt3": "0.750", "gpt4": "0.895"}

# Appendix E: 36 pages; the kappa "remains nearly the same" as GPT-4's 0.895. 23 participants.
SECOND_ASSESSMENT_PEOPLE = 23

# Appendix H: Student's t over the MeMR values of short against long pages, one-sided p.
CHUNK_TEST = {"t": "0.26192", "p": "0.39673"}
