import { statSync } from "node:fs";
import { uuidv7 } from "../../base/ids.ts";
import { formatVersion } from "../../log/header.ts";
import { neededSecret } from "../../log/seal.ts";
import type { EventBody, SessionStart } from "../../model/event.ts";
import type { OutgoingAbout, OutgoingMessage } from "../../model/outgoing.ts";
import { userHome } from "../../store/home.ts";
import { type IncomingEvent, removeImported, stageSession } from "../../store/import.ts";
import { ownAgent } from "../../store/own-agent.ts";
import { identifyProject } from "../../store/project.ts";
import type { AgentWriter, WriteOptions, Written } from "../contract.ts";

/** Our own format holds everything; calls that the chat has tools for are reported in its words. */
export const writer: AgentWriter = {
  holds: { thinking: "text", images: ["*"], resultImages: true, files: true, tools: true },
  replacesHalves: true,
  seals: true,
  write,
  takeBack: async ({ files }, env) => {
    for (const print of files) removeImported(userHome(env), print);
    return [];
  },
};

async function write(
  messages: AsyncIterable<OutgoingMessage>,
  { about, env, staging, intend }: WriteOptions,
): Promise<Written> {
  const home = userHome(env);
  const start = startOf(about);
  const staged = await stageSession(home, start, {
    events: numbered(messages),
    createdAt: about.createdAt,
    from: about.from,
    ...(about.sealed && { secret: neededSecret(env.variables) }),
    staging,
  });
  const { print } = staged;
  const { path, sizeBytes } = print;
  const place = { agent: ownAgent, session: start.session, path, sizeBytes, root: home.root };
  const written = { ref: { ...place, modifiedMs: Date.now() }, files: [print], losses: [] };
  try {
    intend?.(written);
    staged.publish();
  } finally {
    staged.abandon();
  }
  return { ...written, ref: { ...place, modifiedMs: statSync(path).mtimeMs } };
}

function startOf(about: OutgoingAbout): SessionStart {
  const { cwd, title, git, model, from } = about;
  return {
    type: "session_start",
    format: formatVersion,
    session: uuidv7(),
    cwd,
    project: identifyProject(cwd).identity,
    ...(git !== undefined && { git }),
    ...(model !== undefined && { model }),
    ...(title !== undefined && { title }),
    importedFrom: from,
  };
}

async function* numbered(messages: AsyncIterable<OutgoingMessage>): AsyncGenerator<IncomingEvent> {
  let number = 1;
  let message = 0;
  for await (const outgoing of messages) {
    message += 1;
    for (const body of bodiesOf(outgoing, `m${message}`)) {
      number += 1;
      yield { number: String(number), at: outgoing.at, body };
    }
  }
}

function* bodiesOf(outgoing: OutgoingMessage, message: string): Generator<EventBody> {
  switch (outgoing.role) {
    case "summary":
      yield { type: "compaction", summary: outgoing.text };
      return;
    case "user":
      yield {
        type: "user",
        content: outgoing.content,
        // Not marked as injected: that would keep it from the model.
        ...(outgoing.injected && { author: "reprise" }),
      };
      return;
    case "results":
      for (const { call, name, content, isError } of outgoing.results) {
        yield { type: "tool_result", call, name, content, isError };
      }
      return;
    case "assistant": {
      const { model, usage } = outgoing;
      const common = { message, ...(model !== undefined && { model }) };
      let counted = usage;
      for (const part of outgoing.content) {
        // Tokens are those of the whole message: told once.
        const spent = counted === undefined ? {} : { usage: counted };
        counted = undefined;
        if (part.type === "text") yield { type: "assistant", content: [part], ...common, ...spent };
        else if (part.type === "tool_use") yield { ...part, ...common, ...spent };
        else {
          const { text: content, signature, redacted } = part;
          const proof = {
            ...(signature !== undefined && { signature }),
            ...(redacted !== undefined && { redacted }),
          };
          yield { type: "thinking", content, ...proof, ...common, ...spent };
        }
      }
      return;
    }
  }
}
