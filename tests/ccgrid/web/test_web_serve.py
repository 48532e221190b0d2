"""Tests of the command `serve`: its output, its lock, its end, and the missing extra."""

import json
import signal

import pytest
import requests
from helpers.catalogues import Shell

from ccgrid.catalog.extras import install_command


def start_server(shell: Shell, *options: str):
    for module in ("starlette", "uvicorn", "jinja2", "segno"):
        pytest.importorskip(module, reason="the extra 'web' is not installed")
    return shell.start("serve", "--port", "0", *options)


def test_server_prints_address_runs_once_and_stops_with_ctrl_c(shell: Shell):
    process = start_server(shell, "--json")
    address = json.loads(process.stdout.readline())["address"]
    assert requests.get(address, timeout=60).status_code == 200
    second = start_server(shell)
    _, errors = second.communicate(timeout=240)
    assert (second.returncode, "is running already" in errors) == (3, True)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=240)
    assert (process.returncode, errors) == (0, "")


def test_new_token_locks_out_phones(shell: Shell):
    addresses = []
    for options in ((), ("--new-token",)):
        process = start_server(shell, "--lan", *options)
        lines = [process.stdout.readline()]
        while not lines[-1].startswith("Open http://"):
            lines.append(process.stdout.readline())
        addresses.append(lines[-1].split()[1])
        assert any("█" in line for line in lines[:-1])
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=240)
        assert "nothing is encrypted" in errors
    tokens = {address.partition("?token=")[2] for address in addresses}
    assert len(tokens) == 2


def test_serve_without_extra_names_the_extra(shell: Shell, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("ccgrid.catalog.extras.find_spec", lambda name: None)
    rejected = shell("serve")
    assert (rejected.status, install_command("web") in rejected.err) == (3, True)
