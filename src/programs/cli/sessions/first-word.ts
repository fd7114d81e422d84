import { byTitle, isInTitle } from "../../../agents/by-title.ts";
import { findSessions } from "../../../agents/find-sessions.ts";
import { type NamedSession, referenceTo, resolveReference } from "../../../agents/reference.ts";
import { isRepriseError, RepriseError } from "../../../base/errors.ts";
import type { CommandContext } from "../run/command.ts";

/** What a command takes behind the session. */
export interface WordsBehind {
  /** How many words it needs at least. */
  readonly least: number;
  /** The command with a reference and the words behind it, as it is typed. */
  line(reference: string, words: readonly string[]): string;
}

/**
 * The session that the first word names. Where more of the words stand in its title, or only more of them name one, the
 * error says how to type that: no word of a title becomes a tag.
 */
export function sessionInFirstWord(
  args: readonly string[],
  behind: WordsBehind,
  context: CommandContext,
): NamedSession {
  const [first = "", second] = args;
  if (second === undefined) return resolveReference(first, context);
  const found = foundBy(first, context);
  const isClear = !(found instanceof RepriseError);
  if (isClear && !isInTitle(`${first} ${second}`, found.head)) return found;
  const titled = inMoreWords(args, behind, context);
  if (titled === undefined) {
    if (isClear) return found;
    throw inQuotes(found);
  }
  const byId = isClear ? ` If not: \`${behind.line(referenceTo(found), args.slice(1))}\`.` : "";
  const said = `Only the first word, ${JSON.stringify(first)}, was taken as the session.`;
  throw new RepriseError("usage", said, { hint: `Did you mean \`${titled}\`?${byId}` });
}

/** The session, or the error where there is none or more than one. */
function foundBy(word: string, context: CommandContext): NamedSession | RepriseError {
  try {
    return resolveReference(word, context);
  } catch (error) {
    if (isRepriseError(error, "ambiguous") || isRepriseError(error, "not_found")) return error;
    throw error;
  }
}

/** The command with as many of the first words in quotes as stand in one title; undefined where they stand in none. */
function inMoreWords(
  args: readonly string[],
  { least, line }: WordsBehind,
  context: CommandContext,
): string | undefined {
  const sessions = findSessions(context);
  for (let length = args.length - least; length > 1; length -= 1) {
    const words = args.slice(0, length).join(" ");
    const [only, other] = byTitle(words, sessions);
    if (only !== undefined && other === undefined && isInTitle(words, only.head))
      return line(inShell(words), args.slice(length));
  }
  return undefined;
}

/** The same error with a hint that several words of a title need quotes. */
function inQuotes({ code, message, details, hint }: RepriseError): RepriseError {
  const first =
    "Only the first word was taken as the session; put more words of its title in quotes.";
  return new RepriseError(code, message, { details, hint: `${first} ${hint}` });
}

/** Text as a shell takes it for one word. */
export function inShell(text: string): string {
  return /["$`\\!]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`;
}
