import type { Tool } from "./tool.ts";
import { blame } from "./tools/blame.ts";
import { checkpoint } from "./tools/checkpoint.ts";
import { forget } from "./tools/forget.ts";
import { getSession } from "./tools/get-session.ts";
import { handoff } from "./tools/handoff.ts";
import { listSessionsTool } from "./tools/list-sessions.ts";
import { recallTool } from "./tools/recall.ts";
import { proposeMemory, remember } from "./tools/remember.ts";
import { rewindPlan } from "./tools/rewind-plan.ts";
import { searchSessions } from "./tools/search-sessions.ts";

/** Every tool, in the order clients list them; all of them are always there. */
export const tools: readonly Tool[] = [
  searchSessions,
  getSession,
  listSessionsTool,
  recallTool,
  remember,
  proposeMemory,
  forget,
  handoff,
  checkpoint,
  rewindPlan,
  blame,
];
