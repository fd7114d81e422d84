#!/usr/bin/env node
import { processEnvironment } from "../../base/env.ts";
import { keepCompiled } from "../compile-cache.ts";

/*
 * `reprise`. Only what must come first is here: whatever is loaded after it need not be compiled again at the next
 * start.
 */
keepCompiled(processEnvironment());
void main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<void> {
  const { runProgram } = await import("./run/run.ts");
  process.exitCode = await runProgram(argv);
}
