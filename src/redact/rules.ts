import type { Rule } from "./rule.ts";
import { addresses } from "./rules/addresses.ts";
import { commandLines } from "./rules/command-lines.ts";
import { headers } from "./rules/headers.ts";
import { keyShapes } from "./rules/key-shapes.ts";
import { said } from "./rules/said.ts";
import { settings } from "./rules/settings.ts";
import { statements } from "./rules/statements.ts";

/** Every rule that is tried where its keyword stands; of two that find the same, the first names it. */
export const rules: readonly Rule[] = [
  ...keyShapes,
  ...addresses,
  ...headers,
  ...settings,
  ...statements,
  ...commandLines,
  ...said,
];
