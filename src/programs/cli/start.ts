#!/usr/bin/env node
import { endQuietlyOnClosedPipe } from "./output.ts";
import { runQuickSearch } from "./quick.ts";

/*
 * Where the program begins, in one small file: a search runs from here alone, everything else loads the
 * whole program. Starting is most of what a search costs.
 */

const argv = process.argv.slice(2);

void begin();

async function begin(): Promise<void> {
  if (argv[0] === "search") {
    endQuietlyOnClosedPipe();
    const code = await runQuickSearch(argv.slice(1));
    if (code !== undefined) {
      process.exitCode = code;
      return;
    }
  }
  await import("./main.ts");
}
