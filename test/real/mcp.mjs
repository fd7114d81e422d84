// The MCP server in the real programs: installed by our own command into a private home, its tools called in a scripted
// turn; what the model is sent holds the right session. Then uninstalled, and the settings are as they were.
//
//   node test/real/mcp.mjs [--only claude-code] [--keep]
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { kept, temporaryFolder } from "../temporary-folder.mjs";
import { openHome, run } from "./home.mjs";
import { current, installAll } from "./install.mjs";

const reprise = fileURLToPath(new URL("../../dist/bin/reprise.js", import.meta.url));

/**
 * By agent: its settings, in a form it has no reason to rewrite; what it calls a tool of ours and what a model must do to
 * call it; the arguments of a turn; and how it lists its servers, and adds one, without a screen.
 */
const scripts = {
  "claude-code": {
    file: ".claude.json",
    // It rewrites this file at every start: what is ours must be gone, and the rest as it left it.
    rewrites: true,
    tool: (name) => `mcp__reprise__${name}`,
    turn: (prompt, tools) => [
      "-p",
      "--output-format",
      "json",
      "--allowedTools",
      tools.join(","),
      "--",
      prompt,
    ],
    list: ["mcp", "list"],
    add: (argv) => ["mcp", "add", "--scope", "user", "reprise", "--", ...argv],
  },
  codex: {
    file: ".codex/config.toml",
    // In a repository Codex adds this by itself at its first run.
    settings: (text, cwd) =>
      `${text}\n[projects.${JSON.stringify(cwd)}]\ntrust_level = "trusted"\n`,
    // A model has to look for tools of servers before it can call them.
    search: "search sessions recall memories",
    tool: (name) => name,
    offered: (name) => `"name":"${name}"`,
    namespace: "mcp__reprise",
    turn: (prompt) => [
      "exec",
      "--json",
      "--skip-git-repo-check",
      "--dangerously-bypass-approvals-and-sandbox",
      prompt,
    ],
    list: ["mcp", "list"],
    add: (argv) => ["mcp", "add", "reprise", "--", ...argv],
  },
  "gemini-cli": {
    file: ".gemini/settings.json",
    settings: (text) => {
      const { general: _older, ...rest } = JSON.parse(text);
      return `${JSON.stringify({ general: { enableAutoUpdate: false }, ...rest }, undefined, 2)}\n`;
    },
    tool: (name) => `mcp_reprise_${name}`,
    turn: (prompt) => ["--model", "gemini-2.5-pro", "--yolo", "-p", prompt],
    list: ["mcp", "list"],
    add: (argv) => ["mcp", "add", "--scope", "user", "reprise", ...argv],
  },
  opencode: {
    file: ".config/opencode/opencode.json",
    settings: (text) =>
      `${JSON.stringify({ $schema: "https://opencode.ai/config.json", ...JSON.parse(text) }, undefined, 2)}\n`,
    tool: (name) => `reprise_${name}`,
    turn: (prompt) => ["run", prompt],
    list: ["mcp", "list"],
  },
  "copilot-cli": {
    file: ".copilot/mcp-config.json",
    tool: (name) => `reprise-${name}`,
    turn: (prompt) => ["--allow-all-tools", "-p", prompt],
    list: ["mcp", "list"],
  },
};

/** The agents in which the server is proven. */
export const served = Object.keys(scripts);

/** A session of another agent with a word that nothing else has. */
const session = "7d0e1c54-93a1-4f6b-8f5e-0c4a4a9b7c11";
const fact = "The heron cache listens on port 7431.";

/** Everything that is promised of the server in one program; returns what does not hold. */
export async function provenMcp(program, { root, cwd }) {
  const script = scripts[program.agent];
  const home = await openHome(program, { root, name: `${program.agent}-mcp`, cwd });
  const problems = [];
  const check = (holds, says) => {
    if (!holds) problems.push(says);
  };
  const ours = async (...args) => {
    const ended = await run([process.execPath, reprise, ...args], { cwd, env: home.env.variables });
    // A search that finds nothing ends with 1.
    const isGood = ended.code === 0 || (ended.code === 1 && args[0] === "search");
    if (!isGood) throw new Error(`reprise ${args.join(" ")}: ${ended.said()}`);
    return ended.output;
  };
  const file = join(home.home, script.file);
  const text = () => (existsSync(file) ? readFileSync(file, "utf8") : undefined);
  try {
    putSession(home.home, cwd);
    await ours(
      "memory",
      "store",
      "heron port",
      "The heron cache listens on port 7431 since spring",
    );
    if (script.settings !== undefined) writeFileSync(file, script.settings(text() ?? "", cwd));
    const before = text();
    await ours("mcp", "install", program.agent, "--inbox", "--yes");
    check((text() ?? "").includes('"mcp"'), `${script.file} does not name the server`);
    const listed = await home.start(script.list);
    check(
      /reprise/.test(listed.output + listed.errors),
      `its own list does not name it: ${listed.said()}`,
    );
    const calls = [
      { name: "search_sessions", input: { query: "heron cache" }, finds: `pi:${session}` },
      {
        name: "recall",
        input: { question: "Which port does the heron cache listen on?" },
        finds: "7431",
      },
    ];
    for (const { name, input, finds } of calls) {
      const prompt = `Call-${name}-of-${process.pid}.`;
      const tool = script.tool(name);
      const call = { name: tool, namespace: script.namespace, input };
      const steps = script.search === undefined ? [call] : [{ search: script.search }, call];
      home.stub.say(prompt, [...steps, "Done."]);
      const ended = await home.start(script.turn(prompt, [tool]));
      check(ended.code === 0, `${name}: the program failed: ${ended.said()}`);
      const sent = home.stub.requests.filter(({ probe }) => probe === prompt);
      check(sent.length > steps.length, `${name}: ${sent.length} requests: ${ended.said()}`);
      const offered = JSON.stringify(sent[steps.length - 1]?.body ?? "");
      check(
        offered.includes(script.offered?.(name) ?? tool),
        `${name} was not offered to the model`,
      );
      const answer = resultsIn(JSON.stringify(sent.at(-1)?.body ?? ""));
      check(answer.includes(finds), `${name} did not give ${finds}: ${answer.slice(0, 600)}`);
      check(answer.includes("reprise-context"), `${name}: the answer is not marked as ours`);
    }
    const found = JSON.parse(await ours("search", "spring", "--json"));
    check(
      found.sessions.every(({ agent }) => agent !== program.agent),
      `what recall said is in the index: ${JSON.stringify(found.sessions).slice(0, 400)}`,
    );
    check(
      left(home.home).length === 0,
      `processes were left behind: ${left(home.home).join(", ")}`,
    );
    const during = text();
    await ours("mcp", "uninstall", program.agent, "--yes");
    const after = text();
    if (script.rewrites)
      check(
        isWithoutOurs(during, after),
        `${script.file} lost more than the server, or not all of it`,
      );
    else check(after === before, `${script.file} is not as it was before: ${after}`);
    // What the program's own command adds is the same entry to us.
    if (script.add !== undefined) {
      const added = await home.start(script.add([process.execPath, reprise, "mcp"]));
      check(added.code === 0, `its own command failed: ${added.said()}`);
      check(
        isInstalled(await ours("mcp", "status", program.agent, "--json")),
        "an entry of its own is not known",
      );
      await ours("mcp", "uninstall", program.agent, "--yes");
      check(!(text() ?? "").includes("reprise.js"), "an entry of its own was not removed");
    }
    return problems;
  } finally {
    await home.close();
  }
}

function isInstalled(json) {
  return JSON.parse(json).agents[0].installed.length === 1;
}

/** What came after our mark in what the model was sent. */
function resultsIn(body) {
  return body.slice(Math.max(0, body.lastIndexOf("reprise-context v=") - 40));
}

/** Whether a file of JSON is as the program writes it, with our entry gone and nothing else. */
function isWithoutOurs(during, after) {
  const expected = JSON.parse(during);
  delete expected.mcpServers.reprise;
  if (Object.keys(expected.mcpServers).length === 0) delete expected.mcpServers;
  return after === JSON.stringify(expected, undefined, 2) + (during.endsWith("\n") ? "\n" : "");
}

/** Servers of ours that still run for a home. */
function left(home) {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
        const env = readFileSync(`/proc/${pid}/environ`, "utf8");
        return /reprise\.js mcp/.test(line) && env.includes(`HOME=${home}\0`) ? [line] : [];
      } catch {
        return [];
      }
    });
}

/** A session that Pi wrote in the project. */
function putSession(home, cwd) {
  const folder = join(
    home,
    ".pi",
    "agent",
    "sessions",
    `--${cwd.replace(/^\//, "").replaceAll("/", "-")}--`,
  );
  const path = join(folder, `2026-11-01T10-00-00-000Z_${session}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  const at = (second) => `2026-11-01T10:00:0${second}.000Z`;
  const message = (id, parentId, role, said) => ({
    type: "message",
    id,
    parentId,
    timestamp: at(Number(id)),
    message: {
      role,
      content: [{ type: "text", text: said }],
      timestamp: Date.parse(at(Number(id))),
    },
  });
  const lines = [
    { type: "session", version: 3, id: session, timestamp: at(0), cwd },
    message("1", null, "user", "Where does the heron cache listen?"),
    message("2", "1", "assistant", fact),
  ];
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { only: { type: "string" }, keep: { type: "boolean" } },
  });
  const wanted = values.only?.split(",") ?? served;
  const root = temporaryFolder();
  if (values.keep) process.stdout.write(`kept: ${kept(root)}\n`);
  const cwd = join(root, "project");
  mkdirSync(cwd);
  let failed = 0;
  for (const program of await installAll(current.filter(({ agent }) => wanted.includes(agent)))) {
    const problems = await provenMcp(program, { root, cwd }).catch((error) => [String(error)]);
    if (problems.length > 0) failed += 1;
    const says = problems.length === 0 ? "ok" : problems.join("\n  ");
    process.stdout.write(`${program.agent} ${program.version}: ${says}\n`);
  }
  process.exit(failed === 0 ? 0 : 1);
}
