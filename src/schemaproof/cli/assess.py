"""`schemaproof assess`: plan, serve, agree."""

from __future__ import annotations

from typing import Any

import click

from schemaproof.cli.output import print_json, table
from schemaproof.wording import counted


@click.group()
def assess() -> None:
    """Blind human assessment of markups."""


@assess.command()
@click.argument("run_file", metavar="RUN.db")
@click.option("-o", "--output", default="assessment.db", show_default=True, metavar="FILE.db", help="The assessment.")
@click.option("--assessors", type=click.IntRange(min=1), metavar="N", help="So many assessors, named 1 to N.")
@click.option("--assessor", "names", multiple=True, metavar="NAME", help="An assessor by name. Repeatable.")
@click.option("--items", type=click.IntRange(min=0), default=40, show_default=True, help="Comparisons drawn; 0: all.")
@click.option("--pair", "pairs", multiple=True, metavar="A:B", help="Contenders compared (default: human with each).")
@click.option("--votes", type=click.IntRange(min=0), default=0, show_default="all assessors", help="Votes an item.")
@click.option(
    "--repeats",
    type=click.FloatRange(0, 0.5),
    default=0.1,
    show_default=True,
    help="Share of items shown again with sides exchanged.",
)
@click.option(
    "--markup",
    type=click.Choice(["curated", "input"]),
    default="curated",
    show_default=True,
    help="What is shown: kept statements, or all.",
)
@click.option("--training/--no-training", default=True, show_default=True, help="An example first.")
@click.option("--strata", metavar="FILE", help="Stratum of each page (default: by language).")
@click.option("--base", default="http://127.0.0.1:8350", show_default=True, metavar="URL", help="Start of the links.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of all that is drawn.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def plan(**options: Any) -> None:
    """Draw pages and pairs, and write one personal link per assessor."""
    from schemaproof.assessment.ballot import Ballot
    from schemaproof.assessment.plan import Wish, make_plan, pairs_of_names
    from schemaproof.errors import InputError
    from schemaproof.pipeline.run import report_of
    from schemaproof.pipeline.store import Store
    from schemaproof.reporting.writing import read_strata

    names = options["names"] or tuple(str(number) for number in range(1, (options["assessors"] or 0) + 1))
    if not names:
        raise InputError("say who assesses: --assessors 5, or --assessor NAME for each")
    strata = read_strata(options["strata"]) if options["strata"] else None
    with Store(options["run_file"], must_exist=True) as store:
        pairs = pairs_of_names(options["pairs"], report_of(store).names) if options["pairs"] else ()
        wish = Wish(
            names, options["items"], pairs, options["votes"], options["repeats"], options["markup"],
            options["training"], options["seed"],
        )  # fmt: skip
        drawn = make_plan(store, wish, strata)
    with Ballot.create(options["output"], drawn):
        pass
    links = {name: f"{options['base'].rstrip('/')}/a/{token}" for name, token in drawn.assessors.items()}
    if options["as_json"]:
        print_json(
            {
                "schema_version": 1,
                "output": options["output"],
                "settings": drawn.settings,
                "left_out": drawn.left_out,
                "links": links,
            }
        )
        return
    rows = [["assessor", "tasks", "link"]]
    rows += [[name, str(len(drawn.tasks[name])), link] for name, link in links.items()]
    click.echo(table(rows, right={1}))
    left_out = "".join(f"; left out: {number} ({why})" for why, number in drawn.left_out.items())
    click.echo(f"{drawn.settings['items']} of {counted(drawn.settings['of'], 'comparison')} drawn{left_out}", err=True)
    click.echo(f"Start the page with: schemaproof assess serve {options['output']}", err=True)


@assess.command()
@click.argument("file", metavar="FILE.db")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8350, show_default=True, help="Port.")
@click.option(
    "--name", "hosts", multiple=True, metavar="HOST", help="Name under which others reach the server. Repeatable."
)
def serve(file: str, host: str, port: int, hosts: tuple[str, ...]) -> None:
    """Serve the assessment page; every vote is stored at once.

    Only this machine can reach it unless --host says otherwise; then too, every page needs an assessor's personal link.
    """
    from schemaproof.assessment.ballot import Ballot
    from schemaproof.assessment.server import serve as listen

    local = ("127.0.0.1", "localhost", "[::1]")
    names = (*local, host, *hosts)
    if host in ("0.0.0.0", "::") and not hosts:
        names = ("*",)
    with Ballot(file) as ballot:

        def ready() -> None:
            for name, token in ballot.links():
                click.echo(f"{name}: http://{host}:{port}/a/{token}", err=True)
            if host not in local:
                click.echo("Others can reach this server; whoever has a link can vote with it.", err=True)

        listen(ballot, host, port, names, ready)


@assess.command()
@click.argument("file", metavar="FILE")
@click.option("--export", "target", metavar="FILE", help="Write the votes: .csv, .jsonl or .parquet.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the bootstrap.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def agree(file: str, target: str | None, seed: int, as_json: bool) -> None:
    """How far people agree with each other, with themselves and with MeMR.

    FILE is an assessment, or a JSON list of pages with recorded votes ({"id", "votes": {"Markup A": n, "Markup B": n,
    "Tie": n}, "memr"}).
    """
    from pathlib import Path

    from schemaproof.assessment.agreement import agree as evaluate
    from schemaproof.assessment.ballot import Ballot
    from schemaproof.assessment.votes import export, recorded
    from schemaproof.errors import InputError

    if Path(file).suffix.lower() == ".json":
        if target is not None:
            raise InputError("recorded votes have no single votes to export", source=file)
        result, problems = recorded(Path(file), seed)
        for problem in problems:
            click.echo(f"schemaproof: {problem}", err=True)
    else:
        with Ballot(file) as ballot:
            result = evaluate(ballot, seed=seed)
            if target is not None:
                export(ballot, Path(target))
    if as_json:
        print_json(result)
    else:
        click.echo(shown(result))


def _figure(value: float | None, ends: list[float] | None = None) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" + (f" ({ends[0]:.3f} to {ends[1]:.3f})" if ends else "")


def shown(result: dict[str, Any]) -> str:
    """The answer for people."""
    parts = [f"{counted(result['votes'], 'vote')} on {counted(result['items'], 'item')}"]
    if result.get("assessors"):
        parts[0] += " by " + ", ".join(f"{name} ({number})" for name, number in result["assessors"].items())
    among = result["people"]
    rows = [["people among themselves", "value (95% interval)"]]
    rows.append(["raw agreement", _figure(among["raw"]["value"], among["raw"]["interval"])])
    fleiss = among["fleiss"]
    rows.append(
        [
            f"Fleiss' kappa ({counted(fleiss['items'], 'item')} of {counted(fleiss['votes'], 'vote')})",
            _figure(fleiss["value"], fleiss["interval"]),
        ]
    )
    alpha = among["krippendorff"]
    rows.append(["Krippendorff's alpha", _figure(alpha["value"], alpha["interval"])])
    for rule, value in among["cohen_mean"].items():
        rows.append([f"Cohen's kappa, mean over pairs, {rule}", _figure(value)])
    for row in among["cohen"] if len(among["cohen"]) <= 30 else []:
        rows.append(
            [f"Cohen's kappa, {row['a']} and {row['b']}, {row['rule']}", _figure(row["kappa"], row["interval"])]
        )
    parts.append(table(rows))
    if result["memr"]:
        rows = [["people against MeMR", "votes become one by", "tie rule", "n", "kappa (95% interval)"]]
        for row in result["memr"]:
            pair = " : ".join(row["pair"])
            rows.append([pair, row["votes"], row["rule"], str(row["n"]), _figure(row["kappa"], row["interval"])])
        parts.append(table(rows, right={3}))
    if "position" in result:
        bias, same = result["position"], result["consistency"]
        rows = [["check", "figure"]]
        p = "-" if bias["p"] is None else f"{bias['p']:.3f}"
        rows.append(["left side chosen", f"{bias['left']} of {bias['sided']} (p = {p})"])
        rows.append(["same answer with sides exchanged", f"{same['same']} of {same['n']}"])
        if result["seconds_median"] is not None:
            rows.append(["median seconds a vote", f"{result['seconds_median']:.1f}"])
        parts.append(table(rows))
    if result["disagreements"]:
        rows = [["people and MeMR differ on", "people", "MeMR", "votes"]]
        for row in result["disagreements"][:20]:
            votes = ", ".join(f"{name} {number}" for name, number in row["votes"].items())
            rows.append([row["page"][-60:], row["people"], row["memr"], votes])
        parts.append(table(rows))
        if len(result["disagreements"]) > 20:
            parts.append(f"... and {len(result['disagreements']) - 20} more (all with --json)")
    return "\n\n".join(parts)
