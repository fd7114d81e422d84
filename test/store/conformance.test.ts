import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, onTestFinished, test } from "vitest";
import type { Store } from "../../src/store/contract.ts";
import { FileStore } from "../../src/store/files.ts";
import { MemoryStore } from "../../src/store/memory.ts";
import { storeCases } from "../../src/testing.ts";

function fileStore(): Store {
  const folder = mkdtempSync(join(tmpdir(), "reprise-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
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
