"""nginx and Caddy with the files of `deploy/`, on ports of their own, for tests."""

import datetime
import shutil
import ssl
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from time import monotonic, sleep

import httpx2
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from bench.live_server.server import free_port

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
HOST = "learn.example.org"
"""The host name in the files."""
PROXIES = ("nginx", "caddy")
UPSTREAMS = ("127.0.0.1:8001", "127.0.0.1:8002")
"""The web processes in the files."""
READY_WITHIN_S = 20.0
NGINX = """
daemon off;
master_process off;
pid nginx.pid;
error_log error.log;
{user}
events {{}}
http {{
    access_log off;
    {temporary}
    include learnagent.conf;
}}
"""
CADDY_OPTIONS = "{\n\tadmin off\n\tskip_install_trust\n\tstorage file_system storage\n\thttp_port %s\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Proxy:
    port: int
    """Of https."""
    http_port: int
    trust: ssl.SSLContext

    @property
    def url(self) -> str:
        return f"https://localhost:{self.port}"


def is_installed(name: str) -> bool:
    return shutil.which(name, path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin") is not None


@contextmanager
def running(name: str, folder: Path, *, port: int, upstreams: Sequence[str]) -> Iterator[Proxy]:
    """Run the proxy on the https port until the block ends, in front of these addresses."""
    http_port, trust = free_port(), _make_certificate(folder)
    command = (_nginx if name == "nginx" else _caddy)(folder, port=port, http_port=http_port, upstreams=upstreams)
    with (folder / "proxy.log").open("wb") as log, subprocess.Popen(command, cwd=folder, stderr=log) as process:
        try:
            _wait_until_ready(process, http_port, log=folder / "proxy.log")
            yield Proxy(port=port, http_port=http_port, trust=trust)
        finally:
            process.kill()


def _nginx(folder: Path, *, port: int, http_port: int, upstreams: Sequence[str]) -> list[str]:
    text = (DEPLOY / "nginx.conf").read_text()
    for old, new in [
        *zip(UPSTREAMS, upstreams, strict=True),
        (f"server_name {HOST}", "server_name localhost"),
        (f"/etc/letsencrypt/live/{HOST}/fullchain.pem", "certificate.pem"),
        (f"/etc/letsencrypt/live/{HOST}/privkey.pem", "key.pem"),
        ("listen 80;", f"listen {http_port};"),
        ("listen 443", f"listen {port}"),
        ("    listen [::]:80;\n", ""),
        ("    listen [::]:443 ssl http2;\n", ""),
    ]:
        assert old in text, old
        text = text.replace(old, new)
    (folder / "learnagent.conf").write_text(text)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = " ".join(f"{kind}_temp_path {kind};" for kind in kinds)
    user = "user root;" if _is_root() else ""
    (folder / "nginx.conf").write_text(NGINX.format(user=user, temporary=temporary))
    return ["/usr/sbin/nginx", "-p", str(folder), "-c", "nginx.conf", "-e", "error.log"]


def _caddy(folder: Path, *, port: int, http_port: int, upstreams: Sequence[str]) -> list[str]:
    text = (DEPLOY / "Caddyfile").read_text()
    for old, new in [
        *zip(UPSTREAMS, upstreams, strict=True),
        ("\n{\n", "\n" + CADDY_OPTIONS % http_port),
        (f"{{$SITE:{HOST}}} {{\n", f"https://localhost:{port} {{\n\ttls certificate.pem key.pem\n"),
    ]:
        assert old in text, old
        text = text.replace(old, new)
    (folder / "Caddyfile").write_text(text)
    return ["caddy", "run", "--config", "Caddyfile", "--adapter", "caddyfile"]


def _is_root() -> bool:
    return Path("/proc/self").stat().st_uid == 0


def _wait_until_ready(process: subprocess.Popen[bytes], http_port: int, *, log: Path) -> None:
    until = monotonic() + READY_WITHIN_S
    while monotonic() < until and process.poll() is None:
        try:
            httpx2.get(f"http://localhost:{http_port}/")
        except httpx2.TransportError:
            sleep(0.05)
        else:
            return
    raise RuntimeError(f"the proxy does not run: {log.read_text()}")


def _make_certificate(folder: Path) -> ssl.SSLContext:
    """Write a certificate for localhost and its key; return what trusts it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    names = [x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    (folder / "certificate.pem").write_bytes(certificate.public_bytes(pem))
    (folder / "key.pem").write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return ssl.create_default_context(cafile=folder / "certificate.pem")
