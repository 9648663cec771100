"""Bounds of a forecast hold for judges that answer at random, and meet where no answer decides what is asked next."""

from __future__ import annotations

import hashlib
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from schemaproof.models import building
from schemaproof.models.memory import Memory
from schemaproof.models.prices import Price, price_of
from schemaproof.models.protocol import Ask, Reply
from schemaproof.models.session import Session
from schemaproof.pipeline.forecast import Forecast, forecast
from schemaproof.pipeline.plan import Plan, make_plan
from schemaproof.pipeline.work import make_bench, work
from schemaproof.sources.model import PageSource

MARKUP = {
    "@context": "https://schema.org",
    "@type": "Product",
    "name": "Lantern No. 4",
    "sku": "LN-4",
    "color": "red",
    "releaseDate": "2024-05-03",
    "keywords": [f"word {n}" for n in range(20)],
    "offers": {"@type": "Offer", "price": "48.50", "priceCurrency": "EUR"},
}
FILLER = "".join(f"<p>Words about other things, number {n}, that fill the page.</p>" for n in range(120))


def page(number: int, filler: str = "") -> PageSource:
    markup = {**MARKUP, "sku": f"LN-{number}"}
    html = (
        f"<html lang=en><title>Lantern</title><h1>Lantern No. 4</h1>{filler}"
        f"<p>LN-{number}, red, 48.50 EUR, 3 May 2024</p>"
        f'<script type="application/ld+json">{json.dumps(markup)}</script>'
    )
    return PageSource(f"p{number}", html.encode(), id=f"p{number}")


class Moody:
    """A provider that answers anything: what, is decided by the question and a seed."""

    def __init__(self, seed: int, context_tokens: int) -> None:
        self.name = "http://127.0.0.1:9/v1#moody"
        self.context_tokens = context_tokens
        self.seed = seed

    def complete(self, ask: Ask) -> Reply:
        text = "".join(each.text.replace(ask.mark, "") if ask.mark else each.text for each in ask.messages)
        chance = random.Random(hashlib.sha256(f"{self.seed}{text}".encode()).hexdigest())
        if ask.yes_no:
            return Reply(chance.choice(["yes", "no", "yes", "no", "well"]))
        if ask.purpose == "generation":
            return Reply(
                chance.choice([json.dumps(MARKUP), "no JSON", '{"@type": "Product"}', '{"@type": "Product", "na'])
            )
        if ask.purpose == "types":
            return Reply(chance.choice(['{"types": ["Product"]}', "nothing", '{"types": ["Recipe", "Event"]}']))
        numbers = re.findall(r"^(\d+)\. ", ask.messages[-1].text, re.MULTILINE)
        words = (
            ["fits", "does not fit"] if ask.purpose == "compliance" else ["supported", "unsupported", "contradicted"]
        )
        answers = [{"n": int(n), "verdict": chance.choice(words), "quote": "Lantern No. 4"} for n in numbers]
        return Reply(json.dumps({"answers": answers[: chance.choice([len(answers), len(answers), 1])]}))


@pytest.fixture(autouse=True)
def own_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("SCHEMAPROOF_CACHE", str(tmp_path / "cache"))
    building.forget_models()
    yield
    building.forget_models()


def set_up(monkeypatch: pytest.MonkeyPatch, seed: int, context: int, memory: Path) -> Session:
    session = Session(Moody(seed, context), Memory(memory), at_once=1)
    monkeypatch.setattr("schemaproof.models.building.build_model", lambda _: session)
    return session


def plan(judge: str, *contenders: str, agents: tuple[str, ...] = ("validity", "factuality", "compliance")) -> Plan:
    return make_plan(contenders, judge=judge, agents=agents)


SPEC = "http://127.0.0.1:9/v1#moody"
PLANS = {
    "one-pair": (f"{SPEC}?mode=one-pair",),
    "batched": (f"{SPEC}?mode=batched",),
    "cascade": (f"cascade:{SPEC}",),
    "cascade one-pair": (f"cascade:{SPEC}?mode=one-pair",),
    "contender": ("embedded", f"m={SPEC}?prompt=bare"),
    "contender that names types": ("embedded", f"m={SPEC}?prompt=bare&types=auto"),
    "judge and contender": (f"{SPEC}?mode=batched", f"m={SPEC}?prompt=bare"),
}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("context", [700, 8000])
@pytest.mark.parametrize("name", PLANS)
def test_bounds_hold(name: str, context: int, seed: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    session = set_up(monkeypatch, seed, context, tmp_path / "answers.db")
    chosen = plan(*PLANS[name])
    pages = [page(number, FILLER) for number in range(2)]
    told = forecast(pages, chosen)
    assert session.usage.calls == 0
    bench = make_bench(chosen)
    for each in pages:
        assert work(each, "", bench).error is None
    assert told.low.calls <= session.usage.calls <= told.high.calls
    assert told.low.prompt_tokens <= session.usage.prompt_tokens <= told.high.prompt_tokens
    again = forecast(pages, chosen)
    assert again.low.calls == 0


@pytest.mark.parametrize("mode", ["one-pair"])
@pytest.mark.parametrize("agents", [("validity", "factuality"), ("validity", "compliance")])
def test_bounds_meet_where_no_answer_decides(
    mode: str, agents: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    session = set_up(monkeypatch, 1, 8000, tmp_path / "answers.db")
    chosen = plan(f"{SPEC}?mode={mode}", agents=agents)
    told = forecast([page(1)], chosen)
    assert work(page(1), "", make_bench(chosen)).error is None
    assert told.low.calls == told.high.calls == session.usage.calls
    assert told.low.prompt_tokens == told.high.prompt_tokens == session.usage.prompt_tokens


def test_what_is_remembered_is_counted_apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    set_up(monkeypatch, 1, 8000, tmp_path / "answers.db")
    chosen = plan(f"{SPEC}?mode=one-pair", agents=("validity", "compliance"))
    work(page(1), "", make_bench(chosen))
    told = forecast([page(1), page(2)], chosen)
    assert told.low.remembered > 0
    assert told.low.calls == told.high.calls > 0
    share = told.as_dict()["remembered_share"]
    assert 0 < share < 1


def test_pages_that_cannot_be_opened_are_counted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    set_up(monkeypatch, 1, 8000, tmp_path / "answers.db")
    told = forecast([PageSource("x", None, error="gone")], plan(SPEC))
    assert (told.pages, told.failed, told.high.calls) == (1, 1, 0)


def test_cost_comes_from_the_users_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = tmp_path / "prices.toml"
    table.write_text('["openai/x"]\ninput = 2.0\noutput = 8.0\n')
    monkeypatch.setenv("SCHEMAPROOF_PRICES", str(table))
    assert price_of("openai/x") == Price(2.0, 8.0)
    assert price_of("openai/y") is None
    assert price_of("ollama/z") == Price(0.0, 0.0)
    told = Forecast(models=("openai/x",), prices={"openai/x": Price(2.0, 8.0)})
    told.low.prompt_tokens, told.high.prompt_tokens, told.high.completion_tokens = 1_000_000, 2_000_000, 500_000
    assert told.cost() == (2.0, 8.0)
    assert Forecast(models=("openai/y",)).cost() is None


def test_a_broken_table_of_prices_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from schemaproof.errors import InputError

    table = tmp_path / "prices.toml"
    table.write_text('["openai/x"]\ninput = "much"\n')
    monkeypatch.setenv("SCHEMAPROOF_PRICES", str(table))
    with pytest.raises(InputError, match="no table of prices"):
        price_of("openai/x")


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("judge", ["embedded", f"{SPEC}?mode=batched"])
def test_a_page_without_markup_gets_the_types_that_a_model_names(
    judge: str, seed: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    session = set_up(monkeypatch, seed, 8000, tmp_path / "answers.db")
    source = PageSource("p", b"<html lang=en><title>Lantern</title><h1>Lantern No. 4</h1><p>48.50 EUR</p>", id="p")
    chosen = plan(judge, f"m={SPEC}?prompt=bare&types=auto", "x=embedded")
    told = forecast([source], chosen)
    result = work(source, "", make_bench(chosen))
    assert result.error is None
    assert told.low.calls <= session.usage.calls <= told.high.calls
    assert told.low.prompt_tokens <= session.usage.prompt_tokens <= told.high.prompt_tokens
    for unit in result.units:
        assert {markup.contender for markup in unit.markups} == {"human", "m", "x"}
        assert unit.markups[0].counts["input"] == 0
    if session.usage.by_purpose.get("generation"):
        assert result.units
