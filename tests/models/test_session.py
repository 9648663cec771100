from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from schemaproof.errors import BudgetError, InputError, ModelError, SpecError
from schemaproof.models import build_model
from schemaproof.models.building import set_limits
from schemaproof.models.memory import Memory, memory_path
from schemaproof.models.protocol import Ask, Message, Reply
from schemaproof.models.session import Budget, Patience, Session, TransientError
from schemaproof.models.tokens import counter, estimate, prompt_tokens
from schemaproof.pipeline.specs import parse_spec

loopback: Any = sys.modules["schemaproof_loopback"]
Said: Any = loopback.Said


def question(text: str = "Is it so?", **options: Any) -> Ask:
    return Ask((Message("system", "Say yes or no."), Message("user", text)), "factuality", max_tokens=8, **options)


def steps(*said: Any) -> Callable[[dict[str, Any], int], Any]:
    return lambda _, number: said[min(number, len(said) - 1)]


@pytest.mark.parametrize("fault", ["429", "500", "503", "cut", "invalid", "empty", "drop"])
def test_a_fault_is_met_with_another_attempt(fault: str) -> None:
    with loopback.Loopback(steps(Said(fault=fault), Said("Yes", yes=0.8))) as server:
        session = build_model(parse_spec(server.spec()))
        reply = session.ask(question(yes_no=True))
        assert reply.text == "Yes"
        assert reply.yes == pytest.approx(0.8)
        assert server.log.requests == 2
        assert (session.usage.calls, session.usage.retries) == (1, 1)


def test_retry_after_is_honoured() -> None:
    waits: list[float] = []
    with loopback.Loopback(steps(Said(fault="429", wait=7), Said("yes"))) as server:
        from schemaproof.models.openai_compatible import OpenAICompatible

        session = Session(OpenAICompatible("m", server.url), sleep=waits.append)
        assert session.ask(question()).text == "yes"
    assert waits == [7.0]


def test_pauses_grow_where_the_server_asks_for_none() -> None:
    waits: list[float] = []

    class Broken:
        name, context_tokens = "broken", 1000

        def complete(self, ask: Ask) -> Reply:
            raise TransientError("answers 500")

    session = Session(Broken(), patience=Patience(5, 1.0), sleep=waits.append)
    with pytest.raises(ModelError, match=r"broken: answers 500 \(5 attempts\)"):
        session.ask(question())
    assert [round(wait) for wait in waits] == pytest.approx([1, 2, 4, 8], abs=2.1)
    assert waits == sorted(waits)


def test_who_asks_after_the_provider_went_down_waits_no_more() -> None:
    waits: list[float] = []

    class Broken:
        name, context_tokens = "broken", 1000

        def complete(self, ask: Ask) -> Reply:
            raise TransientError("answers 500")

    session = Session(Broken(), patience=Patience(2, 1.0), sleep=waits.append)
    for text in ("a", "b"):
        with pytest.raises(ModelError):
            session.ask(question(text))
    assert len(waits) == 1


@pytest.mark.parametrize("status", ["refuse-schema", "refuse-logprobs"])
def test_what_a_server_refuses_is_left_out_from_then_on(status: str) -> None:
    with loopback.Loopback(steps(Said("yes", fault=status))) as server:
        session = build_model(parse_spec(server.spec()))
        schema = '{"type":"object"}' if status == "refuse-schema" else ""
        for text in ("one", "two", "three"):
            assert session.ask(question(text, schema=schema, yes_no=not schema)).text == "yes"
        # One refusal, then three answers.
        assert server.log.requests == 4


def test_missing_log_probabilities_leave_the_word() -> None:
    with loopback.Loopback(steps(Said("No, it is not.", yes=0.1, fault="no-logprobs"))) as server:
        reply = build_model(parse_spec(server.spec())).ask(question(yes_no=True))
        assert reply.yes is None


def test_a_slow_answer_is_given_up_and_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCHEMAPROOF_MODEL_TIMEOUT", "0.3")
    with loopback.Loopback(steps(Said(fault="slow", wait=1.0), Said("yes"))) as server:
        assert build_model(parse_spec(server.spec())).ask(question()).text == "yes"
        assert server.log.requests == 2


def test_answers_are_remembered_across_sessions() -> None:
    with loopback.Loopback(steps(Said("Yes", yes=0.7))) as server:
        session = build_model(parse_spec(server.spec()))
        first = session.ask(question(yes_no=True))
        from schemaproof.models import building

        building.forget_models()
        again = build_model(parse_spec(server.spec())).ask(question(yes_no=True))
        assert (again.text, again.yes, again.remembered) == (first.text, first.yes, True)
        assert server.log.requests == 1
    with Memory(memory_path()) as memory:
        assert [each.answers for each in memory.summary()] == [1]


def test_the_random_mark_of_a_fence_does_not_decide_the_answer() -> None:
    one = question("[page aaaa] text [end of page aaaa]", mark="aaaa")
    other = question("[page bbbb] text [end of page bbbb]", mark="bbbb")
    assert one.key("m") == other.key("m")
    assert one.key("m") != question("[page aaaa] other [end of page aaaa]", mark="aaaa").key("m")
    assert one.key("m") != one.key("n")


def test_equal_questions_in_flight_are_asked_once() -> None:
    with loopback.Loopback(steps(Said("yes", fault="slow", wait=0.2))) as server:
        session = build_model(parse_spec(server.spec()))
        replies = session.ask_all([question()] * 6)
        assert [each.text for each in replies] == ["yes"] * 6
        assert server.log.requests == 1
        assert session.usage.remembered == 5


def test_questions_at_once_stay_below_the_limit() -> None:
    set_limits(at_once=3)
    with loopback.Loopback(steps(Said("yes", fault="slow", wait=0.03))) as server:
        session = build_model(parse_spec(server.spec()))
        threads = [
            threading.Thread(target=session.ask_all, args=([question(f"{t} {n}") for n in range(6)],)) for t in range(3)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert server.log.most_at_once == 3
        assert server.log.requests == 18


def test_a_failure_among_many_loses_no_answer() -> None:
    def said(body: dict[str, Any], number: int) -> Any:
        return Said(fault="500") if "bad" in body["messages"][-1]["content"] else Said("yes")

    with loopback.Loopback(said) as server:
        session = build_model(parse_spec(server.spec()))
        asks = [question("good 1"), question("bad"), question("good 2")]
        with pytest.raises(ModelError):
            session.ask_all(asks)
        assert sum(session.remembers(ask) is not None for ask in asks) == 2


def test_the_budget_stops_before_it_is_passed() -> None:
    with loopback.Loopback(steps(Said("yes"))) as server:
        ask = question()
        each = prompt_tokens(ask, counter("x")[1]) + ask.max_tokens
        set_limits(max_tokens=3 * each)
        session = build_model(parse_spec(server.spec()))
        with pytest.raises(BudgetError, match="--max-tokens"):
            session.ask_all([question(f"Is it {number}?") for number in range(50)])
        assert session.usage.tokens <= 3 * each
        assert server.log.requests >= 2


def test_budgets_give_back_what_was_set_aside() -> None:
    budget = Budget(100)
    budget.hold(90)
    budget.settle(90, 10)
    budget.hold(90)
    with pytest.raises(BudgetError):
        budget.hold(1)


def test_a_refused_question_is_not_the_providers_end() -> None:
    class Refusing:
        name, context_tokens = "refusing", 1000

        def complete(self, ask: Ask) -> Reply:
            if "bad" in ask.messages[-1].text:
                raise InputError("refused")
            return Reply("yes")

    session = Session(Refusing())
    with pytest.raises(InputError):
        session.ask(question("bad"))
    assert session.ask(question("good")).text == "yes"


def test_keys_come_from_the_environment_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(SpecError, match="OPENAI_API_KEY"):
        build_model(parse_spec("openai/gpt-x"))


@pytest.mark.parametrize("text", ["embedded", "files/somewhere"])
def test_what_is_no_model_is_told(text: str) -> None:
    with pytest.raises(SpecError, match="names no model"):
        build_model(parse_spec(text))


def test_prompt_tokens_are_within_five_percent_of_the_servers() -> None:
    text = "The lantern costs 48.50 euros and is in stock. " * 40
    with loopback.Loopback(steps(Said("yes"))) as server:
        session = build_model(parse_spec(server.spec()))
        ask = question(text)
        expected = prompt_tokens(ask, session.count)
        reply = session.ask(ask)
        assert reply.prompt_tokens == server.log.prompt_tokens
        assert abs(expected - reply.prompt_tokens) <= 0.05 * reply.prompt_tokens


def test_special_tokens_in_a_page_are_plain_text() -> None:
    assert counter("gpt-4o")[1]("<|endoftext|>") > 1


def test_the_estimate_is_of_the_right_size() -> None:
    pytest.importorskip("bpe_openai")
    text = "A sentence as it stands on many pages, with words of usual length. " * 20
    assert 0.6 < estimate(text) / counter("gpt-4o")[1](text) < 1.7


def test_a_broken_memory_is_told(tmp_path: Path) -> None:
    from schemaproof.errors import StoreError

    path = tmp_path / "answers.db"
    path.write_bytes(b"this is no database, and longer than a header of one would be" * 20)
    with pytest.raises(StoreError, match="cannot be used"):
        Memory(path)


def test_openai_and_ollama_are_found_by_their_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    with loopback.Loopback(steps(Said("yes"))) as server:
        monkeypatch.setenv("OPENAI_API_KEY", "not-a-secret")
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OLLAMA_HOST", server.url.removeprefix("http://").removesuffix("/v1"))
        for text in ("openai/gpt-x", "ollama/llama-x"):
            session = build_model(parse_spec(text))
            assert session.name == text
            assert session.ask(question()).text == "yes"
        assert [body["model"] for body in server.log.asked] == ["gpt-x", "llama-x"]


@pytest.mark.parametrize("text", ["ollama/x?context=12", "ollama/x?context=many"])
def test_an_unusable_context_is_told(text: str) -> None:
    with pytest.raises(SpecError, match="context is a number of tokens"):
        build_model(parse_spec(text))


def test_newer_models_that_take_no_temperature_are_asked_without() -> None:
    def said(body: dict[str, Any], _: int) -> Any:
        for name in ("max_tokens", "temperature"):
            if name in body:
                return Said(f"Unsupported parameter: '{name}'", fault="400")
        return Said("yes")

    with loopback.Loopback(said) as server:
        session = build_model(parse_spec(server.spec()))
        assert session.ask(question()).text == "yes"
        assert session.ask(question("again")).text == "yes"
        assert server.log.requests == 4
        assert server.log.asked[-1]["max_completion_tokens"] == 8


def test_a_key_that_is_refused_is_told_at_once() -> None:
    with loopback.Loopback(steps(Said("no such key", fault="401"))) as server:
        with pytest.raises(ModelError, match=r"answers 401: .*no such key"):
            build_model(parse_spec(server.spec())).ask(question())
        assert server.log.requests == 1


def test_a_prompt_that_is_too_long_is_one_question_lost() -> None:
    with loopback.Loopback(steps(Said("maximum context length is 4096 tokens", fault="400"), Said("yes"))) as server:
        session = build_model(parse_spec(server.spec()))
        with pytest.raises(InputError, match="refuses the question with 400"):
            session.ask(question())
        assert session.ask(question("shorter")).text == "yes"


def test_the_tokenizer_may_be_named() -> None:
    text = "Merhaba dünya, bugün hava çok güzel. " * 30
    with loopback.Loopback(steps(Said("yes"))) as server:
        session = build_model(parse_spec(server.spec("tokenizer=cl100k_base")))
        ask = question(text)
        reply = session.ask(ask)
        assert abs(prompt_tokens(ask, session.count) - reply.prompt_tokens) <= 0.05 * reply.prompt_tokens
    with pytest.raises(SpecError, match="tokenizer is one of"):
        build_model(parse_spec("ollama/x?tokenizer=words"))


def test_one_question_without_an_answer_does_not_make_the_provider_down() -> None:
    def answer(body: dict[str, Any], number: int) -> Any:
        return Said(fault="empty") if "unspeakable" in str(body["messages"]) else Said("yes")

    with loopback.Loopback(answer) as server:
        from schemaproof.models.openai_compatible import OpenAICompatible

        session = Session(OpenAICompatible("m", server.url), sleep=lambda _: None)
        with pytest.raises(InputError, match="empty answer"):
            session.ask(question("unspeakable"))
        assert session.ask(question()).text == "yes"


def test_a_provider_that_never_says_anything_is_down() -> None:
    with loopback.Loopback(steps(Said(fault="empty"))) as server:
        from schemaproof.models.openai_compatible import OpenAICompatible

        session = Session(OpenAICompatible("m", server.url), sleep=lambda _: None)
        for number in range(3):
            with pytest.raises(InputError):
                session.ask(question(str(number)))
        with pytest.raises(ModelError):
            session.ask(question("last"))


def test_a_refused_schema_is_left_out_for_itself_alone() -> None:
    def answer(body: dict[str, Any], number: int) -> Any:
        wanted = str(body.get("response_format", ""))
        return Said(fault="refuse-schema") if "odd" in wanted else Said("{}")

    with loopback.Loopback(answer) as server:
        session = build_model(parse_spec(server.spec()))
        session.ask(question("1", schema='{"title": "odd"}'))
        session.ask(question("2", schema='{"title": "plain"}'))
        session.ask(question("3", schema='{"title": "odd"}'))
        sent = ["response_format" in body for body in server.log.asked]
    assert sent == [True, False, True, False]
