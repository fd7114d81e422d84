import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/** A help text, with where the pages lie that it names; the package brings them along. */
export function withDocsPlace(help: string, program = process.argv[1] ?? ""): string {
  if (!/\bdocs\/[a-z-]+\.md\b/.test(help)) return help;
  try {
    const docs = join(dirname(dirname(dirname(realpathSync(program)))), "docs");
    return existsSync(docs) ? `${help}\nThe folder docs/ is ${docs}\n` : help;
  } catch {
    return help;
  }
}
