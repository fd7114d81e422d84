import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { bytes, bytesOf, FileStore, isCustom, SessionManager } from "../../src/index.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

declare module "../../src/model/custom-data.ts" {
  interface CustomEvents {
    "test.score": { readonly value: number };
  }
}

const circle: { inner?: unknown } = {};
circle.inner = [{ again: circle }];
let deep: unknown = 1;
for (let level = 0; level < 5_000; level += 1) deep = { deep };

test.each([
  ["input.big", { big: 10n }],
  ["input.list[1]", { list: [1, new Uint8Array(3)] }],
  ["input.buffer", { buffer: Buffer.from("x") }],
  ["input.map", { map: new Map() }],
  ["input.set", { set: new Set([1]) }],
  ["input.inner[0].again", circle],
  ["input.deep.deep", deep],
])("what JSON cannot hold is refused with its place: %s", (path, input) => {
  const session = SessionManager.inMemory("/");
  const body = { type: "tool_use", call: "c", name: "n", input } as const;
  expect(() => session.appendSync(body)).toThrow(
    expect.objectContaining({ code: "bad_event", message: expect.stringContaining(path) }),
  );
  expect(session.getLeafId()).toBe(1);
});

test("what JSON can hold comes back as JSON gives it back", () => {
  const session = SessionManager.inMemory("/");
  fc.assert(
    fc.property(fc.jsonValue(), (input) => {
      const { id } = session.appendSync({ type: "tool_use", call: "c", name: "n", input });
      expect(session.getEvent(id)).toMatchObject({ input: JSON.parse(JSON.stringify(input)) });
    }),
  );
  const at = new Date(0);
  const { id } = session.appendSync({ type: "custom", name: "x", data: { at } });
  expect(session.getEvent(id)).toMatchObject({ data: { at: at.toISOString() } });
});

test("bytes of any size come back as they were", async () => {
  const folder = temporaryFolder();
  const session = SessionManager.create(folder, join(folder, "s"));
  const small = Uint8Array.from([0, 255, 128, 7]);
  const large = new Uint8Array(300_000).map((_, index) => index * 7);
  await session.appendUser([
    bytes(small, { mediaType: "image/png" }),
    bytes(large.subarray(1), { mediaType: "application/zip", name: "a.zip" }),
  ]);
  await session.close();
  const again = SessionManager.open(session.getSessionFile()!);
  const user = again.getEvent(2);
  const content = user?.type === "user" && typeof user.content !== "string" ? user.content : [];
  expect(content.map((block) => block.type)).toEqual(["image", "file"]);
  const back = content.map((block) =>
    block.type === "image" || block.type === "file" ? bytesOf(block) : undefined,
  );
  expect(back).toEqual([Buffer.from(small), Buffer.from(large.subarray(1))]);
});

test("custom events have the type their program declared, and any event takes extra facts", async () => {
  const session = SessionManager.inMemory("/");
  const event = await session.appendCustom("test.score", { value: 3 }, { extra: { by: "a test" } });
  expect(isCustom(event, "test.score") && event.data?.value).toBe(3);
  expect(event.extra).toEqual({ by: "a test" });
  // @ts-expect-error: the declared data have a number
  await session.appendCustom("test.score", { value: "three" });
  await session.appendCustom("another", { anything: true });
});

test("a folder for sessions made inside a git work tree is ignored by git; one that was there is left alone", async () => {
  const tree = temporaryFolder();
  execFileSync("git", ["init", "-q"], { cwd: tree });
  const made = SessionManager.create(tree, join(tree, "sessions"));
  await made.close();
  await new FileStore(join(tree, "deep", "store")).create(made.getHeader());
  mkdirSync(join(tree, "mine"));
  await SessionManager.create(tree, join(tree, "mine")).close();
  const status = execFileSync("git", ["status", "--porcelain", "-uall"], { cwd: tree });
  expect(status.toString()).not.toMatch(/sessions|deep/);
  expect(status.toString()).toContain("mine/");
  expect(readFileSync(join(tree, "sessions", ".gitignore"), "utf8")).toBe("*\n");
  const outside = temporaryFolder();
  await SessionManager.create(outside, join(outside, "s")).close();
  expect(existsSync(join(outside, "s", ".gitignore"))).toBe(false);
});
