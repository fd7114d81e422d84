import type { EventBody } from "../../../model/event.ts";
import type { DocumentPart } from "../../document.ts";
import { typedText } from "../typed-text.ts";

const speaker = /^(user|assistant):[ \t]*$/;
const mark = /^\[(Thinking|Tool call|Tool result)\][ \t]*(.*)$/;

/**
 * What a transcript in plain text says: older versions wrote no other one. A line with a speaker begins a turn; marks in
 * brackets begin thinking, a call and its result, which no id joins.
 */
export function partsOfText(text: string): readonly DocumentPart[] {
  const parts: DocumentPart[] = [];
  let role = "";
  let marked: RegExpExecArray | null = null;
  let lines: string[] = [];
  let call = 0;
  const end = (): void => {
    const said = lines.join("\n").trim();
    lines = [];
    if (role === "" || (said === "" && marked === null)) return;
    if (marked?.[1] === "Tool call") call += 1;
    for (const body of bodiesOf(said, { role, marked, call: `call-${call}` }))
      parts.push({ body, native: said });
  };
  for (const line of text.split(/\r?\n/)) {
    const turn = speaker.exec(line);
    const next = turn === null && role === "assistant" ? mark.exec(line) : null;
    if (turn === null && next === null) {
      lines.push(line);
      continue;
    }
    end();
    role = turn?.[1] ?? role;
    marked = next;
    if (next?.[1] === "Thinking" && next[2] !== "") lines.push(next[2]!);
  }
  end();
  return parts;
}

function bodiesOf(
  said: string,
  of: { readonly role: string; readonly marked: RegExpExecArray | null; readonly call: string },
): readonly EventBody[] {
  const { role, marked, call } = of;
  const name = marked?.[2]?.trim() || "tool";
  if (role === "user") {
    const { typed, around } = typedText(said);
    return [
      ...(around === "" ? [] : [{ type: "user", content: around, injected: true } as const]),
      ...(typed === "" ? [] : [{ type: "user", content: typed } as const]),
    ];
  }
  switch (marked?.[1]) {
    case "Thinking":
      return [{ type: "thinking", content: said }];
    case "Tool call":
      return [{ type: "tool_use", call, name, input: inputOf(said) }];
    case "Tool result":
      return [{ type: "tool_result", call, name, content: said }];
    default:
      return [{ type: "assistant", content: said }];
  }
}

/** Arguments stand as `name: value`, indented; what follows without a name continues the one before. */
function inputOf(said: string): Readonly<Record<string, string>> {
  const input = new Map<string, string>();
  let name: string | undefined;
  for (const line of said.split("\n")) {
    const [, key, value] = /^ {0,2}([A-Za-z_][\w-]{0,59}): ?(.*)$/.exec(line) ?? [];
    if (key !== undefined) {
      name = key;
      input.set(key, value ?? "");
    } else if (name !== undefined) input.set(name, `${input.get(name)}\n${line}`);
  }
  return Object.fromEntries(input);
}
