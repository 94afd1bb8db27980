"""S1–S9: which addresses are public, and which names may be looked up."""

import asyncio
import re
import socket
from ipaddress import IPv4Address, IPv6Address, ip_address
from threading import Event

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agents.net.addresses import is_public, is_public_name, public_addresses, resolve_host
from agents.net.base import AddressRefused, HostUnreachable

INSIDE = [
    "127.0.0.1",
    "127.8.9.1",
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "100.64.0.1",
    "100.100.100.200",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.9",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:a9fe:a9fe",
    "::ffff:8.8.8.8",
    "::ffff:0:127.0.0.1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b::7f00:1",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:10::1",
    "2001:20::1",
    "2001:db8::1",
    "2002:7f00:1::1",
    "3fff::1",
    "4000::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "2606:4700::1111%1",
]
OUTSIDE = [
    "1.1.1.1",
    "8.8.8.8",
    "93.184.216.34",
    "172.15.0.1",
    "172.32.0.1",
    "223.255.255.255",
    "2606:4700::1111",
    "2a00:1450:4001::1",
]


@pytest.mark.parametrize("address", INSIDE)
def test_address_inside_is_not_public(address: str) -> None:
    """S1: also in the forms that stand for another address, and that the standard library calls global."""
    assert not is_public(address)


@pytest.mark.parametrize("address", OUTSIDE)
def test_address_outside_is_public(address: str) -> None:
    assert is_public(address)


@settings(max_examples=80)
@given(st.ip_addresses())
@example(ip_address("192.0.0.9"))
def test_what_is_public_is_nowhere_reserved(ip: IPv4Address | IPv6Address) -> None:
    """S1: never wider than the registries that the standard library knows."""
    if is_public(str(ip)):
        assert ip.is_global
        assert not any((ip.is_private, ip.is_multicast, ip.is_reserved, ip.is_loopback, ip.is_link_local))
        if isinstance(ip, IPv6Address):
            assert ip.ipv4_mapped is None
            assert ip.sixtofour is None
            assert ip.teredo is None


@settings(max_examples=50)
@given(st.ip_addresses(v=4))
def test_address_that_carries_another_is_not_public(ip: IPv4Address) -> None:
    """S1: mapped, compatible, translated (NAT64, both prefixes) and 6to4, whatever they carry."""
    high, low = int(ip) >> 16, int(ip) & 0xFFFF
    for form in ("::ffff:{}", "::{}", "64:ff9b::{}", "64:ff9b:1::{}", "::ffff:0:{}"):
        assert not is_public(form.format(ip))
    assert not is_public(f"2002:{high:x}:{low:x}::1")


@settings(max_examples=50)
@given(st.text(max_size=60))
def test_any_text_is_judged(text: str) -> None:
    assert is_public(text) in (True, False)
    assert is_public_name(text) in (True, False)


@settings(max_examples=120)
@given(st.text(alphabet="0123456789abcdefx.", min_size=1, max_size=20))
@example("127.1")
@example("0x7f000001")
@example("2130706433")
@example("0177.0.0.01")
@example("127.0.0.1.")
def test_name_that_a_resolver_takes_for_an_address_is_not_looked_up(host: str) -> None:
    """S1: decimal, octal, hexadecimal and shortened addresses."""
    if is_public_name(host):
        with pytest.raises(OSError, match="illegal IP"):
            socket.inet_aton(host.rstrip("."))


@pytest.mark.parametrize(
    "name",
    [
        "localhost",
        "localhost.",
        "printer",
        "router.local",
        "nas.lan",
        "db.internal",
        "x.localhost",
        "wiki.corp",
        "1.0.0.127.in-addr.arpa",
        "a..b",
        ".example.com",
        "-a.example",
        "example.com..",
        "ex%61mple.com",
        "a_b",
        "exa,mple.com",
        "x.y.onion",
    ],
)
def test_local_or_odd_name_is_not_looked_up(name: str) -> None:
    """S8: `.local` and what else names the inside."""
    assert not is_public_name(name)


@pytest.mark.parametrize(
    "name", ["example.com", "example.com.", "xn--mnchen-3ya.de", "a_b.example.org", "1.example.com"]
)
def test_whole_name_is_looked_up(name: str) -> None:
    assert is_public_name(name)


def answering(*addresses: str):
    async def resolve(host: str, port: int) -> list[str]:
        return list(addresses)

    return resolve


async def test_name_with_one_address_inside_is_refused_whole() -> None:
    """S3: mixed A records."""
    for mixed in (["93.184.216.34", "127.0.0.1"], ["10.0.0.1", "93.184.216.34"], ["93.184.216.34", "::1"], []):
        with pytest.raises(AddressRefused):
            await public_addresses("page.example", 443, resolve=answering(*mixed))
    assert await public_addresses("page.example", 443, resolve=answering("93.184.216.34", "1.1.1.1"))


async def test_inside_and_nowhere_are_told_in_the_same_words() -> None:
    """S8: nobody learns which names the inside has."""

    async def nowhere(host: str, port: int) -> list[str]:
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    said = set()
    for resolve in (nowhere, answering("10.0.0.1")):
        with pytest.raises(AddressRefused) as refused:
            await public_addresses("wiki.school.example", 443, resolve=resolve)
        said.add(str(refused.value))
    assert len(said) == 1
    assert not re.search("10|school", said.pop())


async def test_resolver_that_nobody_answers_is_told_as_a_network_away() -> None:
    async def away(host: str, port: int) -> list[str]:
        raise socket.gaierror(socket.EAI_AGAIN, "try again")

    with pytest.raises(HostUnreachable, match="network"):
        await public_addresses("page.example", 443, resolve=away)


async def test_system_resolver_is_asked_for_every_address() -> None:
    assert set(await resolve_host("localhost", 80)) <= {"127.0.0.1", "::1"}
    assert await resolve_host("localhost", 80)


async def test_names_whose_servers_are_silent_hold_up_no_more_than_their_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """S7: those who ask for more are told at once, and the places come back."""
    answered = Event()

    def silent(*args: object, **kwargs: object) -> list[object]:
        answered.wait()
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    monkeypatch.setattr(socket, "getaddrinfo", silent)
    waiting = [asyncio.create_task(resolve_host(f"page{number}.example", 80)) for number in range(8)]
    await asyncio.sleep(0)
    with pytest.raises(HostUnreachable, match="Too many"):
        await resolve_host("page9.example", 80)
    waiting[0].cancel()
    answered.set()
    for task in waiting:
        with pytest.raises((socket.gaierror, asyncio.CancelledError)):
            await task
    with pytest.raises(socket.gaierror):
        await resolve_host("page9.example", 80)
