import { z } from "zod";
import { limits } from "../../base/limits.ts";

/** A short text of a caller, on one line. */
export function words(says: string, chars = 500): z.ZodString {
  return z.string().min(1).max(chars).describe(says);
}

/** How long an answer may be; every tool takes it. */
export const maxTokens = z
  .number()
  .int()
  .min(limits.mcpTokensLeast)
  .max(limits.mcpTokensMost)
  .default(limits.mcpTokens)
  .describe("Limits the answer to this many tokens");

/** How many things are listed; the second number is the limit. */
export function most(says: string, usual: number, limit: number): z.ZodDefault<z.ZodNumber> {
  return z.number().int().min(1).max(limit).default(usual).describe(says);
}

/** Whether to look beyond the project. */
export const everywhere = z
  .boolean()
  .default(false)
  .describe("Look in all projects of this machine, not only in this one");
