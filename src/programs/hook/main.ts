#!/usr/bin/env node
import { keepCompiled } from "../compile-cache.ts";

/*
 * `reprise-hook <agent> [payload]`: one event of an agent, read from standard input or the argument.
 * Whatever happens it exits 0 (P9): an agent takes any other number for a refusal, or stops. Only what must come first
 * is here: whatever is loaded after it need not be compiled again at the next event.
 */
const home = process.env["HOME"] ?? process.env["USERPROFILE"] ?? "/";
const { env: variables, platform } = process;
keepCompiled({ variables, platform, home, cwd: "" });
import("./run.ts")
  .then(({ runHook }) => runHook(process.argv.slice(2), { home, hookFile: import.meta.filename }))
  .catch(() => undefined)
  .finally(() => process.exit(0));
