import type { SessionFilter } from "../../../agents/find-sessions.ts";
import { spanText } from "../render/time.ts";

/** Which sessions a deletion is about, behind the word "sessions": `of "old-app", last changed until 2026-05-20`. */
export function chosenWords(
  { project, here, sinceMs, subagents: _, ...others }: SessionFilter,
  untilMs: number | undefined,
): string {
  const isTimed = sinceMs !== undefined || untilMs !== undefined;
  return [
    ...(project === undefined ? [] : [`of ${JSON.stringify(project)}`]),
    ...(here === undefined ? [] : [`of the project of ${here}`]),
    ...Object.entries(others).map(([name, value]) => `with ${name} ${value}`),
    ...(isTimed ? [`last changed ${spanText(sinceMs, untilMs)}`] : []),
  ].join(", ");
}
