import type { EventBody } from "../../model/event.ts";
import type { Usage } from "../../model/usage.ts";

/** What a line of the program says besides its words, where it is clear. */
export function factsOf(text: string): readonly EventBody[] {
  const model = modelIn(text);
  if (model !== undefined) return [{ type: "meta", model }];
  const added = /^Added (.+?) to the chat\.?$/.exec(text)?.[1];
  if (added !== undefined) return [{ type: "file", path: added, action: "read" }];
  const edited = /^Applied edit to (.+)$/.exec(text)?.[1];
  if (edited !== undefined) return [{ type: "file", path: edited, action: "modified" }];
  const created = /^Creating empty file (.+)$/.exec(text)?.[1];
  if (created !== undefined) return [{ type: "file", path: created, action: "created" }];
  const commit = /^Commit ([0-9a-f]{7,40}) (.*)$/.exec(text);
  if (commit === null) return [];
  return [{ type: "meta", git: { commit: commit[1]! }, data: { subject: commit[2]! } }];
}

/** The model a line names: `Model: x with diff edit format`, or the command line the program was started with. */
export function modelIn(text: string): string | undefined {
  const stated = /^(?:Main model|Model): (\S+)/.exec(text)?.[1];
  if (stated !== undefined) return stated;
  if (!/^(?:\S*[\\/])?aider(?:\.exe)?\s/i.test(text)) return undefined;
  return /\s--model[ =](\S+)/.exec(text)?.[1];
}

/** The version a banner names: `Aider v0.86.3`. */
export function versionIn(text: string): string | undefined {
  return /^aider v(\d\S*)/i.exec(text)?.[1];
}

/** The tokens of one answer as the program says them, rounded as it rounds them. */
export function usageIn(text: string): Usage | undefined {
  const found =
    /^Tokens: ([\d.]+[kM]?) sent,(?: [\d.]+[kM]? cache \w+,)* ([\d.]+[kM]?) received\./.exec(text);
  if (found === null) return undefined;
  const cost = /Cost: \$([\d.]+) message/.exec(text)?.[1];
  const costValue = cost === undefined ? Number.NaN : Number.parseFloat(cost);
  const [read, write] = [cacheCount(text, "hit"), cacheCount(text, "write")];
  return {
    input: count(found[1]!),
    output: count(found[2]!),
    ...(read === undefined ? {} : { cacheRead: read }),
    ...(write === undefined ? {} : { cacheWrite: write }),
    ...(Number.isFinite(costValue) ? { cost: costValue } : {}),
  };
}

function cacheCount(text: string, name: string): number | undefined {
  const found = new RegExp(`([\\d.]+[kM]?) cache ${name}`).exec(text)?.[1];
  return found === undefined ? undefined : count(found);
}

function count(text: string): number {
  const value = Number.parseFloat(text);
  const factor = text.endsWith("k") ? 1000 : text.endsWith("M") ? 1_000_000 : 1;
  return Math.round(value * factor) || 0;
}
