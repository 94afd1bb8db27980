"""S1–S9: nothing but public pages is fetched, and nothing that a server sends holds up or fills this process."""

import asyncio
import datetime
import gzip
import socket
import ssl
import threading
from collections import defaultdict
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.net import client
from agents.net import fetch as fetch_as_tools_do
from agents.net.base import AddressRefused, BodyRefused, FetchFailed, HostUnreachable, StatusRefused
from agents.net.client import MAX_BYTES, parse_url
from tests.fake_services import PUBLIC, FakeServer, Reply, World, html, redirect

HOSTILE = [
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://0177.0.0.1/",
    "http://017700000001/",
    "http://0x7f.0.0.1/",
    "http://0x7f000001/",
    "http://127.1/",
    "http://0/",
    "http://①②⑦.⓪.⓪.①/",
    "http://127。0。0。1/",
    "http://[::1]/",
    "http://[::]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:a9fe:a9fe]/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://[2002:7f00:1::]/",
    "http://[fe80::1%25eth0]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://localhost/",
    "http://printer.local/",
    "http://page.example@127.0.0.1/",
    "http://name:word@page.example/",
    "http://@page.example/",
    "http://page.example\\@127.0.0.1/",
    "http://127.0.0.1\\.page.example/",
    "http://page.example:22/",
    "http://page.example:0/",
    "http://page.example:99999/",
    "https://page.example:6379/",
    "file:///etc/passwd",
    "gopher://page.example/",
    "ftp://page.example/",
    "//page.example/",
    "page.example",
    "http:page.example",
    "http:///page.example",
    "http://page.example\t.evil/",
    "http://page.example/\r\nx: y",
    "http://pa\u200bge.example/",
    "http://[::1",
    "http://",
    "",
    "javascript:alert(1)",
    "http://page.example/" + "x" * 2_000,
]


@pytest.mark.parametrize("url", HOSTILE)
async def test_hostile_address_is_refused_before_anything_is_connected(world: World, url: str) -> None:
    """S1: literal, decimal, octal, mapped, NAT64, userinfo, other ports and schemes, even if its name were a public one."""
    world.names = defaultdict(lambda: [[PUBLIC]])
    with pytest.raises(AddressRefused):
        await world.fetch(url)
    assert world.network.connected == []
    assert world.looked_up == []


@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.5", "169.254.169.254", "::1", "::ffff:10.0.0.5", "fd00::1"])
async def test_name_that_leads_inside_is_refused(world: World, address: str) -> None:
    """S8: what counts is what the name resolves to when the connection is made."""
    world.names["page.example"] = [[address]]
    with pytest.raises(AddressRefused):
        await world.fetch("http://page.example/")
    assert world.network.connected == []


async def test_public_page_is_fetched(world: World) -> None:
    """S1: the allowed way is open."""
    world.server.answers["/half"] = html("<p>One half")
    found = await world.fetch("http://page.example/half?of=1#part")
    assert (found.url, found.media_type, found.charset) == ("http://page.example/half?of=1", "text/html", "utf-8")
    assert found.body == b"<p>One half"
    assert world.network.connected == [(PUBLIC, 80)]
    (request,) = world.server.requests
    assert request.query == {"of": "1"}
    assert request.headers["host"] == "page.example"
    assert request.headers["accept-encoding"] == "identity"
    assert not {"cookie", "authorization", "referer"} & request.headers.keys()


async def test_second_answer_of_a_resolver_leads_nowhere(world: World) -> None:
    """S4: rebinding: the connection goes to the very address that was checked, and the name is not asked for again."""
    world.names["page.example"] = [[PUBLIC], ["127.0.0.1"]]
    world.server.answers["/"] = html("safe")
    await world.fetch("http://page.example/")
    assert world.looked_up == ["page.example"]
    assert world.network.connected == [(PUBLIC, 80)]


async def test_next_address_is_tried_where_one_is_silent(world: World) -> None:
    world.names["page.example"] = [["2606:4700::1111", PUBLIC]]
    world.network.silent = {"2606:4700::1111"}
    world.server.answers["/"] = html("here")
    assert (await world.fetch("http://page.example/")).body == b"here"
    assert [host for host, _ in world.network.connected] == ["2606:4700::1111", PUBLIC]


@pytest.mark.parametrize(
    "to",
    [
        "http://127.0.0.1/",
        "http://127.0.0.1:8000/admin/",
        "//169.254.169.254/latest",
        "http://inside.example/",
        "http://[::1]/",
        "file:///etc/passwd",
        "http://user@page.example/",
        "http://page.example:8080/",
        "http://[",
        "\\\\127.0.0.1\\x",
    ],
)
async def test_redirect_inside_is_not_followed(world: World, to: str) -> None:
    """S2: each redirect is checked from the start."""
    world.names["inside.example"] = [["10.0.0.1"]]
    world.server.answers["/"] = redirect(to)
    with pytest.raises(AddressRefused):
        await world.fetch("http://page.example/")
    assert world.network.connected == [(PUBLIC, 80)]


async def test_redirect_to_the_same_name_is_resolved_and_checked_again(world: World) -> None:
    """S4: a name that moved inside meanwhile."""
    world.names["page.example"] = [[PUBLIC], ["127.0.0.1"]]
    world.server.answers["/"] = redirect("/further")
    with pytest.raises(AddressRefused):
        await world.fetch("http://page.example/")
    assert world.network.connected == [(PUBLIC, 80)]


async def test_three_redirects_are_followed_and_a_fourth_is_not(world: World) -> None:
    """S2: a chain has an end."""
    for number in range(4):
        world.server.answers[f"/{number}"] = redirect(f"/{number + 1}", status=(301, 302, 307, 308)[number])
    world.server.answers["/4"] = html("the end")
    assert (await world.fetch("http://page.example/1")).url == "http://page.example/4"
    with pytest.raises(BodyRefused):
        await world.fetch("http://page.example/0")


async def test_environment_names_no_proxy(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """S9: a proxy would look names up itself, unchecked."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    world.server.answers["/"] = html("direct")
    assert (await world.fetch("http://page.example/")).body == b"direct"
    with pytest.raises(AddressRefused):
        await world.fetch("http://127.0.0.1/")
    assert world.network.connected == [(PUBLIC, 80)]


@pytest.mark.parametrize("says_length", [True, False])
async def test_body_of_100_mb_is_left_after_2(world: World, says_length: bool) -> None:
    """S5: with its length told, and without. The kernel alone may take 10 MB before anything is read."""
    sent = 0

    def pieces():
        nonlocal sent
        for _ in range(1_600):
            sent += 64 * 1024
            yield b"x" * 64 * 1024

    headers = {"content-type": "text/plain"} | ({"content-length": "104857600"} if says_length else {})
    world.server.answers["/"] = Reply(body=pieces(), headers=headers)
    with pytest.raises(BodyRefused, match="too large"):
        await world.fetch("http://page.example/")
    assert sent < 50_000_000


async def test_body_of_2_mb_is_read(world: World) -> None:
    world.server.answers["/"] = Reply(body=b"x" * MAX_BYTES, headers={"content-type": "text/plain"})
    assert len((await world.fetch("http://page.example/")).body) == MAX_BYTES


async def test_body_in_crumbs_is_left(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """S5: each crumb costs as much as a page."""
    monkeypatch.setattr(client, "MAX_CHUNKS", 50)
    crumbs = b"".join(b"1\r\nx\r\n" for _ in range(1_000))
    world.server.answers["/"] = Reply(
        body=[crumbs], headers={"content-type": "text/plain", "transfer-encoding": "chunked"}
    )
    with pytest.raises(BodyRefused):
        await world.fetch("http://page.example/")


@pytest.mark.parametrize("packing", ["gzip", "br", "deflate", "gzip, gzip"])
async def test_packed_body_is_never_unpacked(world: World, packing: str) -> None:
    """S6: a gzip bomb stays as small as it came."""
    bomb = gzip.compress(b"0" * 5_000_000)
    world.server.answers["/"] = Reply(body=bomb, headers={"content-type": "text/html", "content-encoding": packing})
    with pytest.raises(BodyRefused, match="compressed"):
        await world.fetch("http://page.example/")


async def test_slow_body_is_cut_off(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """S7: the whole fetch has one time, however often something comes."""
    monkeypatch.setattr(client, "FETCH_TIMEOUT_S", 0.1)
    world.server.answers["/"] = Reply(body=world.server.slowly(b"a", b"b"), headers={"content-type": "text/plain"})
    with pytest.raises(HostUnreachable, match="in time"):
        await world.fetch("http://page.example/")


async def test_time_is_one_for_all_redirects_and_names(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """S7: a resolver that never answers is within it."""
    monkeypatch.setattr(client, "FETCH_TIMEOUT_S", 0.05)

    async def never(host: str, port: int) -> list[str]:
        await asyncio.Event().wait()
        return []

    with pytest.raises(HostUnreachable):
        await client.fetch("http://page.example/", media_types=("text/html",), resolve=never, network=world.network)


@pytest.mark.parametrize(
    "media_type", ["application/octet-stream", "image/svg+xml", "application/pdf", "", "text/html2"]
)
async def test_what_is_no_text_is_not_read(world: World, media_type: str) -> None:
    """The list says what may come, not what may not."""
    world.server.answers["/"] = Reply(body=b"<p>x", headers={"content-type": media_type})
    with pytest.raises(BodyRefused, match="text"):
        await world.fetch("http://page.example/")


@pytest.mark.parametrize("status", [201, 204, 400, 401, 403, 404, 429, 500, 503])
async def test_refusal_is_told_with_its_status(world: World, status: int) -> None:
    world.server.answers["/"] = Reply(status=status, headers={"content-type": "text/html"})
    with pytest.raises(StatusRefused, match=str(status)) as refused:
        await world.fetch("http://page.example/")
    assert refused.value.is_busy is (status in (429, 503))


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nab",
        b"HTTP/1.1 200 OK\r\n" + b"x: " + b"y" * 200_000,
        b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 302 Found\r\n\r\n",
        b"HTTP/1.1 999 Odd\r\n\r\n",
    ],
)
async def test_what_speaks_no_http_is_a_failure_like_another(world: World, answer: bytes) -> None:
    """Every way to be broken ends in the same error."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        world.network.port = server.sockets[0].getsockname()[1]
        with pytest.raises(FetchFailed):
            await world.fetch("http://page.example/")


async def test_place_where_nobody_listens_is_not_reached(world: World) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        world.network.port = unused.getsockname()[1]
        with pytest.raises(HostUnreachable):
            await world.fetch("http://page.example/")


async def test_service_of_the_operator_is_reached_where_it_is(world: World) -> None:
    """S1: the operator's word holds for one host and port, as configured."""
    world.server.answers["/search"] = Reply(body=b"{}", headers={"content-type": "application/json"})
    found = await fetch_as_tools_do(
        f"{world.server.url}/search?q=x", media_types=("application/json",), service=f"{world.server.url}/search"
    )
    assert found.body == b"{}"


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:{other}/",
        "http://localhost:{port}/",
        "http://127.0.0.1/",
        "http://127.1:{port}/",
        "http://127.0.0.2:{port}/",
        "http://[::ffff:127.0.0.1]:{port}/",
    ],
)
async def test_service_opens_no_other_place(world: World, url: str) -> None:
    """S1: neither another port, nor another name of the same machine."""
    port = world.server.port
    with pytest.raises(AddressRefused):
        await world.fetch(url.format(port=port, other=port + 1), service=world.server.url)
    assert world.network.connected == []


async def test_service_cannot_send_its_client_inside(world: World) -> None:
    """S2: what the operator allowed is the service, not what it leads to."""
    world.server.answers["/search"] = redirect("http://127.0.0.1:1/")
    with pytest.raises(AddressRefused):
        await fetch_as_tools_do(f"{world.server.url}/search", media_types=("text/html",), service=world.server.url)


async def test_service_is_open_to_no_other_fetch(world: World) -> None:
    """S1: what a model or a page names is refused, though a service of the operator's is there."""
    with pytest.raises(AddressRefused):
        await fetch_as_tools_do(f"{world.server.url}/search", media_types=("text/html",))
    assert world.server.requests == []


@settings(max_examples=60)
@given(st.text(max_size=40) | st.from_regex(r"https?://[a-z.@\\:\[\]0-9%/ ]{1,30}", fullmatch=True))
def test_any_text_is_an_address_of_the_web_or_refused(text: str) -> None:
    """S1: and what the parser gives is what is connected to."""
    try:
        url = parse_url(text)
    except AddressRefused:
        return
    assert url.scheme in ("http", "https")
    assert url.raw_host
    assert b"@" not in url.netloc


def certificate(folder: Path, host: str) -> Path:
    """Return a file with a key and a certificate that vouches for itself and a host."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host), x509.IPAddress(ip_address(PUBLIC))]), False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
        .sign(key, hashes.SHA256())
    )
    path = folder / "certificate.pem"
    plain = serialization.NoEncryption()
    path.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
        + made.public_bytes(serialization.Encoding.PEM)
    )
    return path


async def test_certificate_must_be_the_hosts_and_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """S4: the connection goes to an address, the certificate is held against the name."""
    path = certificate(tmp_path, "page.example")
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(path)
    with FakeServer(tls) as server:
        world = World(server)
        world.names["other.example"] = [[PUBLIC]]
        server.answers["/"] = html("sealed")
        client.trusted_certificates.cache_clear()
        with pytest.raises(HostUnreachable):
            await world.fetch("https://page.example/")
        monkeypatch.setenv("SSL_CERT_FILE", str(path))
        client.trusted_certificates.cache_clear()
        assert (await world.fetch("https://page.example/")).body == b"sealed"
        with pytest.raises(HostUnreachable):
            await world.fetch("https://other.example/")
        assert len(server.requests) == 1
    client.trusted_certificates.cache_clear()


async def test_fetch_leaves_no_connection_behind(world: World) -> None:
    world.server.answers["/"] = html("x")
    before = threading.active_count()
    for _ in range(3):
        await world.fetch("http://page.example/")
    assert len(world.network.connected) == 3
    assert threading.active_count() <= before + 3
