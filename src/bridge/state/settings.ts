import { smallFile } from "../../base/folders.ts";
import { asNumber, isObject, parseObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { defaultThresholds, type Thresholds } from "./brackets.ts";
import type { Bracket } from "./state.ts";

/** What a user may set in `<home>/bridge/settings.json`. */
export interface BridgeSettings {
  readonly thresholds: Thresholds;
  readonly budgets: Readonly<Partial<Record<Bracket, number>>>;
  /** The window of every model, where the user knows better. */
  readonly windowTokens?: number;
  /** The most one event gives to a model. */
  readonly injectedTokens: number;
  readonly workMs: number;
  /** Whether what the user stored or approved is given to models, and how much of it. */
  readonly memories: boolean;
  readonly memoryTokens: number;
  /** Whether checkpoints of files are taken by themselves. */
  readonly checkpoints: boolean;
  /** How long one may take at a prompt, and before a tool. */
  readonly promptCheckpointMs: number;
  readonly toolCheckpointMs: number;
}

/** The settings of a file; what is missing or makes no sense is as it is by default. */
export function readSettings(path: string): BridgeSettings {
  const text = smallFile(path, limits.headBytesMax);
  const value = (text === undefined ? undefined : parseObject(text)) ?? {};
  const windowTokens = positive(value["windowTokens"]);
  return {
    thresholds: thresholdsIn(value["brackets"]),
    budgets: budgetsIn(value["budgets"]),
    ...(windowTokens !== undefined && { windowTokens }),
    injectedTokens: Math.min(
      positive(value["injectedTokens"]) ?? limits.injectedTokens,
      limits.injectedTokens,
    ),
    workMs: positive(value["workMs"]) ?? limits.hookWorkMs,
    memories: value["memories"] !== false,
    memoryTokens: positive(value["memoryTokens"]) ?? limits.digestTokens,
    checkpoints: value["checkpoints"] !== false,
    promptCheckpointMs: positive(value["promptCheckpointMs"]) ?? limits.promptCheckpointMs,
    toolCheckpointMs: positive(value["toolCheckpointMs"]) ?? limits.toolCheckpointMs,
  };
}

function thresholdsIn(value: unknown): Thresholds {
  if (!isObject(value)) return defaultThresholds;
  const percent = (key: keyof Thresholds): number => {
    const given = asNumber(value[key]);
    return given !== undefined && given >= 0 && given <= 100 ? given : defaultThresholds[key];
  };
  const found = {
    fresh: percent("fresh"),
    moderate: percent("moderate"),
    depleted: percent("depleted"),
    hysteresis: percent("hysteresis"),
  };
  const ordered = found.fresh > found.moderate && found.moderate > found.depleted;
  return ordered ? found : defaultThresholds;
}

function budgetsIn(value: unknown): Readonly<Partial<Record<Bracket, number>>> {
  if (!isObject(value)) return {};
  const budgets: Partial<Record<Bracket, number>> = {};
  for (const bracket of ["FRESH", "MODERATE", "DEPLETED", "CRITICAL"] as const) {
    const tokens = asNumber(value[bracket]);
    if (tokens !== undefined && tokens >= 0) budgets[bracket] = tokens;
  }
  return budgets;
}

function positive(value: unknown): number | undefined {
  const given = asNumber(value);
  return given !== undefined && given > 0 ? given : undefined;
}
