import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { publishAll, StagedFile, stageLines } from "../../additions/staged-file.ts";
import type { OutgoingMessage } from "../../model/outgoing.ts";
import type { AgentWriter, WriteOptions, Written } from "../contract.ts";
import { commonImages, takeBackFiles } from "../new-files.ts";
import { copilotRoot } from "./roots.ts";
import { contentsOf, formatVersion } from "./write/records.ts";

/** Writes new sessions where Copilot CLI looks for them. */
export const writer: AgentWriter = {
  holds: {
    thinking: "never",
    images: commonImages,
    resultImages: false,
    files: false,
    tools: true,
  },
  write,
  takeBack: takeBackFiles,
};

async function write(
  messages: AsyncIterable<OutgoingMessage>,
  options: WriteOptions,
): Promise<Written> {
  const { about, env } = options;
  const session = randomUUID();
  const root = copilotRoot(env);
  const path = join(root, "session-state", session, "events.jsonl");
  const events = await stageLines(path, options, async (put) => {
    const link = chain(put);
    const { branch, commit } = about.git ?? {};
    link("session.start", about.createdAt, {
      sessionId: session,
      version: 1,
      producer: "reprise",
      copilotVersion: formatVersion,
      startTime: about.createdAt,
      ...(about.model !== undefined && { selectedModel: about.model }),
      context: {
        cwd: about.cwd,
        ...(branch !== undefined && { branch }),
        ...(commit !== undefined && { headCommit: commit }),
      },
      repriseOrigin: about.from,
    });
    for await (const message of messages) {
      for (const { type, data } of contentsOf(message)) link(type, message.at, data);
    }
  });
  try {
    const files = [events, workspace(session, options)];
    const prints = files.map((file) => file.finish());
    const { sizeBytes } = events.finish();
    const ref = { agent: "copilot-cli", session, path, sizeBytes, modifiedMs: Date.now(), root };
    const written = { ref, files: prints, losses: [] };
    // The events come last: without them the folder is not a session.
    publishAll(files.toReversed(), () => options.intend?.(written));
    return written;
  } catch (error) {
    events.abandon();
    throw error;
  }

  /** The file beside the events that names the session. */
  function workspace(id: string, how: WriteOptions): StagedFile {
    const file = new StagedFile(join(dirname(path), "workspace.yaml"), how);
    const lines = [
      `id: ${id}`,
      `cwd: ${quoted(about.cwd)}`,
      ...(about.title === undefined ? [] : [`name: ${quoted(about.title)}`, "user_named: true"]),
      "summary_count: 0",
      "fork_count: 0",
      `created_at: ${about.createdAt}`,
      `updated_at: ${about.updatedAt}`,
    ];
    file.write(`${lines.join("\n")}\n`);
    return file;
  }
}

/** Puts records, each following the one before. */
function chain(put: (record: object) => void): (type: string, at: string, data: object) => void {
  let parentId: string | null = null;
  return (type, timestamp, data) => {
    const id = randomUUID();
    put({ type, data, id, timestamp, parentId });
    parentId = id;
  };
}

/** A text as YAML in double quotes, whose escapes are those of JSON; half a character is none in YAML. */
function quoted(text: string): string {
  return JSON.stringify(text.replace(/\p{Surrogate}/gu, "\ufffd"));
}
