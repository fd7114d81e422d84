import type { SessionRef } from "../contract.ts";

/**
 * What a part of a desktop database is: a conversation with bubbles of its own (`composer`), one that lies whole in a
 * workspace (`inline`, or `chat` of the first versions), a page of the user's (`notepad`), what is kept about the user
 * (`memories`, `rules`), or prompts whose conversations are gone (`prompts`).
 */
export type PartKind =
  | "composer"
  | "inline"
  | "chat"
  | "notepad"
  | "memories"
  | "rules"
  | "prompts";

/** What a ref means: a part of a database, or what lies in a file of its own. */
export interface Meant {
  readonly kind: PartKind | "store" | "transcript" | "page";
  readonly id: string;
}

const kinds: ReadonlySet<string> = new Set<Meant["kind"]>([
  ...(["composer", "inline", "chat", "notepad"] as const),
  ...(["memories", "rules", "prompts", "transcript"] as const),
]);

/** The name of a part in a ref. */
export function partOf(kind: PartKind | "transcript", id = ""): string {
  return `${kind}:${id}`;
}

/** What a ref means, which its part and its place tell. */
export function meant({ path, part = "", session }: SessionRef): Meant {
  const at = part.indexOf(":");
  const kind = part.slice(0, Math.max(0, at));
  const isKnown = (name: string): name is PartKind => kinds.has(name);
  if (isKnown(kind)) return { kind, id: part.slice(at + 1) };
  if (path.endsWith(".vscdb")) return { kind: "composer", id: part || session };
  if (path.endsWith("store.db")) return { kind: "store", id: session };
  const isTranscript = /[/\\]agent-transcripts[/\\]/.test(path);
  return { kind: isTranscript ? "transcript" : "page", id: session };
}
