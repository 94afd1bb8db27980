"""The files of `deploy/` name what is there: folders, commands, settings, services."""

import os
import re
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path

import click
import pytest
import yaml
from celery.bin.celery import celery
from django.core.management import get_commands, load_command_class

from learnagent.configuration.environment import ROOT, Environment

DEPLOY = ROOT / "deploy"
SYSTEMD = DEPLOY / "systemd"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
COMPOSE_SETTINGS = {"SITE", "POSTGRES_PASSWORD", "WEB_PROCESSES", "WORKER_PROCESSES"}
"""Variables of `compose.env` for the Compose file alone."""
PROGRAM_S = 10
"""In which a process gives back its turns and ends."""
INSTRUCTIONS = {"FROM", "RUN", "ENV", "WORKDIR", "COPY", "ARG", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK", "CMD"}


def instructions():
    """Return the Dockerfile's instructions as pairs of name and arguments."""
    lines = [line for line in (DEPLOY / "Dockerfile").read_text().splitlines() if line and not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines)).splitlines()
    return [tuple(line.split(" ", 1)) for line in joined]


def accepts(command):
    """Parse the arguments of `manage.py` or of Celery as it would; fails for an unknown command or option."""
    match command:
        case [".venv/bin/python", "manage.py", name, *options]:
            load_command_class(get_commands()[name], name).create_parser("manage.py", name).parse_args(options)
        case [".venv/bin/celery", "-A", "learnagent", name, *options]:
            parser = celery.commands[name].make_parser(click.Context(celery))
            assert parser.parse_args(options)[1] == []
        case _:
            pytest.fail(f"neither manage.py nor Celery: {command}")


def test_image_is_made_of_what_is_there_and_runs_as_somebody_else_than_root():
    steps = instructions()
    assert {name for name, _ in steps} <= INSTRUCTIONS
    copied = [source for name, rest in steps if name == "COPY" and "--from" not in rest for source in rest.split()[:-1]]
    assert [source for source in copied if not (ROOT / source).exists()] == []
    packages = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["coverage"]["run"]["source"]
    assert set(copied) >= {*packages, "manage.py", "courses", "locale", "static", "templates", "uv.lock"}
    users = [rest for name, rest in steps if name == "USER"]
    assert users == ["learnagent"]
    command = next(yaml.safe_load(rest) for name, rest in steps if name == "CMD")
    accepts(command)


def test_image_asks_every_30_seconds_whether_it_is_healthy():
    (check,) = [rest for name, rest in instructions() if name == "HEALTHCHECK"]
    options, _, command = check.partition(" CMD ")
    assert "--interval=30s" in options.split()
    program = yaml.safe_load(command)[-1]
    compile(program, "HEALTHCHECK", "exec")
    assert "/health" in program


def test_image_leaves_out_what_it_does_not_copy():
    kept = [line[1:] for line in (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines() if line[0] == "!"]
    copied = {
        source for name, rest in instructions() if name == "COPY" and "--from" not in rest for source in rest.split()
    }
    assert {name.partition("/")[0] for name in kept} <= copied
    assert [name for name in kept if not (ROOT / name).exists()] == []


def test_services_of_the_compose_file_fit_together():
    services = COMPOSE["services"]
    assert set(services) == {"proxy", "web", "worker", "beat", "database", "redis"}
    for name, service in services.items():
        assert set(service.get("depends_on", {})) <= set(services), name
        assert service["restart"] == "unless-stopped", name
        for volume in service.get("volumes", []):
            source = volume.partition(":")[0]
            assert source in COMPOSE["volumes"] or (DEPLOY / source).exists(), volume
    assert (DEPLOY / services["web"]["build"]["context"] / services["web"]["build"]["dockerfile"]).exists()
    # Whoever is waited for can say that it is healthy: `web` by its image.
    assert all("healthcheck" in services[name] for name in ("database", "redis"))
    assert services["web"]["deploy"]["replicas"] == "${WEB_PROCESSES:-2}"
    for name in ("worker", "beat"):
        accepts(services[name]["command"])


@pytest.mark.parametrize("name", ["web", "worker", "beat"])
def test_program_in_containers_has_real_settings_little_rights_and_time_to_end(name):
    service = COMPOSE["services"][name]
    assert set(service["environment"]) - COMPOSE_SETTINGS <= set(Environment.model_fields)
    # A change of one of these must not restart this container.
    assert {service["environment"][name] for name in COMPOSE_SETTINGS} == {""}
    assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
    assert int(service["stop_grace_period"].removesuffix("s")) > PROGRAM_S
    subnet = COMPOSE["networks"]["default"]["ipam"]["config"][0]["subnet"]
    assert service["environment"]["TRUSTED_PROXIES"] == subnet


def test_variables_of_the_compose_file_are_in_its_example():
    asked = set(re.findall(r"\$\{(\w+)", (DEPLOY / "compose.yaml").read_text()))
    assert asked == COMPOSE_SETTINGS
    assert asked <= set(variables(DEPLOY / "compose.env"))


def variables(path):
    """Return all variables of an environment file, those in comments too, and their values."""
    found = re.findall(r"^(?:# )?([A-Z][A-Z0-9_]+)=(.*)$", path.read_text(), re.MULTILINE)
    return dict(found)


@pytest.mark.parametrize("name", ["learnagent.env", "compose.env"])
def test_variables_of_the_examples_are_settings(name):
    assert set(variables(DEPLOY / name)) <= set(Environment.model_fields) | COMPOSE_SETTINGS


def test_example_of_a_server_is_a_valid_environment_in_single_quotes():
    read = variables(DEPLOY / "learnagent.env")
    assert all(re.fullmatch(r"'[^']*'", value) for value in read.values())
    unquoted = {name: value.strip("'") for name, value in read.items() if "KEY" not in name}
    assert Environment(**unquoted).public_url == "https://learn.example.org"


@pytest.mark.parametrize("unit", sorted(SYSTEMD.glob("*.service")), ids=lambda path: path.name)
def test_units_run_real_commands(unit):
    (line,) = re.findall(r"^ExecStart=(.*)$", unit.read_text(), re.MULTILINE)
    accepts([part.removeprefix("/opt/learnagent/") for part in shlex.split(line)])


@pytest.mark.parametrize("name", ["learnagent-web@.service", "learnagent-worker.service"])
def test_services_have_time_for_a_graceful_end(name):
    (seconds,) = re.findall(r"^TimeoutStopSec=(\d+)$", (SYSTEMD / name).read_text(), re.MULTILINE)
    assert int(seconds) > PROGRAM_S


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not installed")
def test_systemd_accepts_the_units(tmp_path):
    folder = tmp_path / "units"
    shutil.copytree(SYSTEMD, folder)
    for path in folder.rglob("*.*"):
        if path.is_file():
            path.write_text(path.read_text().replace("/opt/learnagent", str(ROOT)))
    named = [path.name.replace("@", "@8001") for path in SYSTEMD.iterdir() if path.is_file()]
    checked = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *(str(folder / name) for name in named)],
        env={"SYSTEMD_UNIT_PATH": f"{folder}:"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (checked.returncode, checked.stderr) == (0, "")


def test_ports_of_the_target_and_of_both_proxies_are_the_same():
    (wanted,) = re.findall(r"^Wants=(.*)$", (SYSTEMD / "learnagent.target").read_text(), re.MULTILINE)
    started = re.findall(r"learnagent-web@(\d+)", wanted)
    for proxy in ("nginx.conf", "Caddyfile"):
        text = Path(DEPLOY / proxy).read_text()
        assert sorted(set(re.findall(r"127\.0\.0\.1:(\d+)", text))) == started, proxy


def run_command(folder, *arguments, uid):
    """Run the script for a program in another folder, as if by the user with this number; return what it prints.

    The programs print how they were called. `folder` stands for the systemd that is running, too.
    """
    programs = {
        ".venv/bin/python": 'echo "$PUBLIC_URL"',
        "bin/systemd-run": "echo systemd-run",
        "bin/id": f"echo {uid} ||",
    }
    for path, line in programs.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(f'#!/bin/sh\n{line} "$@"\n')
        (folder / path).chmod(0o755)
    script = (DEPLOY / "learnagent").read_text()
    changes = {
        "/opt/learnagent": folder,
        "/etc/learnagent/learnagent.env": DEPLOY / "learnagent.env",
        "/run/systemd/system": folder,
        "!= learnagent": "= ''",
    }
    for old, new in changes.items():
        assert old in script
        script = script.replace(old, str(new))
    search = {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
    command = ["sh", "-c", script, "learnagent", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=search).stdout


def test_command_runs_management_commands_with_the_settings_of_the_services(tmp_path):
    assert (
        run_command(tmp_path, "sendtestemail", "mira", uid=0)
        == "https://learn.example.org manage.py sendtestemail mira\n"
    )
    assert run_command(tmp_path, "doctor", uid=1000) == "https://learn.example.org manage.py doctor\n"


def test_command_doctor_has_the_limits_of_the_services(tmp_path):
    said = run_command(tmp_path, "doctor", uid=0).split()
    assert said[0] == "systemd-run"
    [unit] = [word.removeprefix("--unit=") for word in said if word.startswith("--unit=")]
    # The drop-in of the services counts for all units with such names.
    assert unit.startswith("learnagent-")
    assert said[-2:] == ["manage.py", "doctor"]
