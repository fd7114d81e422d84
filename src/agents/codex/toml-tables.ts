import { RepriseError } from "../../base/errors.ts";

/** A table of a TOML text: from its heading to the next heading or the end. The first has no heading. */
export interface TomlTable {
  /** The words of its heading; empty for what stands before the first one. */
  readonly name: readonly string[];
  /** Its first line, and the line after its last one. */
  readonly from: number;
  readonly to: number;
}

/** The tables of a text by their lines; strings and arrays over several lines are walked over. */
export function tomlTables(lines: readonly string[]): readonly TomlTable[] {
  const starts: { readonly name: readonly string[]; readonly from: number }[] = [
    { name: [], from: 0 },
  ];
  let within: '"""' | "'''" | undefined;
  let depth = 0;
  for (const [index, line] of lines.entries()) {
    if (within === undefined && depth === 0 && /^\s*\[/.test(line)) {
      starts.push({ name: headingOf(line), from: index });
      continue;
    }
    for (const [token] of line.matchAll(/"""|'''|"(?:[^"\\]|\\.)*"|'[^']*'|#|[[\]{}]/g)) {
      if (within !== undefined) {
        if (token === within) within = undefined;
        continue;
      }
      if (token === '"""' || token === "'''") within = token;
      else if (token === "#") break;
      else if (token === "[" || token === "{") depth += 1;
      else if (token === "]" || token === "}") depth -= 1;
    }
    if (depth < 0)
      throw new RepriseError("bad_input", `Line ${index + 1} of the settings is not TOML.`);
  }
  return starts.map((start, index) => ({ ...start, to: starts[index + 1]?.from ?? lines.length }));
}

function headingOf(line: string): readonly string[] {
  const inner = /^\s*\[+([^\]]*)\]/.exec(line)?.[1] ?? "";
  return [...inner.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|([A-Za-z0-9_-]+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? "",
  );
}
