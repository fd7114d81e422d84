import { expect, test } from "vitest";
import { toolSubject } from "../../../../src/programs/cli/render/tool-header.ts";

test.each([
  [{ command: "npm test", description: "Run the tests" }, "npm test"],
  [{ cmd: "ls src", yield_time_ms: 2000 }, "ls src"],
  [{ command: ["/bin/bash", "-lc", "git status"] }, "git status"],
  [{ command: ["git", "log", "-1"] }, "git log -1"],
  [{ file_path: "/p/a.ts", old_string: "x", new_string: "y" }, "/p/a.ts"],
  [{ pattern: "todo", path: "src" }, "todo in src"],
  [{ query: "node lease" }, "node lease"],
  [{ description: "Find callers", prompt: "long…" }, "Find callers"],
  [
    { patch: "*** Begin Patch\n*** Update File: a.js\n*** Add File: b.js\n*** End Patch" },
    "a.js, b.js",
  ],
  ["*** Begin Patch\n*** Delete File: a.js\n*** End Patch", "a.js"],
  ['{"path":"README.md"}', "README.md"],
  [{ depth: 3, nested: { a: 1 } }, '{"depth":3,"nested":{"a":1}}'],
  [{}, ""],
  [undefined, ""],
  [null, "null"],
  ["plain text", "plain text"],
])("the telling argument stands in the header: %j", (input, subject) => {
  expect(toolSubject(input)).toBe(subject);
});

test("a long argument is one short line", () => {
  const subject = toolSubject({ command: `echo ${"x\n".repeat(5000)}` });
  expect(subject.length).toBeLessThanOrEqual(160);
  expect(subject).not.toContain("\n");
});
