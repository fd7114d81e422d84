/** One line of at most `chars` characters, cut at a character boundary. */
export function oneLine(text: string, chars: number): string {
  const flat = flattened(text, chars);
  if (flat.length <= chars) return flat.toWellFormed();
  return `${flat
    .slice(0, chars - 1)
    .toWellFormed()
    .trimEnd()}…`;
}

/**
 * The beginning of a text, at least one character more than wanted where there is one, with every gap of blanks
 * and controls made a single space. Where a text is nearly all blanks, no more than eight times as much is looked at.
 */
function flattened(text: string, chars: number): string {
  const end = Math.min(text.length, chars * 8);
  let flat = "";
  let at = gapEnd(text, 0, end);
  let from = at;
  while (at < end && flat.length + at - from <= chars) {
    if (!isBlank(text.charCodeAt(at))) {
      at += 1;
      continue;
    }
    const next = gapEnd(text, at, end);
    // Most gaps are single spaces and need no change.
    if (next === end || next > at + 1 || text.charCodeAt(at) !== 0x20) {
      flat += text.slice(from, at);
      if (next < end) flat += " ";
      from = next;
    }
    at = next;
  }
  return flat + text.slice(from, at);
}

function gapEnd(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

/** Whether a character is a blank or a control. */
export function isBlank(code: number): boolean {
  if (code <= 0x20 || (code >= 0x7f && code <= 0xa0)) return true;
  return code > 0xff && isFarBlank(code);
}

/** Blanks beyond Latin-1, as `\s` knows them: to ask it for every character would take long. */
function isFarBlank(code: number): boolean {
  if (code >= 0x2000 && code <= 0x206f) {
    return (
      code <= 0x200a || code === 0x2028 || code === 0x2029 || code === 0x202f || code === 0x205f
    );
  }
  return code === 0x3000 || code === 0x1680 || code === 0xfeff;
}

/** The value with every string made well-formed, so that the log is valid UTF-8. */
export function wellFormed<T>(value: T): T {
  return map(value) as T;
}

function map(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(map);
  if (typeof value === "object" && value !== null) {
    const copy: Record<string, unknown> = {};
    for (const [key, inner] of Object.entries(value)) copy[key.toWellFormed()] = map(inner);
    return copy;
  }
  return value;
}
