import { createHmac, randomBytes } from "node:crypto";
import { limits } from "../base/limits.ts";
import { findSecrets } from "./find.ts";
import { homeMasker } from "./home.ts";

/** How many secrets of one rule were masked. */
export interface Found {
  readonly rule: string;
  readonly count: number;
}

/** What is masked besides secrets, and how. */
export interface MaskOptions {
  /** Equal secrets show equal under one key; by default every call has its own, known to nobody. */
  readonly key?: Uint8Array;
  /** Also replaces home directories by `~`: all that look like one (`true`), or the ones given. */
  readonly home?: boolean | string | readonly (true | string)[];
}

/** Masks many texts under one key and counts what it found. */
export interface Masker {
  text(text: string): string;
  /** Masks a whole text of which something else than its shape says that it is a secret. */
  whole(secret: string, rule: string): string;
  /** What was masked so far, by rule name. */
  found(): readonly Found[];
}

/** Begins a row of maskings in which equal secrets show equal. */
export function createMasker(options: MaskOptions = {}): Masker {
  const key = options.key ?? randomBytes(32);
  const hiders = [options.home ?? false]
    .flat()
    .flatMap((home) => (home === false ? [] : homeMasker(home)));
  const counts = new Map<string, number>();
  const marks = new Map<string, string>();
  const count = (rule: string, by: number) => counts.set(rule, (counts.get(rule) ?? 0) + by);
  const whole = (secret: string, rule: string) => {
    count(rule, 1);
    let mark = marks.get(secret);
    if (mark === undefined) {
      mark = createHmac("sha256", key).update(secret).digest("hex").slice(0, 4);
      if (marks.size < limits.rememberedSecrets) marks.set(secret, mark);
    }
    return `[secret:${rule}:${mark}]`;
  };
  const once = (given: string) => {
    const pieces: string[] = [];
    let at = 0;
    for (const { start, end, rule, wrap = "" } of findSecrets(given)) {
      const mark = whole(given.slice(start, end), rule);
      pieces.push(given.slice(at, start), `${wrap}${mark}${wrap}`);
      at = end;
    }
    return at === 0 ? given : pieces.join("") + given.slice(at);
  };
  const text = (given: string) => {
    let masked = once(given);
    // A secret glued to another one may only show once that one is gone.
    for (
      let round = 1, before = given;
      masked !== before && round < limits.maskRounds;
      round += 1
    ) {
      before = masked;
      masked = once(masked);
    }
    for (const hide of hiders) {
      const hidden = hide(masked);
      if (hidden.count > 0) count("home-path", hidden.count);
      masked = hidden.text;
    }
    return masked;
  };
  const found = () =>
    [...counts]
      .map(([rule, times]) => ({ rule, count: times }))
      .sort((a, b) => (a.rule < b.rule ? -1 : 1));
  return { text, whole, found };
}

/** Replaces every secret of a text by a placeholder such as `[secret:github-token:3fa9]`; idempotent. */
export function maskText(
  text: string,
  options: MaskOptions = {},
): { readonly text: string; readonly found: readonly Found[] } {
  const masker = createMasker(options);
  const masked = masker.text(text);
  return { text: masked, found: masker.found() };
}
