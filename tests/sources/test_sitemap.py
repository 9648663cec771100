"""Sitemaps, from a real server on loopback: honest, broken and hostile ones."""

from __future__ import annotations

import gzip
import json
import subprocess
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from schemaproof.sources import open_sources
from schemaproof.sources import sitemap as sitemap_module
from schemaproof.sources.model import PageSource
from schemaproof.sources.sitemap import read_sitemap
from schemaproof.sources.visiting import Visit, Visitor
from schemaproof.sources.web import Answer, FetchLimits

Call = Callable[..., subprocess.CompletedProcess[bytes]]
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
BOMB = "<!DOCTYPE urlset [<!ENTITY a0 'ha'>{}]>".format(
    "".join(f"<!ENTITY a{level} '{f'&a{level - 1};' * 10}'>" for level in range(1, 10))
)


class Server(ThreadingHTTPServer):
    """Answers from a table of path to body, or to statuses that come before it.

    Attributes:
        bodies: path to body.
        failures: path to how many 503 come first.
        asked: the paths, in the order they were asked for.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.bodies: dict[str, bytes] = {}
        self.failures: dict[str, int] = {}
        self.asked: list[str] = []

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        body, status = self.server.bodies.get(self.path), 200
        if body is None:
            body, status = b"", 404
        elif self.server.failures.get(self.path, 0):
            self.server.failures[self.path] -= 1
            body, status = b"", 503
        self.send_response(status)
        self.send_header("Content-Type", "text/html" if self.path == "/page" else "application/xml")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        pass


@pytest.fixture
def site() -> Iterator[Server]:
    server = Server()
    thread = threading.Thread(target=server.serve_forever, args=[0.01])
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def limits(site: Server, **options: object) -> FetchLimits:
    values = {"seconds": 10, "allow_hosts": (site.host,), "delay": 0.0, **options}
    return FetchLimits(**values)  # type: ignore[arg-type]


def read(site: Server, path: str = "/s.xml", **options: object) -> tuple[list[str], dict[str, str]]:
    """The addresses that a sitemap names, and what is told beside them by name."""
    pages, told = [], {}
    for found in read_sitemap(f"{site.root}{path}", Visitor(limits(site, **options)).visit):
        if isinstance(found, PageSource):
            assert found.data is None
            assert found.error
            told[found.name.removeprefix(site.root)] = found.error
        else:
            pages.append(found)
    return pages, told


def body(site: Server, data: bytes | str) -> tuple[list[str], str]:
    """The addresses in a sitemap of these bytes, and what is told of it."""
    site.bodies["/s.xml"] = data if isinstance(data, bytes) else data.encode()
    pages, told = read(site)
    assert set(told) <= {"/s.xml"}
    return pages, told.get("/s.xml", "")


def urlset(*addresses: str) -> str:
    return f'<urlset xmlns="{NAMESPACE}">{"".join(f"<url><loc>{each}</loc></url>" for each in addresses)}</urlset>'


def index(*addresses: str) -> bytes:
    entries = "".join(f"<sitemap><loc>{each}</loc></sitemap>" for each in addresses)
    return f'<sitemapindex xmlns="{NAMESPACE}">{entries}</sitemapindex>'.encode()


def test_a_sitemap_names_pages_once(site: Server) -> None:
    site.bodies["/s.xml"] = index(f"{site.root}/a.xml", f"{site.root}/s.xml", f"{site.root}/a.xml#again")
    site.bodies["/a.xml"] = urlset("http://h/?a=1&amp;b=2", "http://h/", "http://h/").encode()
    assert read(site) == (["http://h/?a=1&b=2", "http://h/"], {})
    assert site.asked == ["/robots.txt", "/s.xml", "/a.xml"]
    assert read(site, "/absent.xml") == ([], {"/absent.xml": "the server answered 404 Not Found"})


def test_an_index_of_many_sitemaps_is_read_to_its_end() -> None:
    paths = [f"http://h/{number}.xml" for number in range(5000)]

    def visit(url: str) -> Visit:
        data = index(*paths) if url == "http://h/s.xml" else urlset(f"{url}.html").encode()
        return Visit(url, Answer(url, 200, "OK", body=data))

    assert list(read_sitemap("http://h/s.xml", visit)) == [f"{path}.html" for path in paths]


def test_what_lies_beyond_the_bounds_is_told(site: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemap_module, "MAXIMUM_SITEMAPS", 3)
    site.bodies["/s.xml"] = index(*(f"{site.root}/{number}.xml" for number in range(5)))
    site.bodies |= {f"/{number}.xml": urlset(f"http://h/{number}").encode() for number in range(5)}
    pages, told = read(site)
    assert pages == ["http://h/0", "http://h/1"]
    assert told == {"/s.xml": "3 sitemaps that it names not read: at most 3 are, 5 levels deep"}


def test_a_chain_of_indexes_ends_and_is_told(site: Server) -> None:
    site.bodies |= {f"/{number}.xml": index(f"{site.root}/{number + 1}.xml") for number in range(20)}
    pages, told = read(site, "/0.xml")
    assert pages == []
    assert list(told) == ["/5.xml"]
    assert "1 sitemap that it names not read" in told["/5.xml"]


@pytest.mark.parametrize(
    "data",
    [
        b"<urlset><loc>" + b" " * 20_000,
        b"<urlset><url><loc>" + b" " * 8_000_000,
        b"<urlset><url>" + b"<loc>" * 1_000_000,
        b"<urlset>" + b"<url>" * 1_000_000,
        b"<urlset>" + b"<url><loc>" * 500_000,
        b"<urlset>" + b"<![CDATA[" * 500_000,
        b"<urlset " + b"a='" * 500_000,
        b"<urlset " + b" ".join(b"xmlns:a%d='b'" % number for number in range(200_000)) + b"/>",
        b"<urlset><!--" + b" -" * 4_000_000,
        b"<?xml " + b" " * 8_000_000,
        b" " * 8_000_000,
        b"<" * 4_000_000,
        b"http://" + b"h" * 8_000_000,
    ],
    ids=lambda data: data[:16].decode(),
)
def test_hostile_bodies_cost_no_more_than_their_length(site: Server, data: bytes) -> None:
    site.bodies["/s.xml"] = data
    started = time.process_time()
    pages, told = read(site)
    assert time.process_time() - started < 30  # of minutes and hours, were it more than in proportion
    assert pages == []
    assert told


@pytest.mark.parametrize(
    "document",
    [
        BOMB + "<urlset><url><loc>http://h/&a9;</loc></url></urlset>",
        "<!DOCTYPE urlset [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><urlset><url><loc>http://h/&a;</loc></url></urlset>",
        "<!DOCTYPE urlset [<!ENTITY % a SYSTEM 'SITE/a.dtd'> %a;]><urlset><url><loc>http://h/</loc></url></urlset>",
        "<!DOCTYPE urlset ["
        + "".join(f"<!ATTLIST url a{number} CDATA 'x'>" for number in range(20_000))
        + "]><urlset>"
        + "<url/>" * 20_000,
        "<!DOCTYPE urlset SYSTEM 'SITE/a.dtd'><urlset><url><loc>http://h/&a;</loc></url></urlset>",
    ],
    ids=["bomb", "file", "parameter", "attributes", "external"],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_document_types_do_nothing(site: Server, document: str, encoding: str) -> None:
    pages, told = body(site, document.replace("SITE", site.root).encode(encoding))
    assert pages == []
    assert "a document type with declarations" in told or "an entity that is not XML's own (a)" in told
    assert site.asked == ["/robots.txt", "/s.xml"]


def test_an_external_document_type_alone_is_not_asked_for(site: Server) -> None:
    found = body(site, f"<!DOCTYPE urlset SYSTEM '{site.root}/a.dtd'>" + urlset("http://h/"))
    assert found == (["http://h/"], "")
    assert site.asked == ["/robots.txt", "/s.xml"]


def test_only_addresses_of_pages_are_taken(site: Server) -> None:
    document = f"""<?xml version="1.0"?>
        <urlset xmlns="{NAMESPACE}" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" xmlns:s="{NAMESPACE}"
            xmlns:video="http://www.google.com/schemas/sitemap-video/1.1">
        <loc>http://h/outside</loc>
        <!-- <url><loc>http://h/comment</loc></url> -->
        <url><loc>http://h/1</loc><image:image><image:loc>http://h/image</image:loc></image:image>
            <video:video><loc>http://h/video</loc><video:content_loc>http://h/content</video:content_loc></video:video>
            <loc xmlns="http://other.example/">http://h/other</loc><![CDATA[<loc>http://h/text</loc>]]></url>
        <s:url><s:loc>http://h/2</s:loc></s:url>
        <sitemap><loc>http://h/sitemap</loc></sitemap>
        <url><loc>http://h/3</loc></url></urlset>"""
    assert body(site, document) == (["http://h/1", "http://h/2", "http://h/3"], "")


@pytest.mark.parametrize(
    ("written", "address"),
    [
        ("http://h/?f[]=1", "http://h/?f[]=1"),
        ("<![CDATA[http://h/?a=1&copy=2&amp;c]]>", "http://h/?a=1&copy=2&amp;c"),
        ("\n <![CDATA[ http://h/?a ]]>\n", "http://h/?a"),
        ("http://h/<![CDATA[?a&]]>b", "http://h/?a&b"),
        ("http://h/?a&amp;b&apos;&quot;&lt;&gt;&#99;&#x64;", "http://h/?a&b'\"<>cd"),
        ("http://h/Stück", "http://h/Stück"),
        ("HTTP://h/", "HTTP://h/"),
    ],
)
def test_addresses_are_as_written(site: Server, written: str, address: str) -> None:
    assert body(site, urlset(written)) == ([address], "")


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [
        ("utf-8", "utf-8"),
        ("utf-8", "utf-8-sig"),
        ("utf-16", "utf-16"),
        ("utf-16", "utf-16le"),
        ("utf-16", "utf-16be"),
        ("utf-8", "utf-16"),
        ("utf-8", "utf-16be"),
        ("utf-16", "utf-8"),
        ("UTF-16", "utf-8-sig"),
        ("iso-8859-1", "latin-1"),
        ("windows-1252", "cp1252"),
    ],
)
def test_encodings(site: Server, declared: str, encoding: str) -> None:
    document = f"<?xml version='1.0' encoding='{declared}'?>" + urlset("http://h/ü")
    assert body(site, document.encode(encoding)) == (["http://h/ü"], "")


def test_spellings_that_xml_allows(site: Server) -> None:
    assert body(site, "<s:urlset xmlns:s='x'><s:url ><s:loc\n>http://h/</s:loc ></s:url></s:urlset>") == (
        ["http://h/"],
        "",
    )
    assert body(site, "\n\n<?xml version='1.0'?>" + urlset("http://h/")) == (["http://h/"], "")
    assert body(site, urlset()) == ([], "")


def test_an_index_behind_a_long_comment_is_one(site: Server) -> None:
    site.bodies["/s.xml"] = b"<!-- " + b"x" * 20_000 + b" -->" + index(f"{site.root}/a.xml")
    site.bodies["/a.xml"] = urlset("http://h/").encode()
    assert read(site) == (["http://h/"], {})


@pytest.mark.parametrize(
    "data",
    [
        "<!DOCTYPE html><html><head><meta charset=utf-8><title>Not here</title><p>No & none",
        "<!doctype html>\n<title>Not here</title>",
        "<html xmlns='http://www.w3.org/1999/xhtml'><body/></html>",
    ],
)
def test_a_page_in_place_of_a_sitemap_is_told(site: Server, data: str) -> None:
    assert body(site, data) == ([], "an HTML page, no sitemap")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "no sitemap: it is empty"),
        (b" \n ", "no sitemap: it is empty"),
        (b'{"a": "http://h/"}', "no sitemap: neither XML nor a list of addresses"),
        (b"\x89PNG\r\n\x1a\n\0\0", "no sitemap: neither XML nor a list of addresses"),
        (b"<a><url><loc>http://h/</loc></url></a>", "no sitemap: its root element is a"),
        (b"<urlset", "no sitemap: line 1, column 1: unclosed token; what follows is not read"),
        (b"<?xml version='1.0' encoding='no-such'?><urlset/>", "no sitemap: unknown encoding: no-such"),
        (b"<?xml version='1.0' encoding='gb2312'?><urlset/>", "no sitemap: multi-byte encodings are not supported"),
    ],
)
def test_what_is_no_sitemap_is_told(site: Server, data: bytes, reason: str) -> None:
    assert body(site, data) == ([], reason)


def test_broken_xml_gives_what_stands_before_the_fault(site: Server) -> None:
    broken = "\n\n<urlset>\n<url><loc>http://h/1</loc></url>\n<url><loc>http://h/?a&b</loc></url></urlset>"
    pages, told = body(site, broken)
    assert pages == ["http://h/1"]
    assert told == "line 5, column 24: not well-formed (invalid token); what follows is not read"
    many = urlset(*(f"http://h/{number}" for number in range(10_000)))
    pages, told = body(site, many.removesuffix("</urlset>"))
    assert len(pages) == 10_000
    assert "no element found" in told


def test_text_names_an_address_a_line(site: Server) -> None:
    assert body(site, "\ufeffhttp://h/1\r\n\r\n  http://h/?a&amp;b[]\nhttp://h/ü") == (
        ["http://h/1", "http://h/?a&amp;b[]", "http://h/ü"],
        "",
    )
    assert body(site, "http://h/1\nhttp://h/2\n".encode("utf-16")) == (["http://h/1", "http://h/2"], "")


def test_feeds_are_sitemaps(site: Server) -> None:
    rss = (
        "<rss version='2.0' xmlns:atom='http://www.w3.org/2005/Atom'><channel><link>http://h/</link>"
        "<atom:link href='http://h/feed'/><item><link>http://h/1</link><atom:link href='http://h/no'/>"
        "<guid>http://h/guid</guid></item><item><link>http://h/2</link></item></channel></rss>"
    )
    assert body(site, rss) == (["http://h/1", "http://h/2"], "")
    atom = (
        "<feed xmlns='http://www.w3.org/2005/Atom'><link href='http://h/'/><entry><link href='http://h/1'/>"
        "<link rel='edit' href='http://h/edit'/></entry>"
        "<entry><link rel='alternate' href='http://h/2'/></entry></feed>"
    )
    assert body(site, atom) == (["http://h/1", "http://h/2"], "")


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("/relative", "not an absolute http or https address"),
        ("file:///etc/passwd", "not an absolute http or https address"),
        ("http://h/a b", "a space"),
        ("http://h/a\u00a0", "a space"),
        ("http://h/a\nb", "a space"),
        ("http://h/\u009b31m", "control character"),
        ("http://h/\u202egnp", "another that none may have"),
        ("http://h/a<b/>c", "another that none may have"),
        ("http://[::1", "not an address"),
        ("http://h:99999/", "not an address"),
        ("http:///path", "without a host"),
        ("http://h/" + "a" * 8000, "more than 8,000 characters"),
    ],
)
def test_addresses_that_cannot_be_fetched_are_told(site: Server, address: str, reason: str) -> None:
    site.bodies["/s.xml"] = urlset("http://h/1", address, "http://h/2").encode()
    pages, told = read(site)
    assert pages == ["http://h/1", "http://h/2"]
    ((_, why),) = told.items()
    assert reason in why
    assert why.endswith(f"named by the sitemap {site.root}/s.xml")
    site.bodies["/s.xml"] = index(address)
    pages, told = read(site)
    assert (pages, len(told)) == ([], 1)


def test_of_many_such_addresses_some_are_named_and_the_others_counted(site: Server) -> None:
    site.bodies["/s.xml"] = urlset(*(f"/{number}" for number in range(1000)), "http://h/").encode()
    pages, told = read(site)
    assert pages == ["http://h/"]
    assert list(told) == [*(f"/{number}" for number in range(10)), "/s.xml"]
    assert told["/s.xml"] == "990 more addresses cannot be fetched"


def deflated_badly() -> bytes:
    """Gzip whose second half has bytes that deflate does not know."""
    packer = zlib.compressobj(wbits=31)
    document = urlset(*(f"http://h/{number}" for number in range(5000)))
    good = packer.compress(document.encode()) + packer.flush(zlib.Z_FULL_FLUSH)
    return good + b"\xff" * 100


def test_one_bad_sitemap_does_not_stop_the_others(site: Server) -> None:
    whole = urlset(*(f"http://h/{number}" for number in range(5000))).encode()
    site.bodies["/s.xml"] = index(*(f"{site.root}/{name}.xml.gz" for name in ("bad", "cut", "sum", "none", "good")))
    site.bodies["/bad.xml.gz"] = deflated_badly()
    site.bodies["/cut.xml.gz"] = gzip.compress(whole)[:-2000]
    site.bodies["/sum.xml.gz"] = gzip.compress(whole)[:-8] + b"\0" * 8
    site.bodies["/good.xml.gz"] = gzip.compress(urlset("http://h/good").encode())
    pages, told = read(site)
    assert pages[-1] == "http://h/good"
    assert len(pages) > 3000
    assert list(told) == ["/bad.xml.gz", "/cut.xml.gz", "/sum.xml.gz", "/none.xml.gz"]
    assert "broken gzip (Error -3 while decompressing data" in told["/bad.xml.gz"]
    assert "broken gzip (Compressed file ended" in told["/cut.xml.gz"]
    assert "broken gzip (CRC check failed" in told["/sum.xml.gz"]
    assert "404" in told["/none.xml.gz"]


def test_a_bomb_is_unpacked_to_the_limit_only(site: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemap_module, "MAXIMUM_BYTES", 2 << 20)
    site.bodies["/s.xml"] = gzip.compress(b"<urlset><url><loc>http://h/</loc></url>" + b"\n" * 500_000_000, 1)
    assert read(site) == (["http://h/"], {"/s.xml": "larger than 2 MB unpacked, read up to there"})


def test_sitemaps_are_fetched_as_politely_as_pages(site: Server) -> None:
    site.bodies["/robots.txt"] = b"User-agent: *\nDisallow: /private/\n"
    site.bodies["/s.xml"] = index(f"{site.root}/a.xml", f"{site.root}/private/b.xml", f"{site.root}/c.xml")
    site.bodies |= {path: urlset(f"http://h{path}").encode() for path in ("/a.xml", "/private/b.xml", "/c.xml")}
    site.failures["/c.xml"] = 1
    started = time.monotonic()
    pages, told = read(site, delay=0.2)
    assert pages == ["http://h/a.xml", "http://h/c.xml"]
    assert told == {"/private/b.xml": "the site's robots.txt forbids it; refused"}
    assert site.asked == ["/robots.txt", "/s.xml", "/a.xml", "/c.xml", "/c.xml"]
    assert time.monotonic() - started >= 0.6


def test_a_sitemap_leads_to_public_addresses_only(site: Server) -> None:
    inner = "http://127.0.0.1:1/a.xml", "http://169.254.169.254/b.xml", "http://[::1]/c.xml", "file:///etc/passwd"
    site.bodies["/s.xml"] = index(*inner)
    pages, told = read(site)
    assert pages == []
    assert list(told) == ["file:///etc/passwd", *inner[:3]]
    assert all("not a public address" in told[address] for address in inner[:3])


def sample_pages(schemaproof: Call, site: Server, *arguments: str) -> tuple[dict[str, object], str]:
    ran = schemaproof("sample", "pages", *arguments, "--allow-host", site.host, "--delay", "0", "--json")
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout), ran.stderr.decode()


def test_pages_at_hand_do_not_hide_a_sitemap_that_cannot_be_had(
    site: Server, schemaproof: Call, tmp_path: Path
) -> None:
    page = f"{site.root}/page"
    site.bodies |= {"/page": b"<p>hello</p>", "/s.xml": urlset(page).encode()}
    first, _ = sample_pages(schemaproof, site, f"{site.root}/s.xml", "-o", "all.warc.gz")
    assert (first["fetched"], first["failed"]) == (1, [])
    absent = f"{site.root}/absent.xml"
    from_first = ("--from", "all.warc.gz", "-o", "some.warc.gz")
    found, said = sample_pages(schemaproof, site, absent, page, page, f"{site.root}/s.xml", *from_first)
    failed = [{"url": absent, "reason": "the server answered 404 Not Found"}]
    assert (found["fetched"], found["known"], found["failed"]) == (1, 0, failed)
    assert f"{absent}: the server answered 404" in said
    found, _ = sample_pages(schemaproof, site, absent, page, page, *from_first)
    assert (found["fetched"], found["known"], found["failed"]) == (0, 1, failed)
    assert site.asked.count("/page") == 1
    assert [source.url for source in open_sources([str(tmp_path / "some.warc.gz")])] == [page]


def test_sitemaps_cannot_control_the_terminal(site: Server, schemaproof: Call) -> None:
    site.bodies["/s.xml"] = index(f"{site.root}/a.xml", f"{site.root}/b.xml")
    site.bodies["/a.xml"] = f"{site.root}/page\nhttp://h/\x1b[31mred\n".encode()
    site.bodies["/b.xml"] = urlset("http://h/\u009b31m", "http://h/\x1b[31m").encode()
    site.bodies["/page"] = b"<p>hello</p>"
    found, said = sample_pages(schemaproof, site, f"{site.root}/s.xml", "-o", "a.warc.gz")
    assert found["fetched"] == 1
    assert [failed["url"] for failed in found["failed"]] == [  # type: ignore[attr-defined]
        "http://h/\x1b[31mred",
        "http://h/\u009b31m",
        f"{site.root}/b.xml",
    ]
    assert "\x1b" not in said
    assert "\u009b" not in said
    assert "http://h/\ufffd[31mred: an address with a space, a control character" in said


def test_check_tells_a_broken_sitemap_and_goes_on(site: Server) -> None:
    site.bodies["/s.xml"] = index(f"{site.root}/bad.xml.gz", f"{site.root}/a.xml")
    site.bodies["/bad.xml.gz"] = b"\x1f\x8b\x08" + b"\0" * 7 + b"\xff" * 50
    site.bodies["/a.xml"] = urlset(f"{site.root}/page").encode()
    site.bodies["/page"] = b"<p>hello</p>"
    sources = list(open_sources([f"{site.root}/s.xml"], sitemaps=True, limits=limits(site)))
    assert [source.name.removeprefix(site.root) for source in sources] == ["/bad.xml.gz", "/page"]
    assert "broken gzip" in str(sources[0].error)
    assert site.asked.count("/robots.txt") == 1
