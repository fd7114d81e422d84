import { resolve } from "node:path";
import { RepriseError } from "../../../base/errors.ts";
import { withoutSecrets } from "../../../bridge/ledger/secrets.ts";
import { openFinder } from "../../../catalog/query/library.ts";
import { recordChange, recordForgotten } from "../../../memory/change-entry.ts";
import type { Evidence, MemoryChange, MemoryEntry } from "../../../memory/entry.ts";
import { accessLevels } from "../../../memory/entry.ts";
import { fileSum } from "../../../memory/stale.ts";
import { textOf } from "../../../memory/value.ts";
import { readGit } from "../../../store/project.ts";
import { searchOptions } from "../reports/search-run.ts";
import type { CommandContext, FlagValues, Invocation } from "../run/command.ts";
import { confirmPlan } from "../run/plan.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { backupsElsewhere } from "./backup.ts";
import { oneOf } from "./one-of.ts";
import { entryLine } from "./text.ts";
import { memoryOf, typeOf } from "./wanted.ts";
import { withdrawalOf } from "./withdrawal.ts";

/** Stores words under a key, or with `--json-value` what JSON says; secrets are masked. */
export async function storeMemory(invocation: Invocation, context: CommandContext): Promise<void> {
  const { args, flags } = invocation;
  const [key, ...words] = args.slice(1);
  if (key === undefined || words.length === 0) throw missing("store <key> <value>");
  const access = flags.text("access");
  const days = flags.number("ttlDays");
  const type = typeOf(flags);
  const memory = memoryOf(invocation, context);
  const entry = await memory.store({
    key,
    value: givenValue(words.join(" "), flags.isSet("jsonValue")),
    tags: flags.texts("tag"),
    evidence: evidenceGiven(invocation, context),
    references: flags.texts("about"),
    dependencies: flags.texts("dependsOn"),
    metadata: metadataGiven(flags),
    ...(type !== undefined && { type }),
    ...(access !== undefined && { access: oneOf("access", access, accessLevels) }),
    ...(days !== undefined && { ttlMs: days * 86_400_000 }),
  });
  recordChange(memory.home, "stored", { before: entry.version - 1, entry, owner: memory.owner });
  await say(entry, "Stored", context);
}

/** Changes the value, type, tags or access of an entry. */
export async function updateMemory(invocation: Invocation, context: CommandContext): Promise<void> {
  const { args, flags } = invocation;
  const [key, ...words] = args.slice(1);
  if (key === undefined) throw missing("update <key> [value]");
  const access = flags.text("access");
  const days = flags.number("ttlDays");
  const evidence = evidenceGiven(invocation, context);
  const type = typeOf(flags);
  const memory = memoryOf(invocation, context);
  const { id, version: before } = await memory.find(key);
  const entry = await memory.update(id, {
    ...(words.length > 0 && { value: givenValue(words.join(" "), flags.isSet("jsonValue")) }),
    ...(flags.texts("tag").length > 0 && { tags: flags.texts("tag") }),
    ...(flags.texts("about").length > 0 && { references: flags.texts("about") }),
    ...(flags.texts("dependsOn").length > 0 && { dependencies: flags.texts("dependsOn") }),
    ...(flags.texts("meta").length > 0 && { metadata: metadataGiven(flags) }),
    ...(days !== undefined && (days === 0 ? { expiresAt: null } : { ttlMs: days * 86_400_000 })),
    ...(evidence.length > 0 && { evidence }),
    ...(type !== undefined && { type }),
    ...(access !== undefined && { access: oneOf("access", access, accessLevels) }),
  });
  recordChange(memory.home, "changed", { before, entry, owner: memory.owner });
  await say(entry, "Updated", context);
}

/** Approves or rejects what waits in the inbox. */
export async function decideMemory(
  invocation: Invocation,
  context: CommandContext,
  status: "kept" | "rejected",
): Promise<void> {
  const keys = invocation.args.slice(1);
  if (keys.length === 0) throw missing(status === "kept" ? "approve <id...>" : "reject <id...>");
  const memory = memoryOf(invocation, context);
  for (const key of keys) {
    const { id, version: before } = await memory.find(key, { statuses: waiting });
    const entry = await memory.update(id, { status });
    const did = status === "kept" ? "approved" : "rejected";
    recordChange(memory.home, did, { before, entry, owner: memory.owner });
    await say(entry, status === "kept" ? "Approved" : "Rejected", context);
  }
}

/** What can be decided: what waits, and what was refused and is looked at again. */
const waiting = ["proposed", "rejected"] as const;

/** Changes what a proposal says and approves it: then the user said it. */
export async function editMemory(invocation: Invocation, context: CommandContext): Promise<void> {
  const [key, ...words] = invocation.args.slice(1);
  if (key === undefined || words.length === 0) throw missing("edit <id> <text>");
  const memory = memoryOf(invocation, context);
  const { id, version: before } = await memory.find(key, { statuses: waiting });
  const entry = await memory.update(id, editedAs(words.join(" ")));
  recordChange(memory.home, "approved", { before, entry, owner: memory.owner });
  if (context.json) return context.out.writeJson(entry);
  await context.out.write(`Approved: ${entryLine(entry)}`);
}

/** Puts what was approved or rejected back into the inbox. */
export async function reopenMemory(invocation: Invocation, context: CommandContext): Promise<void> {
  const key = invocation.args[1];
  if (key === undefined) throw missing("reopen <id>");
  const memory = memoryOf(invocation, context);
  const { id } = await memory.find(key);
  await say(await memory.reopen(id), "Waits again", context);
}

/** What becomes of a proposal in other words: the user says it now. */
export function editedAs(text: string): MemoryChange {
  return { value: withoutSecrets(text), status: "kept", provenance: "user" };
}

/** Forgets entries for good, after a plan. */
export async function forgetMemory(invocation: Invocation, context: CommandContext): Promise<void> {
  const keys = invocation.args.slice(1);
  if (keys.length === 0) throw missing("forget <key...>");
  const memory = memoryOf(invocation, context);
  const found = await Promise.all([...new Set(keys)].map((key) => memory.find(key)));
  const pages = await withdrawalOf(memory, { entries: found });
  const { withdrawn, left } = pages;
  const text = `Would forget for good, every version, also in Reprise's own backups; this cannot be undone:\n${found.map((entry) => entryLine(entry)).join("")}${pages.plan}${backupsElsewhere}`;
  await confirmPlan(
    { text, json: { forget: found.map(({ id }) => id), withdrawn } },
    invocation,
    context,
  );
  pages.apply();
  const { ids, sessions: evidence } = await memory.forget(found.map(({ id }) => id));
  recordForgotten(memory.home, ids);
  const proofs = new Set(evidence.map((ref) => ref.replace(/@[^@]*$/, "")));
  const others = (await holding(found, context)).filter((ref) => !proofs.has(ref));
  const sessions = [...new Set([...evidence, ...others])];
  if (context.json)
    return context.out.writeJson({ forgotten: ids, sessions, withdrawn, left, done: true });
  await context.out.write(
    `Forgotten${ids.length > 1 ? ` (${ids.length})` : ""}:\n${found.map((entry) => entryLine(entry)).join("")}${pages.done}${heldText(sessions)}`,
  );
}

const shownSessions = 3;

/** How many sessions still hold a forgotten text, and a few of them. */
function heldText(sessions: readonly string[]): string {
  if (sessions.length === 0) return "";
  const more = sessions.length - shownSessions;
  const rest = more > 0 ? `  and ${more} more; --json lists all\n` : "";
  const some = sessions.slice(0, shownSessions).map((ref) => `  ${safeLine(ref)}\n`);
  const says = sessions.length === 1 ? "1 session holds" : `${sessions.length} sessions hold`;
  return `${says} the same text or its source, not changed:\n${some.join("")}${rest}`;
}

/** The sessions that hold the texts of entries, as far as these are long enough to be theirs. */
async function holding(
  entries: readonly MemoryEntry[],
  context: CommandContext,
): Promise<readonly string[]> {
  const texts = entries.map(({ value }) => textOf(value)).filter(({ length }) => length >= 8);
  if (texts.length === 0) return [];
  const finder = await openFinder(searchOptions(context));
  try {
    const found = await Promise.all(
      texts.map((text) =>
        finder.search(
          { text, mode: "substring" },
          { sessions: Number.MAX_SAFE_INTEGER, events: 0 },
        ),
      ),
    );
    return found.flatMap(({ sessions }) =>
      sessions.map(({ facts }) => `${facts.agent}:${facts.session}`),
    );
  } finally {
    finder.close();
  }
}

function givenValue(text: string, isJson: boolean): unknown {
  if (!isJson) return withoutSecrets(text);
  try {
    return JSON.parse(withoutSecrets(text));
  } catch (cause) {
    throw new RepriseError("usage", "The value is not JSON.", {
      cause,
      hint: "Leave --json-value out to store a text.",
    });
  }
}

/** The fields that flags like `--meta team=core` name. */
function metadataGiven(flags: FlagValues): Readonly<Record<string, string>> {
  const fields = flags.texts("meta").map((one): readonly [string, string] => {
    const at = one.indexOf("=");
    if (at > 0) return [one.slice(0, at), withoutSecrets(one.slice(at + 1))];
    throw new RepriseError("usage", `--meta cannot be ${JSON.stringify(one)}.`, {
      hint: "Write <name>=<value>.",
    });
  });
  return Object.fromEntries(fields);
}

/** The files, events and commits that flags name as evidence. */
export function evidenceGiven({ flags }: Invocation, context: CommandContext): readonly Evidence[] {
  const files = flags.texts("file").map((path): Evidence => {
    const file = resolve(context.folder, path);
    const sha256 = fileSum(file);
    if (sha256 !== undefined) return { kind: "file", path: file, sha256 };
    throw new RepriseError("not_found", `${path} cannot be read as evidence.`, {
      hint: "Name a file of this project.",
    });
  });
  const events = flags.texts("evidence").map((ref): Evidence => ({ kind: "event", ref }));
  const folder = context.folder;
  const commits = flags.texts("commit").map((commit): Evidence => {
    return { kind: "commit", commit: commit === "HEAD" ? headOf(folder) : commit, folder };
  });
  return [...files, ...events, ...commits];
}

/** The commit that is checked out, whose name alone would mean another one tomorrow. */
function headOf(folder: string): string {
  const commit = readGit(folder)?.commit;
  if (commit !== undefined) return commit;
  throw new RepriseError("not_found", "This folder has no commit.", {
    hint: "Name a commit of a Git repository.",
  });
}

async function say(entry: MemoryEntry, what: string, context: CommandContext): Promise<void> {
  if (context.json) return context.out.writeJson(entry);
  await context.out.write(
    `${what}: ${safeLine(entry.key)} (version ${entry.version}, ${entry.namespace})\n`,
  );
}

function missing(line: string): RepriseError {
  return new RepriseError("usage", `Type \`reprise memory ${line}\`.`, {
    hint: `See \`reprise memory ${line.split(" ")[0]} --help\`.`,
  });
}
