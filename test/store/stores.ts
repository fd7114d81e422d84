import { join } from "node:path";
import type { Store } from "../../src/store/contract.ts";
import { FileStore } from "../../src/store/files.ts";
import { MemoryStore } from "../../src/store/memory.ts";
import { SqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { temporaryFolder } from "../temporary-folder.mjs";
import { ToyStore } from "./toy-store.ts";

/** Every kind of store, each made fresh and empty. */
export const everyStore: readonly { readonly engine: string; readonly open: () => Store }[] = [
  { engine: "files", open: () => new FileStore(temporaryFolder()) },
  { engine: "memory", open: () => new MemoryStore() },
  { engine: "SQLite", open: () => new SqliteStore(join(temporaryFolder(), "s.db")) },
  { engine: "a toy that answers later", open: () => new ToyStore() },
];
