"""The plan of a run: everything its numbers depend on but the pages."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from schemaproof import __version__
from schemaproof.errors import SpecError
from schemaproof.pipeline.curation import AGENTS
from schemaproof.pipeline.specs import Spec, parse_contender, parse_spec
from schemaproof.scoring.signature import signature

DEFAULT_CONTENDERS = ("extractor=embedded",)
EMBEDDED_KINDS = ("embedded", "files")


@dataclass(frozen=True, slots=True)
class Plan:
    """What is done with each page.

    Attributes:
        contenders: (name, SPEC) of those that stand beside the human.
        judge: SPEC of what answers for factuality and compliance.
        agents: names of the agents that run.
        policy: name of the validity agent's policy.
        types: root types given by the user; () for those of the human markup.
        vocabulary: path of another vocabulary, or None for the packaged one.
        release: name of the vocabulary's release, for the signature.
        page_seconds: a page that takes longer is given up with an error; 0 for no limit.
    """

    contenders: tuple[tuple[str, str], ...] = ()
    judge: str = "embedded"
    agents: tuple[str, ...] = AGENTS
    policy: str = "schema.org"
    types: tuple[str, ...] = ()
    vocabulary: str | None = None
    release: str = ""
    page_seconds: float = 300.0

    @property
    def specs(self) -> tuple[tuple[str, Spec], ...]:
        """The contenders' SPECs taken apart."""
        return tuple((name, parse_spec(text)) for name, text in self.contenders)

    @property
    def uses_model(self) -> bool:
        """Whether anything in it asks a model: then pages are worked on by threads, not processes."""
        kinds = [spec.kind for _, spec in self.specs] + [parse_spec(self.judge).kind]
        return any(kind not in EMBEDDED_KINDS for kind in kinds)

    def signature(self) -> str:
        """The signature line of everything that decides a page's results."""
        parts: dict[str, Any] = {
            "schemaproof": __version__,
            "vocabulary": self.release,
            "policy": self.policy,
            "agents": list(self.agents),
            "judge": self.judge,
            "contenders": dict(self.contenders),
            "types": list(self.types) or "human",
        }
        return signature(parts)

    def digest(self, data: bytes, page_id: str) -> str:
        """sha256 of a page's bytes and of what files contenders hold for it: the same digest, the same result."""
        key = sha256(data)
        for name, spec in self.specs:
            if spec.kind == "files":
                for path in contender_files(Path(spec.target), page_id):
                    key.update(f"\0{name}\0".encode() + os.fsencode(path.name) + b"\0")
                    with suppress(OSError):  # told where it is read: it costs this page's markup, not the run
                        key.update(path.read_bytes())
        return key.hexdigest()


def make_plan(
    contenders: tuple[str, ...] = (),
    *,
    judge: str = "embedded",
    agents: tuple[str, ...] = AGENTS,
    policy: str = "schema.org",
    types: tuple[str, ...] = (),
    vocabulary: str | None = None,
    page_seconds: float = 300.0,
) -> Plan:
    """A plan from what the user gave, checked.

    Arguments: as the attributes of `Plan`; contenders as NAME=SPEC, none for the embedded extractor.

    Raises: SpecError for an unusable SPEC or two contenders of one name, InputError for an unknown policy or
        vocabulary file, VocabularyError for a type that is not in the vocabulary.
    """
    from schemaproof.agents.validity import policy as named_policy
    from schemaproof.errors import VocabularyError
    from schemaproof.vocabulary import load

    named: dict[str, str] = {}
    for text in contenders or DEFAULT_CONTENDERS:
        name, spec = parse_contender(text)
        if name in named:
            raise SpecError(f"two contenders are called {name!r}; name them: NAME=SPEC")
        if spec.kind == "files" and not Path(spec.target).is_dir():
            raise SpecError(f"{spec.text!r}: there is no folder {spec.target}")
        if spec.kind == "cascade":
            raise SpecError(f"{spec.text!r}: a cascade judges, it cannot write markup")
        named[name] = spec.text
    parse_spec(judge)
    named_policy(policy)
    known = load(vocabulary)
    for each in types:
        if each not in known.types:
            near = known.nearest_type(each)
            raise VocabularyError(f"{known.release} has no type {each!r}" + (f"; did you mean {near}?" if near else ""))
    release = known.release
    if vocabulary is not None:
        # Files of one release, or of none, may say different things.
        release = f"{release or 'file'}#{sha256(Path(vocabulary).read_bytes()).hexdigest()[:12]}"
    return Plan(tuple(named.items()), judge, tuple(agents), policy, tuple(types), vocabulary, release, page_seconds)


def contender_files(folder: Path, page_id: str) -> list[Path]:
    """The files that a folder holds for a page: ID.jsonld, or one a unit as ID_Type1_Type2.jsonld."""
    exact = folder / f"{page_id}.jsonld"
    if not page_id or "/" in page_id or "\\" in page_id:
        return []
    prefix = f"{page_id}_"
    try:
        if exact.is_file():
            return [exact]
        found = [path for path in folder.glob("*.jsonld") if path.name.startswith(prefix)]
        return sorted(path for path in found if path.is_file())
    except (OSError, ValueError):  # an id that no file can be called by
        return []
