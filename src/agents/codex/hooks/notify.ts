import { tomlTables } from "../toml-tables.ts";

const ours = /^notify = \[.*reprise-hook(?:\.cjs)?", "codex"\]$/;
const key = /^\s*(?:notify|"notify"|'notify')\s*=/;

/** Whether Codex's settings name a program to notify that is not ours. */
export function foreignNotify(text: string): boolean {
  return topLines(text).some((line) => key.test(line) && !ours.test(line.trimEnd()));
}

/** Whether Codex's settings notify us. */
export function notifiesUs(text: string): boolean {
  return topLines(text).some((line) => ours.test(line.trimEnd()));
}

/** Codex's settings with us as the program to notify: a line before the first table. Another program's stays. */
export function withNotify(text: string, argv: readonly string[]): string {
  const line = `notify = [${argv.map((part) => JSON.stringify(part)).join(", ")}]`;
  const own = withoutNotify(text);
  if (foreignNotify(own)) return text;
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const at = topLines(own).reduce((sum, top) => sum + top.length + 1, 0);
  const head = own.slice(0, Math.min(at, own.length));
  const gap = head === "" || head.endsWith("\n") ? "" : newline;
  return `${head}${gap}${line}${newline}${own.slice(head.length)}`;
}

/** Codex's settings without the line that names us. */
export function withoutNotify(text: string): string {
  const lines = text.split("\n");
  const top = topLines(text).length;
  return lines.filter((line, index) => index >= top || !ours.test(line.trimEnd())).join("\n");
}

/** The lines before the first table. */
function topLines(text: string): readonly string[] {
  const lines = text.split("\n");
  const top = lines.slice(0, tomlTables(lines)[0]!.to);
  return top.length === lines.length && text.endsWith("\n") ? top.slice(0, -1) : top;
}
