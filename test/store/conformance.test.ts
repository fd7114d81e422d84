import { describe, test } from "vitest";
import type { Store } from "../../src/store/contract.ts";
import { FileStore } from "../../src/store/files.ts";
import { MemoryStore } from "../../src/store/memory.ts";
import { storeCases } from "../../src/testing.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

function fileStore(): Store {
  const folder = temporaryFolder();
  return new FileStore(folder);
}

describe.each([
  { engine: "files", open: fileStore },
  { engine: "memory", open: () => new MemoryStore() },
])("a store in $engine", ({ open }) => {
  for (const { name, run } of storeCases) {
    test(name, async () => {
      const store = open();
      await run(store);
      await store.close();
    });
  }
});
