import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { publishAll, StagedFile } from "../../additions/staged-file.ts";
import { uuidv7 } from "../../base/ids.ts";
import type { OutgoingMessage } from "../../model/outgoing.ts";
import type { AgentWriter, WriteOptions, Written } from "../contract.ts";
import { commonImages, takeBackFiles } from "../new-files.ts";
import { agentName } from "./locate.ts";
import { ampRoot } from "./roots.ts";
import { messageOf } from "./write/messages.ts";

/** Writes new threads where builds of Amp up to March 2026 look for them. */
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
  const session = `T-${uuidv7()}`;
  const root = ampRoot(env);
  const path = join(root, "threads", `${session}.json`);
  const file = new StagedFile(path, options);
  try {
    const created = Date.parse(about.createdAt);
    file.write(`{\n  "v": 1,\n  "id": "${session}",\n  "created": ${created},\n  "messages": [`);
    let count = 0;
    for await (const message of messages) {
      const numbered = { ...messageOf(message), messageId: count };
      const text = JSON.stringify(numbered, undefined, 2).replaceAll("\n", "\n    ");
      file.write(`${count === 0 ? "" : ","}\n    ${text}`);
      count += 1;
    }
    file.write(`\n  ],\n${fieldsText(options, count)}`);
    const print = file.finish();
    const { sizeBytes } = print;
    const ref = { agent: agentName, session, path, sizeBytes, modifiedMs: Date.now(), root };
    const written = { ref, files: [print], losses: [] };
    publishAll([file], () => options.intend?.(written));
    return written;
  } catch (error) {
    file.abandon();
    throw error;
  }
}

/** What follows the messages. */
function fieldsText({ about }: WriteOptions, count: number): string {
  const { title, cwd, model, from } = about;
  const trees = [{ displayName: basename(cwd), uri: pathToFileURL(cwd).href }];
  const tags = model === undefined ? [] : [`model:${model}`];
  const fields = {
    nextMessageId: count,
    ...(title !== undefined && { title }),
    env: { initial: { trees, tags } },
    meta: { repriseOrigin: from },
  };
  return `${JSON.stringify(fields, undefined, 2).slice(2)}\n`;
}
