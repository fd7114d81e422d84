import { expect, test } from "vitest";
import type { EventBody } from "../../src/model/event.ts";
import { createMasker } from "../../src/redact/mask.ts";
import { maskEvent, maskValue, maskValueWith } from "../../src/redact/mask-value.ts";

const token = `ghp_${"Zk3vQ9xLm7TtR2wYb8NcHd5JfGs4PaEu6KiW"}`;
const placeholder = expect.stringMatching(/^\[secret:github-token:[0-9a-f]{4}\]$/);

test("every string of an event is masked: inputs, results, details, blocks", () => {
  const events: readonly EventBody[] = [
    { type: "user", content: token },
    { type: "tool_use", call: "c1", name: "Bash", input: { env: [{ deep: { value: token } }] } },
    {
      type: "tool_result",
      call: "c1",
      content: [{ type: "text", text: token }],
      details: { x: token },
    },
    { type: "assistant", content: [{ type: "opaque", from: "x", value: { y: token } }] },
  ];
  for (const event of events) {
    const masked = maskEvent(event);
    expect(JSON.stringify(masked.event)).not.toContain(token);
    expect(masked.event.type).toBe(event.type);
    expect(masked.found[0]?.rule).toBe("github-token");
  }
});

test("the name of a field tells about its value, and names stay", () => {
  const value = {
    password: "hunter2",
    env: { DB_PASSWORD: "Tr0ub4dor" },
    passwordHint: "dog",
  };
  const masked = maskValue(value).value;
  expect(masked).toEqual({
    password: expect.stringMatching(/^\[secret:password:/),
    env: { DB_PASSWORD: expect.stringMatching(/^\[secret:password:/) },
    passwordHint: "dog",
  });
  expect(maskValue(masked).value).toEqual(masked);
});

test("bytes of images stay, text beside them does not, and attached text files are masked inside", () => {
  const image = { type: "image", mediaType: "image/png", source: { kind: "base64", data: token } };
  const foreign = { type: "base64", media_type: "image/png", data: token };
  const file = {
    type: "file",
    mediaType: "text/plain",
    name: ".env",
    source: { kind: "base64", data: Buffer.from(`TOKEN=${token}`).toString("base64") },
  };
  const masked = maskValue({
    content: [image, foreign, file, { type: "text", text: token }],
  }).value;
  expect(masked.content[0]).toEqual(image);
  expect(masked.content[1]).toEqual(foreign);
  expect(masked.content[3]).toEqual({ type: "text", text: placeholder });
  const inside = Buffer.from((masked.content[2] as typeof file).source.data, "base64").toString();
  expect(inside).toMatch(/^TOKEN=\[secret:[a-z-]+:[0-9a-f]{4}\]$/);
});

test("the proof of a thinking event stays valid", () => {
  const event: EventBody = { type: "thinking", content: `about ${token}`, signature: token };
  const masked = maskEvent(event).event;
  expect(masked.signature).toBe(token);
  expect(masked.content).not.toContain(token);
});

test("hostile values neither change prototypes nor overflow the stack", () => {
  const value: unknown = JSON.parse(
    `{"__proto__":{"polluted":"${token}"},"n":null,"t":true,"x":1.5}`,
  );
  const masked = maskValue(value).value as Record<string, unknown>;
  expect(Object.getPrototypeOf(masked)).toBe(Object.prototype);
  expect(JSON.stringify(masked)).not.toContain(token);
  expect(masked["n"]).toBeNull();
  let deep: unknown = token;
  for (let level = 0; level < 50_000; level += 1) deep = [deep];
  expect(JSON.stringify(maskValue(deep).value)).toContain("nested too deep");
});

test("a shared masker shows equal secrets equal across values and counts them all", () => {
  const masker = createMasker();
  const [first, second] = [maskValueWith(masker, { a: token }), maskValueWith(masker, [token])];
  expect(first.a).toBe(second[0]);
  expect(masker.found()).toEqual([{ rule: "github-token", count: 2 }]);
});

test("a key may be a secret or a path itself; two that are masked stay two", () => {
  const { value, found } = maskValue(
    { tokens: { [token]: 1, [`${token.slice(0, -1)}x`]: 2 }, "/home/alice/notes": 3, content: "c" },
    { home: true },
  );
  expect(JSON.stringify(value)).not.toMatch(/ghp_|alice/);
  expect(Object.values(value.tokens)).toEqual([1, 2]);
  expect(value.content).toBe("c");
  expect(found.map(({ rule }) => rule)).toEqual(["github-token", "home-path"]);
});
