/*
 * A glob as steps, all places of which are followed at once: the time is the length of the text times that of the glob,
 * whatever a hostile file of rules says. A regular expression of `*a*a*a*a*b` would not end.
 */

/** One step of a glob: a character that must come, or how many of which kind may. */
export type Step =
  | { readonly kind: "one"; readonly takes: (code: number) => boolean }
  /** Any characters but a slash. */
  | { readonly kind: "name" }
  /** Any characters. */
  | { readonly kind: "all" }
  /** Nothing, or any characters and a slash. */
  | { readonly kind: "folders" };

const slash = 0x2f;

/** The steps of a glob; undefined where git takes it as matching nothing. */
export function stepsOf(glob: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  for (let at = 0; at < glob.length; ) {
    const character = glob[at]!;
    if (character === "*") {
      let stars = 1;
      while (glob[at + stars] === "*") stars += 1;
      const isFirst = at === 0 || glob[at - 1] === "/";
      const next = glob[at + stars];
      at += stars;
      if (stars < 2 || !isFirst || (next !== undefined && next !== "/"))
        steps.push({ kind: "name" });
      else if (next === undefined) steps.push({ kind: "all" });
      else {
        steps.push({ kind: "folders" });
        at += 1;
      }
    } else if (character === "?") {
      steps.push({ kind: "one", takes: (code) => code !== slash });
      at += 1;
    } else if (character === "[") {
      const bracket = bracketOf(glob, at);
      if (bracket === undefined) return undefined;
      steps.push(bracket.step);
      at = bracket.end;
    } else {
      if (character === "\\") at += 1;
      const wanted = glob.charCodeAt(at);
      if (Number.isNaN(wanted)) return undefined;
      steps.push({ kind: "one", takes: (code) => code === wanted });
      at += 1;
    }
  }
  return steps;
}

/** Whether a text is what the steps describe. */
export function isMatch(steps: readonly Step[], text: string): boolean {
  let places = entered(steps, [], 0);
  for (let at = 0; at < text.length && places.length > 0; at += 1) {
    const code = text.charCodeAt(at);
    const next: number[] = [];
    for (const place of places) {
      const step = steps[place];
      if (step === undefined) continue;
      if (step.kind === "one") {
        if (step.takes(code)) entered(steps, next, place + 1);
      } else if (step.kind === "folders") {
        if (!next.includes(place)) next.push(place);
        if (code === slash) entered(steps, next, place + 1);
      } else if (step.kind === "all" || code !== slash) entered(steps, next, place);
    }
    places = next;
  }
  return places.includes(steps.length);
}

/** Adds a place, and those behind it that need no character. */
function entered(steps: readonly Step[], places: number[], from: number): number[] {
  for (let place = from; ; place += 1) {
    if (!places.includes(place)) places.push(place);
    if (place >= steps.length || steps[place]!.kind === "one") return places;
  }
}

const classes: Readonly<Record<string, RegExp>> = {
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /[\x00-\x1f\x7f]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t\n\v\f\r]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};

/** A bracket expression from its `[` on; undefined if it is not closed or not sound. */
function bracketOf(
  glob: string,
  from: number,
): { readonly step: Step; readonly end: number } | undefined {
  let at = from + 1;
  const negated = glob[at] === "!" || glob[at] === "^";
  if (negated) at += 1;
  const tests: ((code: number) => boolean)[] = [];
  for (let first = true; ; first = false) {
    const character = glob[at];
    if (character === undefined) return undefined;
    if (character === "]" && !first) break;
    if (character === "[" && glob[at + 1] === ":") {
      const end = glob.indexOf("]", at + 2);
      if (end < 0) return undefined;
      if (glob[end - 1] === ":" && end - 1 >= at + 2) {
        const members = classes[glob.slice(at + 2, end - 1)];
        if (members === undefined) return undefined;
        tests.push((code) => members.test(String.fromCharCode(code)));
        at = end + 1;
        continue;
      }
    }
    const low = memberAt(glob, at);
    if (low === undefined) return undefined;
    at = low.end;
    const isRange = glob[at] === "-" && glob[at + 1] !== undefined && glob[at + 1] !== "]";
    const high = isRange ? memberAt(glob, at + 1) : low;
    if (high === undefined) return undefined;
    at = high.end;
    tests.push((code) => low.code <= code && code <= high.code);
  }
  const takes = (code: number): boolean =>
    code !== slash && tests.some((test) => test(code)) !== negated;
  return { step: { kind: "one", takes }, end: at + 1 };
}

function memberAt(
  glob: string,
  at: number,
): { readonly code: number; readonly end: number } | undefined {
  const isEscape = glob[at] === "\\";
  const code = glob.charCodeAt(isEscape ? at + 1 : at);
  return Number.isNaN(code) ? undefined : { code, end: at + (isEscape ? 2 : 1) };
}
