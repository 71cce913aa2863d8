import { join } from "node:path";
import type { Step } from "./model-server.ts";

/** The coding agents that run here: how each is pointed at a model of our own and given the MCP server `demo`. */
const mcpServer = join(import.meta.dirname, "mcp-server.mjs");

/** Where one run happens. */
export interface Place {
  home: string;
  work: string;
  noted: string;
  url: string;
}
export interface Agent {
  package: string;
  bin: string;
  shell: string;
  /** How the model names the tool `read_file` of the MCP server `demo`. */
  mcp: Pick<Step, "tool" | "namespace">;
  shellInput?: (command: string) => Record<string, unknown>;
  env?: (place: Place) => Record<string, string>;
  files?: (place: Place) => Record<string, string>;
  args: (place: Place) => string[];
}

const server = ({ noted }: Place) => ({ command: process.execPath, args: [mcpServer, noted] });
const servers = (place: Place) => ({ mcpServers: { demo: server(place) } });

export const agents: Record<string, Agent> = {
  "claude-code": {
    package: "@anthropic-ai/claude-code@2.1.329",
    bin: "claude",
    shell: "Bash",
    mcp: { tool: "mcp__demo__read_file" },
    env: ({ url }) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "none",
      DISABLE_AUTOUPDATER: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    }),
    files: place => ({ [join(place.work, "mcp.json")]: JSON.stringify(servers(place)) }),
    args: ({ work }) => [
      "-p",
      "go",
      "--mcp-config",
      join(work, "mcp.json"),
      "--allowedTools",
      "Bash,mcp__demo__read_file",
    ],
  },
  codex: {
    package: "@openai/codex@0.169.0",
    bin: "codex",
    shell: "exec_command",
    shellInput: cmd => ({ cmd }),
    mcp: { tool: "read_file", namespace: "mcp__demo" },
    files: place => ({
      [join(place.home, ".codex", "config.toml")]: [
        'model = "gpt-5.4"\nmodel_provider = "local"\n[model_providers.local]\nname = "local"\nwire_api = "responses"',
        `base_url = "${place.url}/v1"`,
        `[mcp_servers.demo]\ncommand = ${JSON.stringify(server(place).command)}\nargs = ${JSON.stringify(server(place).args)}\n`,
      ].join("\n"),
    }),
    // Trust is a person's press; here it is given for this one run.
    args: () => [
      "exec",
      "--skip-git-repo-check",
      "--dangerously-bypass-approvals-and-sandbox",
      "--dangerously-bypass-hook-trust",
      "go",
    ],
  },
  "gemini-cli": {
    package: "@google/gemini-cli@0.61.0",
    bin: "gemini",
    shell: "run_shell_command",
    mcp: { tool: "mcp_demo_read_file" },
    env: ({ url }) => ({ GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: "true" }),
    files: place => ({
      [join(place.home, ".gemini", "settings.json")]: JSON.stringify({
        security: { auth: { selectedType: "gemini-api-key" } },
        ...servers(place),
      }),
    }),
    args: () => ["-p", "go", "--yolo", "-m", "gemini-2.5-flash"],
  },
  "copilot-cli": {
    package: "@github/copilot@1.0.102",
    bin: "copilot",
    shell: "bash",
    shellInput: command => ({ command, description: "x" }),
    mcp: { tool: "demo-read_file" },
    env: ({ url }) => ({ COPILOT_OFFLINE: "true", COPILOT_PROVIDER_BASE_URL: `${url}/v1`, COPILOT_MODEL: "m1" }),
    files: place => ({
      [join(place.home, ".copilot", "mcp-config.json")]: JSON.stringify({
        mcpServers: { demo: { type: "local", tools: ["*"], ...server(place) } },
      }),
    }),
    args: () => ["-p", "go", "--allow-all-tools", "--allow-all-paths"],
  },
  "qwen-code": {
    package: "@qwen-code/qwen-code@0.15.10",
    bin: "qwen",
    shell: "run_shell_command",
    shellInput: command => ({ command, is_background: false }),
    mcp: { tool: "mcp__demo__read_file" },
    env: ({ url }) => ({ OPENAI_API_KEY: "none", OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: "m1" }),
    files: place => ({
      [join(place.home, ".qwen", "settings.json")]: JSON.stringify({
        security: { auth: { selectedType: "openai" } },
        ...servers(place),
      }),
    }),
    args: () => ["-p", "go", "--yolo", "--auth-type", "openai"],
  },
  opencode: {
    package: "opencode-ai@1.18.33",
    bin: "opencode",
    shell: "bash",
    shellInput: command => ({ command, description: "x" }),
    mcp: { tool: "demo_read_file" },
    env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: "1" }),
    files: place => ({
      [join(place.work, "opencode.json")]: JSON.stringify({
        model: "local/m1",
        permission: { "*": "allow" },
        provider: {
          local: {
            npm: "@ai-sdk/openai-compatible",
            options: { baseURL: `${place.url}/v1`, apiKey: "none" },
            models: { m1: { tool_call: true } },
          },
        },
        mcp: { demo: { type: "local", command: [server(place).command, ...server(place).args] } },
      }),
    }),
    args: () => ["run", "go"],
  },
};

/** What the model makes the agent do: a shell command, or `read_file` of the MCP server `demo`. */
export function steps({ shell, shellInput, mcp }: Agent) {
  return {
    shell: (command: string): Step => ({ tool: shell, input: shellInput?.(command) ?? { command, description: "x" } }),
    read: (path: string): Step => ({ ...mcp, input: { path } }),
  };
}
