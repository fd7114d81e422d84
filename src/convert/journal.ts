import type { PiecePrint } from "../additions/added-piece.ts";
import type { NotesWriter, Written } from "../agents/contract.ts";
import { loadAgent } from "../agents/registry.ts";
import { isRepriseError, RepriseError } from "../base/errors.ts";
import { failpoint } from "../base/failpoint.ts";
import { asString, isObject, type JsonObject } from "../base/json.ts";
import { record } from "../log/journal.ts";
import { conversionKind } from "../store/copies.ts";
import { concludeIntention, registerSettling } from "../store/intention.ts";
import { registerUndo } from "../store/undo.ts";

/** Lets `undo` take conversions back, and later commands what a killed one left, through the agents that wrote them. */
export function registerConversions(): void {
  registerUndo(conversionKind, async (_home, data, env) => {
    const { writer, written, name } = await writtenIn(data);
    // A writer of others may return nothing.
    const left = (await writer.takeBack(written, env)) ?? [];
    return { did: `removed ${name}`, left };
  });
  registerSettling(conversionKind, async (home, { id, data }, env) => {
    const { writer, written, name } = await writtenIn(data);
    let left: readonly PiecePrint[];
    try {
      left = (await writer.takeBack(written, env)) ?? [];
    } catch (error) {
      if (!isRepriseError(error, "conflict")) throw error;
      const { from, to, notes } = data;
      const said = { from, to, written, losses: [], ...(notes === true && { notes }) };
      record(home.journal, conversionKind, { ...said, intention: id });
      return `Writing ${name} was killed, and it was changed since; it stays.`;
    }
    failpoint("settle.taken-back");
    concludeIntention(home, id, "taken back", left);
    return `Writing ${name} was killed before it was done; it was undone.`;
  });
}

/** What takes additions back, whether they are sessions or notes. */
type TakesBack = Pick<NotesWriter, "takeBack">;

async function writtenIn({ written, notes }: JsonObject): Promise<{
  readonly writer: TakesBack;
  readonly written: Written;
  readonly name: string;
}> {
  const ref = isObject(written) ? written["ref"] : undefined;
  const agent = isObject(ref) ? asString(ref["agent"]) : undefined;
  const found = agent === undefined ? undefined : await loadAgent(agent);
  const writer = await (notes === true ? found?.notesWriter?.() : found?.writer?.());
  if (writer === undefined || !isObject(written) || !isObject(ref)) {
    throw new RepriseError("unsupported", "The agent this was written for is not known here.");
  }
  const session = asString(ref["session"]) ?? "";
  const name = session === "" ? `a run in ${asString(ref["path"])}` : `${agent}:${session}`;
  return { writer, written: written as unknown as Written, name };
}
