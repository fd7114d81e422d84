import { shortReference } from "../../../agents/reference.ts";
import { type ErrorCode, isRepriseError, type RepriseError } from "../../../base/errors.ts";
import { clearError, systemError } from "../../../base/system-error.ts";
import type { Colours } from "../terminal/colours.ts";
import { jsonLine, safeLine, safeText } from "../terminal/terminal-text.ts";

/** What the program's exit codes mean. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  conflict: 4,
} as const;

/** The exit code of an error. */
export function exitCodeOf(code: ErrorCode): number {
  switch (code) {
    case "usage":
    case "needs_yes":
      return exitCodes.usage;
    case "not_found":
    case "ambiguous":
      return exitCodes.notFound;
    case "conflict":
    case "session_busy":
    case "session_exists":
      return exitCodes.conflict;
    default:
      return exitCodes.failed;
  }
}

/** Any thrown thing as our error: what the system says gets a code and a hint. */
export function asRepriseError(error: unknown): RepriseError {
  const clear = clearError(error);
  if (isRepriseError(clear)) return clear;
  return systemError(error, error instanceof Error ? error.message : String(error));
}

/** An error for people: `reprise: message`, what could have been meant, and the hint. */
export function errorText(error: RepriseError, colours: Colours): string {
  const lines = [`${colours.red("reprise:")} ${safeText(error.message)}`];
  const candidates = candidatesOf(error);
  for (const candidate of candidates) lines.push(`  ${safeLine(candidate)}`);
  const more = Number(error.details["count"]) - candidates.length;
  if (candidates.length > 0 && more > 0) lines.push(`  ${more} more`);
  lines.push(colours.dim(safeText(error.hint)));
  return lines.join("\n");
}

/** An error for programs, one line of JSON. */
export function errorJson(error: RepriseError): string {
  const { code, message, hint, details } = error;
  return jsonLine({ error: { code, message, hint, details } });
}

function candidatesOf(error: RepriseError): readonly string[] {
  const given = error.details["candidates"];
  if (!Array.isArray(given)) return [];
  return given.flatMap((candidate: unknown) => {
    if (typeof candidate !== "object" || candidate === null) return [];
    const { ref, title, copyOf } = candidate as Readonly<Record<string, unknown>>;
    const copy = typeof copyOf === "string" ? `(copy of ${shortReference(copyOf)}) ` : "";
    return typeof ref === "string"
      ? [`${ref}  ${copy}${typeof title === "string" ? title : ""}`]
      : [];
  });
}
