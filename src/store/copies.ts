import { timeOf } from "../base/clock.ts";
import { asArray, asNumber, asString, isObject, type JsonObject } from "../base/json.ts";
import { record } from "../log/journal.ts";
import { type JournalEntry, journalEntries } from "../log/read-journal.ts";
import type { SessionHead } from "../model/head.ts";
import { nameOfHead } from "../model/head-name.ts";
import type { Home } from "./home.ts";
import { ownAgent } from "./own-agent.ts";

/** The kind of the journal's entries about conversions. */
export const conversionKind = "convert";

/** The kind of its entries about copies that were made on another machine and came from there in a backup. */
const broughtKind = "copy";

/** What the journal says of a session that was made of another. */
export interface Copy {
  /** `agent:session` of what was written. */
  readonly session: string;
  /** `agent:session` of the one it was made of. */
  readonly of: string;
  readonly at: string;
  readonly made: "convert" | "import";
  /** The event it ends with, where it was made of a part. */
  readonly event?: string;
  /** Its last event that is copy, where Reprise's own store has it. */
  readonly last?: number;
  /** Its files, and how many bytes of them are copy. */
  readonly files: readonly CopiedBytes[];
}

/** A file of a copy as it was written. */
export interface CopiedBytes {
  readonly path: string;
  readonly sizeBytes: number;
}

/** All sessions that were made of others, in the order they were; conversions that were undone are among them. */
export function copiesOf(home: Home): readonly Copy[] {
  const copies: Copy[] = [];
  const gone = new Map<string, number>();
  for (const entry of journalEntries(home.journal, [conversionKind, "import", broughtKind])) {
    const { kind, data } = entry;
    if (data["gone"] === true) gone.set(String(data["session"]), copies.length);
    const copy = kind === broughtKind ? copyIn(data) : madeBy(entry);
    if (copy !== undefined) copies.push(copy);
  }
  return copies.filter(({ session }, at) => at >= (gone.get(session) ?? 0));
}

/** Of what each converted session was written, by `agent:session`. */
export function conversionsOf(home: Home): ReadonlyMap<string, Copy> {
  const converted = copiesOf(home).filter(({ made }) => made === "convert");
  return new Map(converted.map((copy) => [copy.session, copy]));
}

/** The head of a copy: it names what it was written from, and is as new as its writing, though what was said in it is old. */
export function asCopy(head: SessionHead, copies: ReadonlyMap<string, Copy>): SessionHead {
  const copy = copies.get(nameOfHead(head));
  if (copy === undefined) return head;
  const isOlder = (timeOf(head.updatedAt) ?? 0) < (timeOf(copy.at) ?? 0);
  return { ...head, copyOf: copy.of, ...(isOlder && { updatedAt: copy.at }) };
}

/** Writes down what another machine's journal says of a copy that is here now. */
export function recordCopy(home: Home, copy: Copy): void {
  record(home.journal, broughtKind, { ...copy });
}

/** Takes back what was written down of a copy that came from another machine. */
export function forgetCopy(home: Home, { session }: Copy): void {
  record(home.journal, broughtKind, { session, gone: true });
}

/** A copy as it was told by `recordCopy` or a backup; undefined where it is not well formed. */
export function copyIn(value: unknown): Copy | undefined {
  if (!isObject(value)) return undefined;
  const [session, of, at] = [value["session"], value["of"], value["at"]].map(asString);
  if (session === undefined || of === undefined || at === undefined) return undefined;
  const made = value["made"] === "import" ? "import" : "convert";
  return { session, of, at, made, ...detailsIn(value), files: filesIn(value["files"]) };
}

function madeBy({ kind, at, data }: JournalEntry): Copy | undefined {
  const { from, to, written, session, last } = data;
  const of = nameIn(from);
  const made = kind === conversionKind ? "convert" : "import";
  const key = made === "convert" ? nameIn(to) : nameIn({ agent: ownAgent, session });
  if (of === undefined || key === undefined) return undefined;
  const { event } = isObject(from) ? from : {};
  const files = filesIn(isObject(written) ? written["files"] : undefined);
  return { session: key, of, at, made, ...detailsIn({ event, last }), files };
}

function detailsIn(data: JsonObject): Pick<Copy, "event" | "last"> {
  const [event, last] = [asString(data["event"]), asNumber(data["last"])];
  return { ...(event !== undefined && { event }), ...(last !== undefined && { last }) };
}

function filesIn(value: unknown): readonly CopiedBytes[] {
  return asArray(value).flatMap((file) => {
    if (!isObject(file)) return [];
    const [path, sizeBytes] = [asString(file["path"]), asNumber(file["sizeBytes"])];
    return path === undefined || sizeBytes === undefined ? [] : [{ path, sizeBytes }];
  });
}

function nameIn(data: unknown): string | undefined {
  if (!isObject(data)) return undefined;
  const agent = asString(data["agent"]);
  // A file that no store held is named by its path.
  const session = asString(data["path"]) ?? asString(data["session"]);
  return agent === undefined || session === undefined ? undefined : `${agent}:${session}`;
}
