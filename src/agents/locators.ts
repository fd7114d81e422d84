import { locate as aider } from "./aider/locate.ts";
import { locate as claudeCode } from "./claude-code/locate.ts";
import { withSideFiles } from "./claude-code/side-files.ts";
import { locate as codex } from "./codex/locate.ts";
import { nameOf } from "./codex/session-names.ts";
import type { SessionRef } from "./contract.ts";
import { locate as geminiCli } from "./gemini-cli/locate.ts";
import type { Locator, Telling } from "./locate-sessions.ts";
import { locate as opencode } from "./opencode/locate.ts";
import { locate as pi } from "./pi/locate.ts";
import { locate as reprise } from "./reprise/locate.ts";
import { revisions } from "./revisions.ts";

/** What a native log says of text that is not in it: blobs, sealed lines, a base. */
const elsewhere: Telling = { texts: ['"blobs":', '"sealed":', '"base":{'] };

/** A rollout that goes on from another one says so at its beginning. */
const continued: Telling = { texts: ['"history_base":'], lines: 3 };

function itself(ref: SessionRef): readonly string[] {
  return [ref.path];
}

/** Codex keeps the names people give to threads in one file for all of them. */
function threadName({ root, session }: SessionRef): string | undefined {
  return root === undefined ? undefined : nameOf(root, session);
}

const found: readonly Locator[] = [
  { name: "reprise", locate: reprise, text: { of: itself, unless: elsewhere } },
  { name: "claude-code", locate: claudeCode, text: { of: withSideFiles } },
  { name: "codex", locate: codex, text: { of: itself, unless: continued, titleOf: threadName } },
  { name: "gemini-cli", locate: geminiCli, text: { of: itself } },
  { name: "opencode", locate: opencode },
  { name: "pi", locate: pi, text: { of: itself } },
  { name: "aider", locate: aider, text: { of: itself } },
];

/** The agents of the registry by what finds their sessions; loading it loads no reader and no writer. */
export const locators: readonly Locator[] = found.map((locator) => ({
  ...locator,
  revision: revisions[locator.name] ?? 1,
}));
