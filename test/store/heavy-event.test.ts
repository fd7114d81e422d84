import { expect, test } from "vitest";
import { limits } from "../../src/base/limits.ts";
import type { SessionEvent } from "../../src/model/event.ts";
import { SessionManager } from "../../src/store/session-manager.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

const keys = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, 1]));

test("an event that would not be read again is refused, and every other one is read", async () => {
  const folder = temporaryFolder();
  const session = SessionManager.create(folder, folder, { sync: "none" });
  const most = limits.parsedWeight / 5;
  expect(() =>
    session.appendSync({ type: "custom", name: "heavy", data: keys(most) }),
  ).toThrowError(expect.objectContaining({ code: "too_large" }));
  session.appendSync({ type: "custom", name: "large", data: keys(most - 100) });
  const file = session.getSessionFile()!;
  await session.close();
  const again = SessionManager.open(file);
  let last: SessionEvent | undefined;
  for await (const event of again.events()) last = event;
  expect(last).toMatchObject({ name: "large", data: keys(most - 100) });
  await again.close();
});
