import { describe, test } from "vitest";
import { storeCases } from "../../src/testing.ts";
import { everyStore } from "./stores.ts";

describe.each(everyStore)("a store in $engine", ({ open }) => {
  for (const { name, run } of storeCases) {
    test(name, async () => {
      const store = open();
      await run(store);
      await store.close();
    });
  }
});
