/** The first line of our plugin, by which it is known again. */
export const pluginMark =
  "// Written by `reprise hooks install`; `reprise hooks uninstall` removes it.";

/**
 * The plugin that passes OpenCode's events to our hook. It waits only where something may be given to the
 * model; a hook that fails or is slow is given up, and OpenCode notices nothing (P9).
 */
export function pluginText(argv: readonly string[]): string {
  return `${pluginMark}
import { spawn } from "node:child_process";

const [program, ...args] = ${JSON.stringify(argv)};
const giveUpMs = 3000;

/** Tools that change files. */
const changing = new Set(["write", "edit", "multiedit", "patch", "apply_patch", "bash"]);

/** By session: the newest counts, the model, the parent. */
const known = new Map();
const calls = new Map();

function send(payload) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ["pipe", "pipe", "ignore"] });
    let said = "";
    const clock = setTimeout(() => child.kill(), giveUpMs);
    child.on("error", () => resolve(""));
    child.stdin.on("error", () => undefined);
    child.stdout.on("data", (data) => {
      said += data;
    });
    child.on("close", () => {
      clearTimeout(clock);
      resolve(said);
    });
    child.stdin.end(JSON.stringify(payload));
  });
}

export const Reprise = async ({ client, directory }) => {
  let queue = Promise.resolve("");
  const windows = new Map();

  async function windowOf(providerID, modelID) {
    const key = providerID + "/" + modelID;
    if (!windows.has(key)) {
      windows.set(key, undefined);
      try {
        const { data } = await client.config.providers();
        const provider = data.providers.find(({ id }) => id === providerID);
        windows.set(key, provider?.models?.[modelID]?.limit?.context);
      } catch {
        // An older OpenCode does not tell.
      }
    }
    return windows.get(key);
  }

  /** One after the other, in the order they happened. */
  function tell(name, session, more = {}) {
    if (typeof session !== "string") return Promise.resolve("");
    const { tokens, model, window, parent } = known.get(session) ?? {};
    const payload = { hook_event_name: name, session_id: session, cwd: directory };
    Object.assign(payload, { tokens, model, window, parent_id: parent }, more);
    queue = queue.then(() => send(payload)).catch(() => "");
    return queue;
  }

  async function counted(info) {
    const entry = known.get(info.sessionID) ?? {};
    if (info.tokens && (info.tokens.input || info.tokens.output || info.tokens.cache?.read)) {
      entry.tokens = info.tokens;
      entry.model = info.modelID;
    }
    known.set(info.sessionID, entry);
    entry.window = await windowOf(info.providerID, info.modelID);
  }

  return {
    event: async ({ event }) => {
      const { type, properties = {} } = event;
      if (type === "session.created") {
        const { id, parentID } = properties.info ?? {};
        if (parentID) known.set(id, { parent: parentID });
        tell(type, id, { source: "startup" });
      } else if (type === "message.updated" && properties.info?.role === "assistant") {
        await counted(properties.info);
      } else if (type === "message.part.updated" && properties.part?.type === "tool") {
        const { callID, sessionID, tool, state } = properties.part;
        if (state?.status !== "error" || calls.get(callID) === "told") return;
        calls.set(callID, "told");
        tell("tool.failed", sessionID, { tool_name: tool, tool_use_id: callID, tool_input: state.input });
      } else if (type === "session.compacted") {
        const entry = known.get(properties.sessionID);
        if (entry) delete entry.tokens;
        tell(type, properties.sessionID);
      } else if (type === "session.idle") {
        calls.clear();
        tell(type, properties.sessionID);
      }
    },
    "chat.message": async ({ sessionID, agent }, output) => {
      const prompt = (output.parts ?? [])
        .map((part) => (part.type === "text" && !part.synthetic ? part.text : ""))
        .join("");
      const said = await tell("chat.message", sessionID, { prompt, agent_name: agent });
      if (!said) return;
      try {
        const { context } = JSON.parse(said);
        // As OpenCode makes its ids, so that the part stands behind the prompt.
        const time = (BigInt(Date.now()) * 4096n) & 0xffffffffffffn;
        const id = "prt_" + time.toString(16).padStart(12, "0") + "reprise" + Math.random().toString(36).slice(2, 9).padEnd(7, "0");
        const messageID = output.message.id;
        output.parts.push({ id, sessionID, messageID, type: "text", text: context, synthetic: true });
      } catch {
        // Text that is not JSON is ignored.
      }
    },
    "tool.execute.before": async ({ sessionID, tool, callID }, output) => {
      if (!changing.has(tool)) return;
      // Waited for: what the tool changes is kept first.
      await tell("tool.execute.before", sessionID, {
        tool_name: tool,
        tool_use_id: callID,
        tool_input: output?.args ?? {},
      });
    },
    "tool.execute.after": async ({ sessionID, tool, callID, args: input }, output) => {
      tell("tool.execute.after", sessionID, {
        tool_name: tool,
        tool_use_id: callID,
        tool_input: input ?? output?.metadata?.input ?? {},
      });
    },
    "experimental.session.compacting": async ({ sessionID }) => {
      await tell("session.compacting", sessionID, { trigger: "auto" });
    },
    dispose: async () => {
      for (const session of known.keys()) tell("dispose", session, { reason: "dispose" });
      await queue;
    },
  };
};
`;
}
