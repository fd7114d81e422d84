// What only its own agent understands, through a fork in the same agent: the commands a person ran, and tools that
// a search for tools found. The real program must send the same for the fork as for the session it was made of.
import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { openHome } from "./home.mjs";
import { carry, located } from "./library.mjs";

const at = (second) => new Date(Date.now() - 600_000 + second * 1000).toISOString();

/** By agent: writes a session with such things into a program's home and returns its id. */
const made = {
  "claude-code"({ home, cwd }) {
    const call = { type: "tool_use", id: "call_1", name: "ToolSearch", input: { query: "web" } };
    const found = ["WebFetch", "NotebookEdit"].map((tool_name) => ({
      type: "tool_reference",
      tool_name,
    }));
    const contents = [
      ["user", "<bash-input>cat a.txt</bash-input>"],
      ["user", "<bash-stdout>three tiny words</bash-stdout><bash-stderr></bash-stderr>"],
      ["user", "Which tools are there for the web?"],
      ["assistant", [call]],
      ["user", [{ type: "tool_result", tool_use_id: "call_1", content: found }]],
      ["assistant", [{ type: "text", text: "Two." }]],
    ];
    const session = randomUUID();
    const ids = contents.map(() => randomUUID());
    const records = contents.map(([role, content], index) => ({
      type: role,
      uuid: ids[index],
      parentUuid: ids[index - 1] ?? null,
      timestamp: at(index),
      sessionId: session,
      cwd,
      message: { role, content },
    }));
    const folder = cwd.replaceAll(/[^A-Za-z0-9]/g, "-");
    write(join(home, ".claude", "projects", folder, `${session}.jsonl`), records);
    return session;
  },

  codex({ home, cwd }) {
    const session = randomUUID();
    const item = (role, type, text) => ({
      timestamp: at(1),
      type: "response_item",
      payload: { type: "message", role, content: [{ type, text }] },
    });
    const shell =
      "<user_shell_command>\n<command>\ncat a.txt\n</command>\n<result>\nExit code: 0\nOutput:\nthree tiny words\n</result>\n</user_shell_command>";
    const meta = {
      id: session,
      timestamp: at(0),
      cwd,
      originator: "x",
      cli_version: "0.0.0",
      source: "cli",
    };
    const day = at(0).slice(0, 10).split("-");
    const name = `rollout-${at(0).slice(0, 19).replaceAll(":", "-")}-${session}.jsonl`;
    write(join(home, ".codex", "sessions", ...day, name), [
      { timestamp: at(0), type: "session_meta", payload: meta },
      item("user", "input_text", "How many words are in a.txt?"),
      {
        timestamp: at(1),
        type: "event_msg",
        payload: { type: "user_message", message: "How many words are in a.txt?" },
      },
      item("assistant", "output_text", "See for yourself."),
      item("user", "input_text", shell),
    ]);
    return session;
  },

  pi({ home, cwd }) {
    const session = randomUUID();
    const message = (number, of) => ({
      type: "message",
      id: `0000000${number}`,
      parentId: number === 1 ? null : `0000000${number - 1}`,
      timestamp: at(number),
      message: of,
    });
    const folder = `--${cwd.replace(/^[/\\]/, "").replaceAll(/[/\\:]/g, "-")}--`;
    const name = `${at(0).replaceAll(/[:.]/g, "-")}_${session}.jsonl`;
    const ran = { output: "three tiny words", exitCode: 0, cancelled: false, truncated: false };
    write(join(home, ".pi", "agent", "sessions", folder, name), [
      { type: "session", version: 3, id: session, timestamp: at(0), cwd },
      message(1, { role: "user", content: [{ type: "text", text: "How many?" }], timestamp: 1 }),
      message(2, {
        role: "assistant",
        content: [{ type: "text", text: "See for yourself." }],
        api: "openai-completions",
        provider: "stub",
        model: "stub-1",
        usage: {},
        stopReason: "stop",
        timestamp: 2,
      }),
      message(3, { role: "bashExecution", command: "cat a.txt", ...ran, timestamp: 3 }),
    ]);
    return session;
  },
};

/** The agents whose forks are proven. */
export const forked = Object.keys(made);

/** Everything that is promised of a fork in one program; returns what does not hold. */
export async function provenFork(program, { root, cwd }) {
  const { agent } = program;
  const home = await openHome(program, { root, name: `${agent}-fork`, cwd });
  const problems = [];
  try {
    const session = made[agent]({ home: home.home, cwd });
    const ref = located(agent, { env: home.env, session, projects: [cwd] });
    const fork = await carry(
      { from: agent, ref, env: home.env },
      { to: agent, into: home.env, cwd, problems },
    );
    const [before, after] = [
      await sentFor(home, session, "Of-the-first."),
      await sentFor(home, fork.session, "Of-the-fork."),
    ];
    if (!before.text.includes("three tiny words")) problems.push("the program tells no command");
    if (!isDeepStrictEqual(before.tools, after.tools)) {
      problems.push(`offers ${after.tools.join(" ")} instead of ${before.tools.join(" ")}`);
    }
    if (before.text !== after.text) {
      problems.push(`tells ${after.text.slice(0, 500)} instead of ${before.text.slice(0, 500)}`);
    }
    return problems;
  } finally {
    await home.close();
  }
}

/** What a model is told of a session and which tools it is offered; ids may differ. */
async function sentFor(home, session, prompt) {
  const [atoms] = await home.turn({ session, prompt, says: ["Answered."] });
  const { body } = home.stub.requests.find(({ probe }) => probe === prompt);
  const own = atoms.map(({ id: _id, ...atom }) => JSON.stringify(atom).replaceAll(prompt, ""));
  const tools = (body.tools ?? []).map(({ name, type }) => name ?? type).sort();
  return { tools, text: own.join("\n") };
}

function write(path, records) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
}
