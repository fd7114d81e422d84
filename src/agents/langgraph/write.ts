import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { publishAll, StagedFile } from "../../additions/staged-file.ts";
import { isoOf } from "../../base/clock.ts";
import { RepriseError } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import type { OutgoingMessage } from "../../model/outgoing.ts";
import { Connection } from "../../sqlite/connection.ts";
import type { AgentWriter, WriteOptions, Written } from "../contract.ts";
import { takeBackFiles } from "../new-files.ts";
import { requireProject } from "../project-folders.ts";
import { checkpointId } from "./checkpoint-id.ts";
import { agentName } from "./locate.ts";
import { folderIn } from "./roots.ts";
import { messagesOf } from "./write/messages.ts";

/** Writes a conversation as the one thread of a new database of checkpoints, in the project. */
export const writer: AgentWriter = {
  holds: { thinking: "never", images: ["*"], resultImages: false, files: false, tools: true },
  replacesHalves: true,
  write,
  takeBack: takeBackFiles,
};

async function write(
  messages: AsyncIterable<OutgoingMessage>,
  options: WriteOptions,
): Promise<Written> {
  const { cwd, from } = options.about;
  requireProject(cwd);
  const thread = randomUUID();
  const path = join(folderIn(cwd), `${thread}.sqlite`);
  const texts: string[] = [];
  let chars = 0;
  for await (const message of messages) {
    for (const made of messagesOf(message)) {
      const text = JSON.stringify(made).toWellFormed();
      chars += text.length;
      if (chars > limits.checkpointBytes / 2)
        throw new RepriseError(
          "too_large",
          "The conversation is larger than one checkpoint may be.",
        );
      texts.push(text);
    }
  }
  const file = new StagedFile(path, options);
  try {
    const nowMs = Date.now();
    const checkpoint = { id: checkpointId(nowMs, 0), ts: isoOf(nowMs) };
    const origin = {
      source: "update",
      step: 0,
      parents: {},
      repriseOrigin: `${from.agent}:${from.session}`,
    };
    file.fillBy((temporary) =>
      fill(temporary, {
        thread,
        checkpoint,
        messages: `[${texts.join(",")}]`,
        metadata: JSON.stringify(origin),
      }),
    );
    const print = file.finish();
    const ref = {
      agent: agentName,
      session: thread,
      path,
      sizeBytes: 0,
      modifiedMs: nowMs,
      part: thread,
      root: cwd,
    };
    const written = { ref, files: [print], losses: [] };
    publishAll([file], () => options.intend?.(written));
    return written;
  } catch (error) {
    file.abandon();
    throw error;
  }
}

/** The tables as the program makes them, with one checkpoint that holds the channel `messages`. */
function fill(
  path: string,
  row: {
    readonly thread: string;
    readonly checkpoint: { readonly id: string; readonly ts: string };
    readonly messages: string;
    readonly metadata: string;
  },
): void {
  const { id, ts } = row.checkpoint;
  const value = `{"v":4,"id":"${id}","ts":"${ts}","channel_values":{"messages":${row.messages}},"channel_versions":{"__start__":1,"messages":1},"versions_seen":{"__input__":{}}}`;
  const database = new Connection(path);
  try {
    // Nobody sees the file before it is whole and synced: it needs no journal beside it.
    database.exec("pragma journal_mode = memory; pragma synchronous = off");
    database.exec(`create table checkpoints (thread_id text not null, checkpoint_ns text not null default '',
      checkpoint_id text not null, parent_checkpoint_id text, type text, checkpoint blob, metadata blob,
      primary key (thread_id, checkpoint_ns, checkpoint_id));
      create table writes (thread_id text not null, checkpoint_ns text not null default '', checkpoint_id text not null,
      task_id text not null, idx integer not null, channel text not null, type text, value blob,
      primary key (thread_id, checkpoint_ns, checkpoint_id, task_id, idx))`);
    database
      .prepare("insert into checkpoints values (?, '', ?, null, 'json', ?, ?)")
      .run(row.thread, id, Buffer.from(value), Buffer.from(row.metadata));
  } finally {
    database.close();
  }
}
