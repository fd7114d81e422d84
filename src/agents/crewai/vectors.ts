import { join } from "node:path";
import { entriesOf, folderExists } from "../../base/folders.ts";

/** A vector store, which is named and not read. */
export interface VectorStore {
  readonly kind: string;
  /** A file of it, by which it is found again. */
  readonly path: string;
}

const kinds = [
  { folder: "memory/memories.lance", kind: "LanceDB" },
  { folder: "memory/qdrant-edge", kind: "Qdrant" },
  { folder: "short_term", kind: "ChromaDB" },
  { folder: "short_term_memory", kind: "ChromaDB" },
  { folder: "entities", kind: "ChromaDB" },
] as const;

/** The vector store in a storage folder, if there is one. */
export function vectorStoreIn(folder: string): VectorStore | undefined {
  for (const { folder: inner, kind } of kinds) {
    const place = join(folder, inner);
    const path = folderExists(place) ? firstFile(place, 0) : undefined;
    if (path !== undefined) return { kind, path };
  }
  return undefined;
}

/** What is said of a store of vectors. */
export function unreadNote(path: string): string {
  return `Memory in ${vectorKind(path)}: a store of vectors, which is named here and not read.`;
}

/** What kind of store a file of one belongs to. */
function vectorKind(path: string): string {
  const found = kinds.find(({ folder }) => path.split(/[\\/]/).join("/").includes(`/${folder}/`));
  return found?.kind ?? "a vector store";
}

function firstFile(folder: string, depth: number): string | undefined {
  const entries = [...entriesOf(folder)].sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, 64);
  const file = entries.find((entry) => entry.isFile());
  if (file !== undefined) return join(folder, file.name);
  if (depth >= 3) return undefined;
  for (const entry of entries) {
    const inner = entry.isDirectory() ? firstFile(join(folder, entry.name), depth + 1) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}
