"""The agents that are run here, as data: how each is told of our server and of the model, lists servers, and is asked.

Versions are in `package.json`. Settings are files below HOME: what is no text is written as JSON.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from clients.server import NAME, Http, Server, Stdio
from clients.wires import NAME as MODEL

Settings = Mapping[str, object]
_VERSIONS: Mapping[str, str] = json.loads(Path(__file__).with_name("package.json").read_bytes())["dependencies"]


@dataclass(frozen=True, slots=True)
class Agent:
    """`lists` and `asks` are arguments of `command`, the question last. {model} stands for the model's address."""

    name: str
    package: str
    command: str
    settings: Callable[[Server, str], Settings]
    lists: tuple[str, ...]
    connected: str
    """What the list says of a server that answered, as a pattern."""
    asks: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    calls: str = ""
    """By which name a model calls a tool that it is not shown, {tool} for ours; "" where it is, or can look for it."""
    says: tuple[Mapping[str, object], ...] = ()
    """Where servers are listed by a protocol: its messages, the last of which is answered by the list."""

    @property
    def version(self) -> str:
        return _VERSIONS[self.package]


def _entry(server: Server) -> dict[str, object]:
    """A server as most agents want it said."""
    if isinstance(server, Stdio):
        return {"command": server.command, "args": list(server.arguments)}
    return {"type": "http", "url": server.url, "headers": server.headers}


def _claude(server: Server, _model: str) -> Settings:
    return {".claude.json": {"mcpServers": {NAME: _entry(server)}, "hasCompletedOnboarding": True}}


def _codex(server: Server, model: str) -> Settings:
    if isinstance(server, Stdio):
        lines = [f"command = {json.dumps(server.command)}", f"args = {json.dumps(server.arguments)}"]
    else:
        lines = [
            f"url = {json.dumps(server.url)}",
            f'http_headers = {{ Authorization = "{server.headers["Authorization"]}" }}',
        ]
    config = f"""
model = "{MODEL}"
model_provider = "loopback"

[model_providers.loopback]
name = "loopback"
base_url = "{model}/v1"
wire_api = "responses"

[mcp_servers.{NAME}]
default_tools_approval_mode = "approve"
required = true
"""
    return {".codex/config.toml": config + "\n".join(lines) + "\n"}


def _gemini(server: Server, _model: str) -> Settings:
    login = {"auth": {"selectedType": "gemini-api-key"}}
    return {".gemini/settings.json": {"mcpServers": {NAME: _entry(server)}, "security": login}}


def _opencode(server: Server, model: str) -> Settings:
    if isinstance(server, Stdio):
        entry: dict[str, object] = {"type": "local", "command": [server.command, *server.arguments]}
    else:
        entry = {"type": "remote", "url": server.url, "headers": server.headers, "oauth": False}
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "options": {"baseURL": f"{model}/v1", "apiKey": "none"},
        "models": {MODEL: {}},
    }
    config = {"mcp": {NAME: entry}, "provider": {"loopback": provider}, "model": f"loopback/{MODEL}"}
    return {".config/opencode/opencode.json": config}


def _qwen(server: Server, _model: str) -> Settings:
    entry = {"httpUrl": server.url, "headers": server.headers} if isinstance(server, Http) else _entry(server)
    login = {"auth": {"selectedType": "openai"}}
    return {".qwen/settings.json": {"mcpServers": {NAME: entry}, "security": login}}


def _droid(server: Server, model: str) -> Settings:
    custom = {"model": MODEL, "displayName": MODEL, "baseUrl": f"{model}/v1", "apiKey": "none"}
    custom["provider"] = "generic-chat-completion-api"
    return {
        ".factory/mcp.json": {"mcpServers": {NAME: {"type": "stdio", "oauth": False} | _entry(server)}},
        ".factory/settings.json": {"customModels": [custom]},
    }


def _pi(server: Server, model: str) -> Settings:
    provider = {"baseUrl": f"{model}/v1", "api": "openai-completions", "apiKey": "none", "models": [{"id": MODEL}]}
    return {
        ".pi/agent/mcp.json": {"mcpServers": {NAME: _entry(server) | {"exposure": "direct"}}},
        ".pi/agent/models.json": {"providers": {"loopback": provider}},
    }


AGENTS = (
    Agent(
        "Claude Code",
        "@anthropic-ai/claude-code",
        "claude",
        _claude,
        ("mcp", "list"),
        rf"{NAME}: .* Connected",
        ("--allowedTools", f"mcp__{NAME}", "--print"),
        {
            "ANTHROPIC_BASE_URL": "{model}",
            "ANTHROPIC_API_KEY": "none",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        },
    ),
    Agent(
        "Codex",
        "@openai/codex",
        "codex",
        _codex,
        ("app-server",),
        r'"remember"',
        ("exec", "--skip-git-repo-check"),
        says=(
            {"id": 0, "method": "initialize", "params": {"clientInfo": {"name": NAME, "version": "0"}}},
            {"method": "initialized"},
            {"id": 1, "method": "mcpServerStatus/list", "params": {}},
        ),
    ),
    Agent(
        "Gemini CLI",
        "@google/gemini-cli",
        "gemini",
        _gemini,
        ("mcp", "list"),
        rf"{NAME}: .* Connected",
        ("--model", "gemini-2.5-flash", "--approval-mode", "yolo", "--prompt"),
        {
            "GEMINI_API_KEY": "none",
            "GOOGLE_GEMINI_BASE_URL": "{model}",
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        },
    ),
    Agent(
        "OpenCode",
        "opencode-ai",
        "opencode",
        _opencode,
        ("mcp", "list"),
        rf"{NAME} .*connected",
        ("run",),
    ),
    Agent(
        "Qwen Code",
        "@qwen-code/qwen-code",
        "qwen",
        _qwen,
        ("mcp", "list"),
        rf"{NAME}: .* Connected",
        ("--approval-mode", "yolo", "--prompt"),
        {"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": "{model}/v1", "OPENAI_MODEL": MODEL},
        calls=f"mcp__{NAME}__{{tool}}",
    ),
    Agent(
        "Droid",
        "droid",
        "droid",
        _droid,
        ("mcp", "list"),
        rf"{NAME}.*connected",
        ("exec", "--auto", "high", "--model", f"custom:{MODEL}"),
        {"FACTORY_API_KEY": "fk-none"},
        calls=f"{NAME}___{{tool}}",
    ),
    Agent(
        "pi",
        "@earendil-works/pi-coding-agent",
        "pi",
        _pi,
        ("mcp", "list", "--json"),
        r'"connected"',
        ("--provider", "loopback", "--model", MODEL, "--print"),
    ),
)
