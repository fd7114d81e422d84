import { limits } from "../../base/limits.ts";
import type { FileAct } from "./file-act.ts";

/** How a line begins a file: `cat > file <<'EOF'`, or with the file after the word. */
const beginnings = [
  /(?:^|[;&(]\s*)cat\s+>\s*(?<path>\S+)\s*<<\s*(?<quote>['"]?)(?<word>\w+)\k<quote>\s*$/,
  /(?:^|[;&(]\s*)cat\s+<<\s*(?<quote>['"]?)(?<word>\w+)\k<quote>\s*>\s*(?<path>\S+)\s*$/,
] as const;

/** Files a command writes whole, as far as its text says their content. */
export function shellWriteActs(command: string): readonly FileAct[] {
  if (!command.includes("<<")) return [];
  const lines = command.replaceAll("\r\n", "\n").split("\n");
  const acts: FileAct[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]!;
    if (line.length > limits.pathChars || !line.includes("<<")) continue;
    const found = beginnings.map((form) => form.exec(line)?.groups).find(Boolean);
    if (found === undefined) continue;
    const end = lines.indexOf(found["word"]!, at + 1);
    // Without its end it takes all that follows.
    if (end < 0) break;
    const body = lines.slice(at + 1, end);
    at = end;
    const path = plainPath(found["path"]!);
    // What a shell puts in, or a path it makes, is not told by the text.
    const isPlain = found["quote"] !== "" || !body.some((text) => /[$`\\]/.test(text));
    if (path === undefined || !isPlain) continue;
    const content = body.map((text) => `${text}\n`).join("");
    acts.push({ path, action: "created", changes: [{ kind: "write", content }] });
  }
  return acts;
}

function plainPath(word: string): string | undefined {
  const path = word.replace(/^(['"])(.*)\1$/, "$2");
  return path === "" || /[$`*?~'"\\|&;<>]/.test(path) ? undefined : path;
}
