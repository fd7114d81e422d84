import type { Span } from "../../../src/redact/span.ts";

export interface Sample {
  readonly kind: string;
  readonly text: string;
}
export interface SecretSample extends Sample {
  readonly secrets: readonly { readonly start: number; readonly end: number }[];
}
export interface ClassRow {
  readonly kind: string;
  readonly count: number;
  readonly found: number;
  readonly missed: readonly string[];
  readonly falseAlarms: readonly { readonly text: string; readonly hit: string }[];
}
export const parts: Readonly<Record<"first" | "second", unknown>>;
export function secretSamples(
  seed: number,
  options: { readonly part: "first" | "second"; readonly draws?: number },
): readonly SecretSample[];
export function harmlessSamples(
  seed: number,
  options?: { readonly draws?: number },
): readonly Sample[];
export function judged(
  find: (text: string) => readonly Span[],
  samples: { readonly secrets: readonly SecretSample[]; readonly ordinary: readonly Sample[] },
): readonly ClassRow[];
export function figures(rows: readonly ClassRow[]): {
  readonly secrets: number;
  readonly ordinary: number;
  readonly recall: number;
  readonly precision: number;
};
