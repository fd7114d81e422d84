// How each real program is set up in a private home, continues a session with one prompt and lists what it
// has. Nothing of this machine leaks in: the environment is built from nothing, every key is a dummy,
// telemetry and updates are off, and the one address that answers is the stub's.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What the scripted call of each program's own shell runs. */
export const shellCommand = "echo spoken-by-the-shell";

/**
 * By agent: `prepare` its home, `turn` as arguments, `list` as arguments where it has a list without a
 * screen, `shell` as a scripted call, `injected` as what it says in the user's name by itself.
 */
export const programs = {
  "claude-code": {
    prepare({ url }) {
      return {
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_API_KEY: "sk-ant-dummy",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTOUPDATER: "1",
        DISABLE_TELEMETRY: "1",
        DISABLE_ERROR_REPORTING: "1",
      };
    },
    turn: ({ session, prompt }) => [
      ...["-p", "--output-format", "json", "--allowedTools", "Bash"],
      ...(session === undefined ? ["--continue"] : ["--resume", session]),
      ...["--", prompt],
    ],
    shell: { name: "Bash", input: { command: shellCommand, description: "Says something" } },
    injected: [/^\s*<system-reminder>/],
  },

  codex: {
    prepare({ url, home }) {
      const lines = [
        'model = "gpt-5.5"',
        'model_provider = "stub"',
        'approval_policy = "never"',
        'sandbox_mode = "danger-full-access"',
        "check_for_update_on_startup = false",
        // Old versions cut long results of models they do not know.
        "tool_output_token_limit = 100000",
        "[analytics]",
        "enabled = false",
        "[model_providers.stub]",
        'name = "stub"',
        `base_url = "${url}/v1"`,
        'wire_api = "responses"',
        'env_key = "STUB_KEY"',
        "request_max_retries = 0",
        "stream_max_retries = 0",
      ];
      write(join(home, ".codex", "config.toml"), `${lines.join("\n")}\n`);
      return { STUB_KEY: "dummy" };
    },
    turn: ({ session, prompt }) => [
      ...["exec", "--json", "--skip-git-repo-check", "resume", session ?? "--last", prompt],
    ],
    shell: { name: "exec_command", input: { cmd: shellCommand } },
    injected: [/^<environment_context>/, /^# AGENTS\.md/],
  },

  "gemini-cli": {
    prepare({ url, home }) {
      const settings = {
        general: { disableAutoUpdate: true, enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
      };
      write(join(home, ".gemini", "settings.json"), JSON.stringify(settings));
      return {
        GEMINI_API_KEY: "dummy",
        GOOGLE_GEMINI_BASE_URL: url,
        GEMINI_CLI_NO_RELAUNCH: "true",
      };
    },
    turn: ({ session, prompt }) => [
      ...["--model", "gemini-2.5-pro", "--yolo", "--resume", session ?? "latest", "-p", prompt],
    ],
    list: ["--list-sessions"],
    shell: { name: "run_shell_command", input: { command: shellCommand } },
    injected: [/^\s*<session_context>/],
    // It keeps each result of its own calls twice, and sends both after a resume.
    repeatsOwnResults: true,
    // It drops what looks like a command, unless a sign that nobody sees stands before it.
    unmarked: (text) => text.replace(/^\u200b/, ""),
  },

  opencode: {
    prepare({ url, home }) {
      const model = {
        name: "Stub",
        attachment: true,
        tool_call: true,
        modalities: { input: ["text", "image"], output: ["text"] },
        limit: { context: 200_000, output: 8_000 },
      };
      const provider = {
        npm: "@ai-sdk/openai-compatible",
        options: { baseURL: `${url}/v1`, apiKey: "dummy" },
        models: { "stub-1": model },
      };
      const settings = {
        provider: { stub: provider },
        model: "stub/stub-1",
        small_model: "stub/stub-1",
        autoupdate: false,
        share: "disabled",
      };
      const folder = join(home, ".config", "opencode");
      write(join(folder, "opencode.json"), JSON.stringify(settings));
      // It installs a package for plugins to import, which ours do not; where it lies already nothing is fetched.
      const dependencies = { "@opencode-ai/plugin": "*" };
      mkdirSync(join(folder, "node_modules"), { recursive: true });
      write(
        join(folder, "package-lock.json"),
        JSON.stringify({ packages: { "": { dependencies } } }),
      );
      return {
        OPENCODE_DISABLE_AUTOUPDATE: "1",
        OPENCODE_DISABLE_MODELS_FETCH: "1",
        OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      };
    },
    turn: ({ session, prompt }) => [
      ...["run", ...(session === undefined ? ["--continue"] : ["--session", session]), prompt],
    ],
    // Only the program makes its database.
    first: ["session", "list"],
    list: ["session", "list"],
    shell: { name: "bash", input: { command: shellCommand, description: "Says something" } },
    // What its summary answers to.
    injected: [/^What did we do so far\?$/],
  },

  pi: {
    prepare({ url, home }) {
      const model = {
        id: "stub-1",
        name: "Stub",
        reasoning: false,
        input: ["text", "image"],
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
        contextWindow: 200_000,
        maxTokens: 8_000,
      };
      const provider = {
        baseUrl: `${url}/v1`,
        apiKey: "dummy",
        api: "openai-completions",
        models: [model],
      };
      const settings = { defaultProvider: "stub", defaultModel: "stub-1", quietStartup: true };
      write(
        join(home, ".pi", "agent", "models.json"),
        JSON.stringify({ providers: { stub: provider } }),
      );
      write(join(home, ".pi", "agent", "settings.json"), JSON.stringify(settings));
      return { PI_SKIP_VERSION_CHECK: "1", PI_OFFLINE: "1", PI_TELEMETRY: "0" };
    },
    turn: ({ session, prompt }) => [
      ...(session === undefined ? ["-c"] : ["--session", session]),
      ...["-p", prompt],
    ],
    shell: { name: "bash", input: { command: shellCommand } },
    // Chat Completions takes no image in a result: it follows in a message of its own.
    injected: [/^Attached image\(s\) from tool result:$/],
  },

  "copilot-cli": {
    prepare: ({ url, home }) => ({
      COPILOT_OFFLINE: "true",
      COPILOT_AUTO_UPDATE: "false",
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: "dummy",
      COPILOT_MODEL: "stub-1",
      // It unpacks itself once: the homes share where.
      XDG_CACHE_HOME: join(dirname(home), "copilot-cache"),
    }),
    turn: ({ session, prompt }) => [
      ...(session === undefined ? ["--continue"] : [`--resume=${session}`]),
      ...["--allow-all-tools", "-p", prompt],
    ],
    shell: { name: "bash", input: { command: shellCommand, description: "Says something" } },
    // What it calls an image without a name.
    injected: [/^Attached image$/],
    // Every prompt is sent with the time before it.
    unmarked: (text) => text.replace(/^<current_datetime>[^<]*<\/current_datetime>\n\n/, ""),
  },

  "qwen-code": {
    prepare({ url, home }) {
      const settings = {
        general: { disableAutoUpdate: true, enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        security: { auth: { selectedType: "openai" }, folderTrust: { enabled: false } },
      };
      write(join(home, ".qwen", "settings.json"), JSON.stringify(settings));
      // It sends images only to models that it knows to take them.
      return { OPENAI_API_KEY: "dummy", OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: "gpt-4o" };
    },
    turn: ({ session, prompt }) => [
      ...(session === undefined ? ["--continue"] : ["--resume", session]),
      ...["--yolo", "-p", prompt],
    ],
    shell: {
      name: "run_shell_command",
      input: { command: shellCommand, description: "Says something", is_background: false },
    },
    injected: [/^\s*<system-reminder>/],
  },

  amp: {
    // The stub stands in for its server, which it asks for the user, the model and to keep threads.
    prepare: ({ url }) => ({ AMP_URL: url, AMP_API_KEY: "dummy" }),
    turn: ({ session, prompt }) => [
      ...["threads", "continue", ...(session === undefined ? ["--last"] : [session])],
      ...["--dangerously-allow-all", "-x", prompt],
    ],
    shell: { name: "Bash", input: { cmd: shellCommand } },
    injected: [/^# User State/, /^<attached_image path=/],
    // It tells its model why a tool failed in an element.
    unmarked: (text) => text.replace(/^<error>([\s\S]*)<\/error>$/, "$1"),
  },
};

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
