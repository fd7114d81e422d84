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
  [/claude/i, 200_000],
];

/** What else says how large a window is: the user's setting, the session's own word, what the agent's models have. */
interface WindowWords {
  readonly setting?: number;
  readonly stated?: number;
  readonly usual?: number;
}

/** The window of a model: the user's setting comes first, then the agent's word, the model's name, the agent's models. */
export function windowOf(
  model: string | undefined,
  { setting, stated, usual }: WindowWords = {},
): Pick<ContextSize, "windowTokens" | "windowAssumed"> {
  const named = windows.find(([shape]) => model !== undefined && shape.test(model))?.[1];
  const known = setting ?? stated ?? named ?? usual;
  return known === undefined
    ? { windowTokens: unknownWindow, windowAssumed: true }
    : { windowTokens: known };
}

/** The context's size by real numbers; more than the window holds means that the window is a larger one. */
export function measuredContext(
  usage: ContextUsage,
  options: {
    readonly from: "transcript" | "payload";
    readonly setting?: number;
    readonly usual?: number;
    readonly model?: string;
  },
): ContextSize {
  const model = usage.model ?? options.model;
  const window = windowOf(model, {
    ...options,
    ...(usage.windowTokens !== undefined && { stated: usage.windowTokens }),
  });
  const outgrown = options.setting === undefined && usage.contextTokens > window.windowTokens;
  return {
    tokens: usage.contextTokens,
    ...(outgrown ? { windowTokens: Math.max(largeWindow, usage.contextTokens) } : window),
    from: options.from,
    ...(model !== undefined && { model }),
  };
}

/** The context's size by the number of prompts alone. */
export function estimatedContext(prompts: number, options: EstimateOptions = {}): ContextSize {
  return contextOf(Math.round(prompts * estimatedTurnTokens), options);
}

/** What is known of a context whose size nobody recorded. */
interface EstimateOptions {
  readonly setting?: number;
  readonly usual?: number;
  readonly model?: string;
}

/** The context's size by an estimate of its tokens. */
export function contextOf(tokens: number, options: EstimateOptions): ContextSize {
  const { model } = options;
  return {
    tokens,
    ...windowOf(model, options),
    from: "estimate",
    ...(model !== undefined && { model }),
  };
}
