import { randomUUID } from "node:crypto";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { publishAll, stageLines } from "../../additions/staged-file.ts";
import type { OutgoingMessage } from "../../model/outgoing.ts";
import type { AgentWriter, WriteOptions, Written } from "../contract.ts";
import { takeBackFiles } from "../new-files.ts";
import { agentName } from "./locate.ts";
import { projectFolder, qwenRoot } from "./roots.ts";
import { formatVersion, recordsOf } from "./write/records.ts";

/** Writes new sessions where Qwen Code looks for them. */
export const writer: AgentWriter = {
  holds: {
    thinking: "never",
    images: ["image/png", "image/jpeg", "image/webp", "image/gif"],
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
  const cwd = realPath(about.cwd);
  const path = join(projectFolder(env, cwd), "chats", `${session}.jsonl`);
  const shared = {
    cwd,
    version: formatVersion,
    ...(about.git?.branch !== undefined && { gitBranch: about.git.branch }),
  };
  let laterSummaries = 0;
  const file = await stageLines(path, options, async (put) => {
    const link = chain(put, { session, shared });
    let isFirst = true;
    for await (const message of messages) {
      if (message.role === "summary" && !isFirst) laterSummaries += 1;
      for (const record of recordsOf(message, isFirst)) link(record, message.at);
      isFirst = false;
    }
    if (about.title !== undefined) {
      const systemPayload = { customTitle: about.title, titleSource: "manual" };
      link(
        { type: "system", provenance: "system", subtype: "custom_title", systemPayload },
        about.updatedAt,
      );
    }
  });
  const print = file.finish();
  const { sizeBytes } = print;
  const root = qwenRoot(env);
  const ref = { agent: agentName, session, path, sizeBytes, modifiedMs: Date.now(), root };
  const reason = "kept as a user message: the target hides all before a summary";
  const losses =
    laterSummaries === 0
      ? []
      : [{ field: "compaction", effect: "rewritten", count: laterSummaries, reason } as const];
  const written = { ref, files: [print], losses };
  publishAll([file], () => options.intend?.(written));
  return written;
}

/** Puts records, each following the one before. */
function chain(
  put: (record: object) => void,
  of: { readonly session: string; readonly shared: object },
): (record: object, at: string) => void {
  let parentUuid: string | null = null;
  return (record, timestamp) => {
    const uuid = randomUUID();
    put({ uuid, parentUuid, sessionId: of.session, timestamp, ...of.shared, ...record });
    parentUuid = uuid;
  };
}

/** The program asks the system where it runs, and is reported a path without links. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
