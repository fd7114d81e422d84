/** A key that screens know, or text that was typed or pasted. */
export type Key =
  | { readonly name: "control"; readonly letter: string }
  | { readonly name: "up" | "down" | "left" | "right" | "pageUp" | "pageDown" | "home" | "end" }
  /** With Shift or Alt: what lies beside the list moves. */
  | { readonly name: "scrollUp" | "scrollDown" }
  | { readonly name: "enter" | "backspace" | "delete" | "clear" | "eraseWord" | "tab" }
  /** `leaves`: it was ^C, which leaves a screen, not only what is in front of it; ^D does so where nothing is typed. */
  | { readonly name: "escape"; readonly leaves?: "always" | "empty" }
  /** What was pasted is text alone: a screen whose letters are keys passes it over. */
  | { readonly name: "text"; readonly text: string; readonly pasted?: true };

const sequences: Readonly<Record<string, Key["name"]>> = {
  "[A": "up",
  OA: "up",
  "[B": "down",
  OB: "down",
  "[1;2A": "scrollUp",
  "[1;3A": "scrollUp",
  "[1;2B": "scrollDown",
  "[1;3B": "scrollDown",
  "[C": "right",
  OC: "right",
  "[D": "left",
  OD: "left",
  "[3~": "delete",
  "[5~": "pageUp",
  "[6~": "pageDown",
  "[H": "home",
  OH: "home",
  "[1~": "home",
  "[F": "end",
  OF: "end",
  "[4~": "end",
};

const controls: Readonly<Record<string, Key["name"]>> = {
  "\t": "tab",
  "\r": "enter",
  // ^J and ^K as in vi. A line end that was pasted without marks is none of our Enters either.
  "\n": "down",
  "\u000b": "up",
  "\u007f": "backspace",
  "\b": "backspace",
  "\u0015": "clear",
  "\u0017": "eraseWord",
  "\u000e": "down",
};

// What a terminal puts around what is pasted, so that a line end in it is no Enter.
const pasteBegin = "\u001b[200~";
const pasteEnd = "\u001b[201~";
const cutPasteEnd = /\u001b(?:\[(?:2(?:01?)?)?)?$/;

/** Whether the rest of what was typed is a paste that goes on, and no key that may be whole. */
export function isPasting(rest: string): boolean {
  return rest.startsWith(pasteBegin);
}

/** What was typed, as keys; `rest` is the beginning of a sequence or a paste whose end has not come yet. */
export function readKeys(input: string): { readonly keys: readonly Key[]; readonly rest: string } {
  const keys: Key[] = [];
  let at = 0;
  while (at < input.length) {
    const rest = input.slice(at);
    if (isPasting(rest)) {
      const end = rest.indexOf(pasteEnd);
      const held = end < 0 ? (cutPasteEnd.exec(rest)?.[0] ?? "") : "";
      const pasted = rest.slice(pasteBegin.length, end < 0 ? rest.length - held.length : end);
      const text = pasted.replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ");
      if (text !== "") keys.push({ name: "text", text, pasted: true });
      if (end < 0) return { keys, rest: pasteBegin + held };
      at += end + pasteEnd.length;
      continue;
    }
    if (rest.startsWith("\u001b")) {
      // Alt with the erasing key, which takes a word away wherever lines are typed.
      if (/^\u001b[\u007f\b]/.test(rest)) {
        keys.push({ name: "eraseWord" });
        at += 2;
        continue;
      }
      const sequence = /^\u001b([[O][0-9;]*[A-Za-z~])/.exec(rest);
      if (sequence !== null) {
        const name = sequences[sequence[1]!];
        if (name !== undefined) keys.push({ name } as Key);
        at += sequence[0].length;
        continue;
      }
      // The rest of a sequence may still be on its way; who waits for it decides.
      if (/^\u001b(?:[[O][0-9;]*)?$/.test(rest)) return { keys, rest };
      // Alt with another key: no screen has such a key, and it must not be taken for Esc.
      const alt = /^\u001b[^\u001b]/u.exec(rest);
      if (alt === null) keys.push({ name: "escape" });
      at += alt === null ? 1 : alt[0].length;
      continue;
    }
    const text = /^[^\u0000-\u001f\u007f-\u009f]+/.exec(rest)?.[0];
    if (text !== undefined) {
      keys.push({ name: "text", text });
      at += text.length;
      continue;
    }
    if (rest[0] === "\u0003" || rest[0] === "\u0004") {
      keys.push({ name: "escape", leaves: rest[0] === "\u0003" ? "always" : "empty" });
      at += 1;
      continue;
    }
    const name = controls[rest[0]!];
    const letter = String.fromCharCode(rest.charCodeAt(0) + 0x60);
    if (name !== undefined) keys.push({ name } as Key);
    else if (/[a-z]/.test(letter)) keys.push({ name: "control", letter });
    at += 1;
  }
  return { keys, rest: "" };
}
