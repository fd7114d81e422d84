import { expect, test } from "vitest";
import { holdsText } from "../../src/base/holds-text.ts";

test("a text with half a character is looked for without ending the process", () => {
  const bytes = Buffer.from('{"uuid":"a\\ud800b","parentUuid":"ü"}');
  expect(holdsText(bytes, "a\ud800b")).toBe(false);
  expect(holdsText(bytes, "\udc00")).toBe(false);
  expect(holdsText(bytes, '"ü"')).toBe(true);
});
