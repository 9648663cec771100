"""From the names of agents, a policy and a SPEC to the judges that answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from schemaproof.agents.verdict import Finding, Verdict
from schemaproof.errors import SpecError
from schemaproof.markup.model import Graph
from schemaproof.pipeline.curation import AGENTS, ComplianceJudge, FactualityJudge, Judges
from schemaproof.pipeline.specs import parse_spec

if TYPE_CHECKING:
    from schemaproof.agents.validity import Policy
    from schemaproof.vocabulary import Vocabulary


class TableValidity:
    """The validity agent: look-ups in the vocabulary's table under a policy."""

    def __init__(self, vocabulary: Vocabulary, policy: Policy) -> None:
        self.vocabulary = vocabulary
        self.policy = policy

    def __call__(self, graph: Graph) -> tuple[Sequence[Verdict], Sequence[Finding]]:
        """See `agents.validity.judge_validity`."""
        from schemaproof.agents.validity import judge_validity

        result = judge_validity(graph, self.vocabulary, self.policy)
        return result.verdicts, result.findings


def parse_agents(text: str | None, *, default: Sequence[str] = AGENTS) -> tuple[str, ...]:
    """The agents that a comma-separated list names, in the order they run.

    Raises: SpecError for a name that is none.
    """
    if text is None:
        return tuple(default)
    names = {part.strip() for part in text.split(",") if part.strip()}
    unknown = sorted(names - set(AGENTS))
    if unknown or not names:
        raise SpecError(f"no agent is called {', '.join(unknown) or 'nothing'}; there are {', '.join(AGENTS)}")
    return tuple(name for name in AGENTS if name in names)


def build_judges(vocabulary: Vocabulary, agents: Sequence[str], policy: str, judge: str = "embedded") -> Judges:
    """The judges for these agents.

    Arguments:
        vocabulary: what validity and the embedded judges look terms up in.
        agents: names of the agents that run.
        policy: name of the validity agent's policy.
        judge: SPEC of what answers for factuality and compliance.

    Raises: SpecError for a SPEC that cannot judge, InputError for an unknown policy.
    """
    from schemaproof.agents.validity import policy as named_policy

    validity = TableValidity(vocabulary, named_policy(policy)) if "validity" in agents else None
    spec = parse_spec(judge)
    if spec.kind == "files":
        raise SpecError("files/FOLDER is a contender, it cannot judge")
    factuality: FactualityJudge | None = None
    compliance: ComplianceJudge | None = None
    if spec.kind != "embedded":
        from schemaproof.pipeline.model_judges import build_model_judges

        factuality, compliance = build_model_judges(vocabulary, spec)
    else:
        from schemaproof.agents.compliance import EmbeddedCompliance
        from schemaproof.agents.factuality import EmbeddedFactuality

        factuality, compliance = EmbeddedFactuality(vocabulary), EmbeddedCompliance(vocabulary)
    return Judges(
        validity, factuality if "factuality" in agents else None, compliance if "compliance" in agents else None
    )
