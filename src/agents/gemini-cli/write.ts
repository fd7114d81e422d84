import { randomUUID } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { removeAdded } from "../../additions/added-file.ts";
import { publishAll, StagedFile, stageLines } from "../../additions/staged-file.ts";
import { namesIn, smallFile } from "../../base/folders.ts";
import { limits } from "../../base/limits.ts";
import type { OutgoingMessage } from "../../model/outgoing.ts";
import type { AgentWriter, WriteOptions, Written } from "../contract.ts";
import { projectHash, registeredProjects } from "./projects.ts";
import { geminiRoot } from "./roots.ts";
import { recordsOf, unmarked } from "./write/records.ts";

/** Writes new chats where Gemini CLI looks for them. */
export const writer: AgentWriter = {
  holds: {
    thinking: "never",
    images: ["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif", "image/gif"],
    resultImages: false,
    files: false,
    tools: true,
  },
  unmarked,
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
  const marker = claimFolder(folder, project, options);
  try {
    const { file, written } = await stageChat(messages, { ...options, root, project, folder });
    const files = marker === undefined ? [file] : [file, marker];
    const all = { ...written, files: files.map((one) => one.finish()) };
    // Whose folder it is comes first.
    publishAll(files.toReversed(), () => options.intend?.(all));
    return all;
  } finally {
    marker?.abandon();
  }
}

/** A chat that is ready to be published, and what is to be reported it. */
interface StagedChat {
  readonly file: StagedFile;
  readonly written: Omit<Written, "files">;
}

async function stageChat(
  messages: AsyncIterable<OutgoingMessage>,
  place: WriteOptions & {
    readonly root: string;
    readonly project: string;
    readonly folder: string;
  },
): Promise<StagedChat> {
  const { about, root, project, folder } = place;
  const session = randomUUID();
  // The current minute's name may belong to a running session, which would append to ours.
  const minute = new Date(Date.now() - 60_000).toISOString().slice(0, 16).replace(":", "-");
  // Not the beginning of the id: the program clears away every file that ends in one it has just resumed.
  const ending = randomUUID().slice(0, 8);
  const path = join(folder, "chats", `session-${minute}-${ending}.jsonl`);
  let summaries = 0;
  const file = await stageLines(path, place, async (put) => {
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
      for (const record of recordsOf(message)) put(record);
    }
    if (about.title !== undefined) put({ $set: { summary: about.title, lastUpdated: now } });
    put({ $set: { repriseOrigin: about.from, lastUpdated: now } });
  });
  const { sizeBytes } = file.finish();
  const ref = { agent: "gemini-cli", session, path, sizeBytes, modifiedMs: Date.now(), root };
  const reason = "kept as a user message: the target has no other place for one";
  const losses =
    summaries === 0
      ? []
      : [{ field: "compaction", effect: "rewritten", count: 1, reason } as const];
  return { file, written: { ref, losses } };
}

/** The mark on the folder goes too, unless other chats came to need it. */
async function takeBack({ files }: Written): Promise<readonly never[]> {
  const [chat, marker] = files;
  if (chat === undefined) return [];
  removeAdded(marker !== undefined && isAlone(chat.path, marker.path) ? files : [chat]);
  return [];
}

/** Whether a chat and the mark are all that a folder holds. */
function isAlone(chat: string, marker: string): boolean {
  const ours = new Set([marker, dirname(chat), chat]);
  return [dirname(marker), dirname(chat)].every((folder) =>
    namesIn(folder).every((name) => ours.has(join(folder, name))),
  );
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
function claimFolder(
  folder: string,
  project: string,
  options: WriteOptions,
): StagedFile | undefined {
  const path = join(folder, ".project_root");
  if (existsSync(path)) return undefined;
  const marker = new StagedFile(path, options);
  marker.write(project);
  return marker;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
