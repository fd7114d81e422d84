import { locate as aider } from "./aider/locate.ts";
import { locate as claudeCode } from "./claude-code/locate.ts";
import { locate as codex } from "./codex/locate.ts";
import { locate as geminiCli } from "./gemini-cli/locate.ts";
import type { Locator } from "./locate-sessions.ts";
import { locate as opencode } from "./opencode/locate.ts";
import { locate as pi } from "./pi/locate.ts";
import { locate as reprise } from "./reprise/locate.ts";

/** The agents of the registry by what finds their sessions; loading it loads no reader and no writer. */
export const locators: readonly Locator[] = [
  { name: "reprise", locate: reprise },
  { name: "claude-code", locate: claudeCode },
  { name: "codex", locate: codex },
  { name: "gemini-cli", locate: geminiCli },
  { name: "opencode", locate: opencode },
  { name: "pi", locate: pi },
  { name: "aider", locate: aider },
];
