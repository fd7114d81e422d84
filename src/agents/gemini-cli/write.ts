import { randomUUID } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { addLines, type FilePrint, removeAdded, StagedFile } from "../../additions/added-file.ts";
import { isRepriseError } from "../../base/errors.ts";
import { namesIn, smallFile } from "../../base/folders.ts";
import { limits } from "../../base/limits.ts";
import type { FileBlock, ImageBlock, TextBlock } from "../../model/block.ts";
import type { OutgoingAssistant, OutgoingMessage, OutgoingResult } from "../../model/outgoing.ts";
import type { AgentWriter, WriteOptions, Written } from "../contract.ts";
import { projectHash, registeredProjects } from "./projects.ts";
import { geminiRoot } from "./roots.ts";

/** Put before what the program would drop as a command or as context of its own; nobody sees it. */
const unseen = "\u200b";
const droppedOnResume = /^(?:[/?]|<session_context>|<hook_context>)/;

/** Writes new chats where Gemini CLI looks for them. */
export const writer: AgentWriter = {
  holds: {
    thinking: "never",
    images: ["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif", "image/gif"],
    resultImages: false,
    files: false,
    tools: true,
  },
  unmarked: (text) => (text.startsWith(unseen) ? text.slice(unseen.length) : text),
  write,
  takeBack,
};

async function write(
  messages: AsyncIterable<OutgoingMessage>,
  options: WriteOptions,
): Promise<Written> {
  const root = geminiRoot(options.env);
  const project = realPath(options.about.cwd);
  const folder = join(root, "tmp", slugFor(root, project));
  const marker = claimFolder(folder, project);
  try {
    const written = await writeChat(messages, { ...options, root, project, folder });
    return marker === undefined ? written : { ...written, files: [...written.files, marker] };
  } catch (error) {
    if (marker !== undefined) removeAdded([marker]);
    throw error;
  }
}

async function writeChat(
  messages: AsyncIterable<OutgoingMessage>,
  place: WriteOptions & {
    readonly root: string;
    readonly project: string;
    readonly folder: string;
  },
): Promise<Written> {
  const { about, root, project, folder } = place;
  const session = randomUUID();
  // The current minute's name may belong to a running session, which would append to ours.
  const minute = new Date(Date.now() - 60_000).toISOString().slice(0, 16).replace(":", "-");
  // Not the beginning of the id: the program clears away every file that ends in one it has just resumed.
  const ending = randomUUID().slice(0, 8);
  const path = join(folder, "chats", `session-${minute}-${ending}.jsonl`);
  let summaries = 0;
  const print = await addLines(
    path,
    async (put) => {
      // Chats that were not updated for a month are deleted at the next start: this one is new here.
      const now = new Date().toISOString();
      put({
        sessionId: session,
        projectHash: projectHash(project),
        startTime: about.createdAt,
        lastUpdated: now,
        kind: "main",
      });
      for await (const message of messages) {
        if (message.role === "summary") summaries += 1;
        put(recordOf(message));
        for (const line of shownCalls(message)) put(line);
      }
      if (about.title !== undefined) put({ $set: { summary: about.title, lastUpdated: now } });
      put({ $set: { repriseOrigin: about.from, lastUpdated: now } });
    },
    place.follower,
  );
  const { sizeBytes } = print;
  const ref = { agent: "gemini-cli", session, path, sizeBytes, modifiedMs: Date.now(), root };
  const reason = "Gemini CLI keeps a summary as a user message";
  const losses =
    summaries === 0
      ? []
      : [{ field: "compaction", effect: "rewritten", count: 1, reason } as const];
  return { ref, files: [print], losses };
}

/** The mark on the folder goes too, unless other chats came to need it. */
async function takeBack({ files }: Written): Promise<void> {
  const [chat, marker] = files;
  if (chat === undefined || marker === undefined) return removeAdded(files);
  const folder = dirname(marker.path);
  const alone = namesIn(folder).length <= 2 && namesIn(dirname(chat.path)).length <= 1;
  removeAdded(alone ? files : [chat]);
}

/** The name of the project's folder, found as the program finds it: registry, markers, then a free slug. */
function slugFor(root: string, project: string): string {
  const registered = registeredProjects(root);
  for (const [slug, path] of registered) {
    if (path === project && /^[a-z0-9-]+$/.test(slug)) return slug;
  }
  const owners = new Map(
    namesIn(join(root, "tmp")).map((name) => [
      name,
      smallFile(join(root, "tmp", name, ".project_root"), limits.headBytes)?.trim(),
    ]),
  );
  for (const [name, owner] of owners) if (owner === project) return name;
  const plain =
    basename(project)
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "") || "project";
  for (let count = 0; ; count += 1) {
    const slug = count === 0 ? plain : `${plain}-${count}`;
    // A folder without a mark may still be another project's, by the program's own list.
    if (owners.get(slug) === undefined && !registered.has(slug)) return slug;
  }
}

/** Says whose folder it is, where nobody has yet: otherwise a project of the same name may adopt it. */
function claimFolder(folder: string, project: string): FilePrint | undefined {
  const path = join(folder, ".project_root");
  if (existsSync(path)) return undefined;
  const marker = new StagedFile(path);
  try {
    marker.write(project);
    return marker.publish();
  } catch (error) {
    if (isRepriseError(error, "session_exists")) return undefined;
    throw error;
  }
}

function recordOf(message: OutgoingMessage): object {
  const common = { id: randomUUID(), timestamp: message.at };
  switch (message.role) {
    case "summary":
      return {
        ...common,
        type: "user",
        content: userParts([{ type: "text", text: message.text }]),
      };
    case "user":
      return userRecord(common, message.content);
    case "assistant":
      return modelRecord(common, message);
    case "results":
      // Shown with its call already, so the line of answers shows nothing of its own.
      return { ...common, type: "user", content: message.results.map(answer), displayContent: " " };
  }
}

function userRecord(
  common: object,
  content: readonly (TextBlock | ImageBlock | FileBlock)[],
): object {
  const parts = userParts(content);
  const hidden = JSON.stringify(parts).includes(unseen);
  const shown = content.flatMap((block) => (block.type === "text" ? [{ text: block.text }] : []));
  return {
    ...common,
    type: "user",
    content: parts,
    ...(hidden && shown.length > 0 && { displayContent: shown }),
  };
}

function userParts(content: readonly (TextBlock | ImageBlock | FileBlock)[]): readonly object[] {
  const parts = content.flatMap((block): object[] => {
    if (block.type === "text") return [{ text: block.text }];
    if (block.source.kind !== "base64") return [];
    return [{ inlineData: { mimeType: block.mediaType, data: block.source.data } }];
  });
  const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
  if (text.trim() === "") return [{ text: unseen }, ...parts];
  const [first, ...rest] = parts;
  if (!droppedOnResume.test(text.trim()) || first === undefined || !("text" in first)) return parts;
  return [{ text: `${unseen}${String(first.text)}` }, ...rest];
}

/** What the screen shows of calls: lines that are never sent, so that no version replays a call twice. */
function* shownCalls(message: OutgoingMessage): Generator<object> {
  if (message.role !== "assistant") return;
  for (const part of message.content) {
    if (part.type !== "tool_use") continue;
    const content = `${part.name} ${JSON.stringify(part.input).slice(0, 200)}`;
    yield { id: randomUUID(), timestamp: message.at, type: "info", content };
  }
}

/** Calls stand in the content, which is replayed as it is. */
function modelRecord(common: object, message: OutgoingAssistant): object {
  const content = message.content.flatMap((part): object[] => {
    if (part.type === "text") return [{ text: part.text }];
    if (part.type === "tool_use")
      return [{ functionCall: { id: part.call, name: part.name, args: part.input } }];
    return [];
  });
  const text = joined(message.content);
  const { usage, model } = message;
  const input = (usage?.input ?? 0) + (usage?.cacheRead ?? 0);
  const output = usage?.output ?? 0;
  return {
    ...common,
    type: "gemini",
    content,
    displayContent: text,
    ...(usage !== undefined && {
      tokens: {
        input,
        output,
        cached: usage.cacheRead ?? 0,
        thoughts: usage.reasoning ?? 0,
        tool: 0,
        total: input + output,
      },
    }),
    ...(model !== undefined && { model }),
  };
}

function answer({ call, name, content, isError }: OutgoingResult): object {
  const text = joined(content);
  return {
    functionResponse: { id: call, name, response: isError ? { error: text } : { output: text } },
  };
}

function joined(content: readonly { readonly type: string }[]): string {
  const texts = content.filter((part): part is TextBlock => part.type === "text");
  const [only] = texts;
  if (texts.length === 1 && only !== undefined) return only.text;
  return texts.map(({ text }) => text).join("\n");
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
