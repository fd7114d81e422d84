import type { ContextUsage } from "../../model/bridge-event.ts";
import type { ContextSize } from "./state.ts";

const unknownWindow = 200_000;
const largeWindow = 1_000_000;
/** What a prompt and its answer take where nothing was measured: a turn of usual size and a fifth more. */
const estimatedTurnTokens = 1_500 * 1.2;

/** Windows of models whose agents do not state them. */
const windows: readonly (readonly [RegExp, number])[] = [
  [/\[1m\]/i, largeWindow],
  [/^(?:models\/)?gemini-/i, 1_048_576],
  [/^gpt-5|^gpt-6|codex/i, 272_000],
  [/^gpt-4\.1/i, 1_047_576],
];

/** The window of a model; a setting of the user's comes first, what the agent states second. */
export function windowOf(
  model: string | undefined,
  given: { readonly setting?: number; readonly stated?: number } = {},
): number {
  const known = windows.find(([shape]) => model !== undefined && shape.test(model))?.[1];
  return given.setting ?? given.stated ?? known ?? unknownWindow;
}

/** The context's size by real numbers; more than the window holds means that the window is a larger one. */
export function measuredContext(
  usage: ContextUsage,
  options: {
    readonly from: "transcript" | "payload";
    readonly setting?: number;
    readonly model?: string;
  },
): ContextSize {
  const model = usage.model ?? options.model;
  const window = windowOf(model, {
    ...(options.setting !== undefined && { setting: options.setting }),
    ...(usage.windowTokens !== undefined && { stated: usage.windowTokens }),
  });
  const outgrown = options.setting === undefined && usage.contextTokens > window;
  return {
    tokens: usage.contextTokens,
    windowTokens: outgrown ? Math.max(largeWindow, usage.contextTokens) : window,
    from: options.from,
    ...(model !== undefined && { model }),
  };
}

/** The context's size by the number of prompts alone. */
export function estimatedContext(
  prompts: number,
  options: { readonly setting?: number; readonly model?: string } = {},
): ContextSize {
  const { model, setting } = options;
  return {
    tokens: Math.round(prompts * estimatedTurnTokens),
    windowTokens: windowOf(model, setting === undefined ? {} : { setting }),
    from: "estimate",
    ...(model !== undefined && { model }),
  };
}
