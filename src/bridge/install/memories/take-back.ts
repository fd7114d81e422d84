import type { Environment } from "../../../base/env.ts";
import { isRepriseError, RepriseError } from "../../../base/errors.ts";
import {
  type ChangedMemory,
  changeIn,
  changeText,
  memoryKind,
} from "../../../memory/change-entry.ts";
import { type MemoryEntry, userOwner } from "../../../memory/entry.ts";
import { type Memory, openMemory } from "../../../memory/memory.ts";
import { registerDescription } from "../../../store/describe-entry.ts";
import type { Home } from "../../../store/home.ts";
import { registerUndo } from "../../../store/undo.ts";
import { planWithdrawal } from "./withdraw.ts";

/** Lets `undo` take back what the user did with a memory, as long as it was not changed since. */
export function registerMemories(): void {
  registerDescription(memoryKind, changeText);
  registerUndo(memoryKind, async (home, data, env) => {
    const change = changeIn(data);
    if (change === undefined)
      throw new RepriseError("bad_input", "The entry names no version of a memory.");
    const memory = opened(home, change, env);
    try {
      return await takenBack(memory, change);
    } finally {
      memory.close();
    }
  });
}

function opened(home: Home, { namespace }: ChangedMemory, env: Environment): Memory {
  return openMemory({ home, env, namespace, owner: userOwner });
}

async function takenBack(memory: Memory, change: ChangedMemory): Promise<string> {
  const { id, did, before, version } = change;
  const entry = await found(memory, id);
  if (entry === undefined) return "found it forgotten";
  if (before > 0 && (await memory.isAsIn(id, before))) return "found it as it was before";
  if (!(await memory.isAsIn(id, version)))
    throw new RepriseError("conflict", `The memory ${id} was changed since; it stays.`, {
      hint: `\`reprise memory history ${id}\` lists its versions.`,
    });
  if (did === "approved" || did === "rejected") {
    await memory.reopen(id);
    return "it waits in the inbox again";
  }
  if (before > 0) {
    await memory.putBack(id, before);
    return `it says again what it said in version ${before}`;
  }
  const [page] = await planWithdrawal(memory, [entry]);
  if (page !== undefined)
    throw new RepriseError("conflict", `The memory is published in ${page.file}; it stays.`, {
      hint: `\`reprise memory forget ${id}\` takes it out there, too.`,
    });
  await memory.forget([id]);
  return "it is forgotten for good";
}

async function found(memory: Memory, id: string): Promise<MemoryEntry | undefined> {
  try {
    return await memory.find(id);
  } catch (error) {
    if (isRepriseError(error, "not_found")) return undefined;
    throw error;
  }
}
