import type { SessionRef } from "../../agents/contract.ts";
import { RepriseError } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import { isDatabaseDamage } from "../../sqlite/database.ts";
import { userHome } from "../../store/home.ts";
import { freshen } from "../index/freshen.ts";
import { type Catalog, openCatalog, setAside } from "../index/open.ts";
import { sourceState } from "../index/schema.ts";
import { allSources, placeKey, refOf } from "../index/source.ts";
import { sweep } from "../index/sweep.ts";
import { indexTotals, type Totals } from "../index/totals.ts";
import type { UpdateOptions } from "../index/update.ts";
import { withFilesHere } from "./file-path.ts";
import type { Found, Freshness } from "./found.ts";
import type { Order } from "./order.ts";
import { type SearchRequest, type Understood, understand } from "./request.ts";
import { searchWords } from "./search-words.ts";
import type { FoundTurns, Question } from "./turns.ts";

/** How a finder works. */
export interface FinderOptions extends UpdateOptions {
  readonly nowMs: number;
  /** Hears of a session as soon as reading finds something in it. */
  onFound?(session: Found["sessions"][number]): void;
}

/** How much to answer. */
export interface Wanted {
  /** The best so many sessions. */
  readonly sessions: number;
  /** The best so many events of each. */
  readonly events: number;
  /** What comes first; the best match unless given. */
  readonly order: Order;
  /** Answer at once, from what the index has so far. */
  readonly soFar?: boolean;
  /** A text as it may be shown, such as without secrets, before a snippet is cut out of it; as it is if absent. */
  shownAs?(text: string): string;
}

/** What a finder works on. */
export interface Ground {
  readonly catalog: Catalog | undefined;
  /** The sessions on the machine. */
  readonly refs: readonly SessionRef[];
  /** Sources whose rows are as their files are; undefined means all there are. */
  readonly sources: readonly number[] | undefined;
  /** Sessions to be read, because the index does not have them as they are. */
  readonly pending: readonly SessionRef[];
  readonly indexed: number;
  readonly sealed: readonly SessionRef[];
  readonly gone: number;
  readonly notes: readonly string[];
}

/** Answers searches over every session of the machine; open it once, ask it often. */
export class Finder {
  readonly #options: FinderOptions;
  #ground: Ground;

  private constructor(ground: Ground, options: FinderOptions) {
    this.#ground = ground;
    this.#options = options;
  }

  /**
   * Opens the index and brings it up to date, within the time given. Works without one too, only slower.
   * @internal
   */
  static async open(options: FinderOptions): Promise<Finder> {
    return new Finder(await groundFor(options), options);
  }

  /** Everything that matches, by the same rules whether the index has it or it must be read. */
  async search(request: SearchRequest, limit: Partial<Wanted> = {}): Promise<Found> {
    const { foundSessions: sessions, foundEvents: events } = limits;
    const wanted = { sessions, events, order: "best", ...limit } as const;
    const typed = understand(request);
    const here = withFilesHere(typed.query, this.#options.env.cwd);
    const asked = here === undefined ? typed : { ...typed, query: here.query };
    const found = await this.#find(asked, wanted);
    if (found.totalSessions > 0 || here?.isGuess !== true) return found;
    return this.#find(typed, wanted);
  }

  async #find(asked: Understood, wanted: Wanted): Promise<Found> {
    const isWords = asked.mode.kind === "words";
    // What reads sessions is not even loaded where the index answers.
    const search = isWords ? searchWords : (await import("./search-reading.ts")).searchByReading;
    const found = await this.#answer(() =>
      search(this.#ground, asked, { ...this.#options, ...wanted }),
    );
    if (found.totalSessions > 0 || wanted.soFar === true) return found;
    const { asksTime, atOtherTimes } = await import("./other-times.ts");
    if (!asksTime(asked)) return found;
    const otherTime = await atOtherTimes(this.#ground, asked, this.#options);
    return { ...found, ...(otherTime !== undefined && { otherTime }) };
  }

  /** The turns of all sessions that answer a question best. */
  async turns(question: Question): Promise<FoundTurns> {
    const { findTurns } = await import("./turns.ts");
    return this.#answer(() => findTurns(this.#ground, question, this.#options));
  }

  /** Asks, and once more with a new index if the old one turns out to be damaged. */
  async #answer<Answer extends { readonly freshness: Freshness }>(
    ask: () => Promise<Answer>,
  ): Promise<Answer> {
    const answer = async (): Promise<Answer> => {
      const found = await ask();
      return { ...found, freshness: { ...found.freshness, ...countsOf(this.#ground) } };
    };
    try {
      return await answer();
    } catch (error) {
      if (!isDatabaseDamage(error) || this.#ground.catalog === undefined) throw error;
      await this.#mend();
      return answer();
    }
  }

  /** Sessions that the index does not have as they are. */
  get pending(): number {
    return this.#ground.pending.length;
  }

  /**
   * Reads more into the index, the newest sessions first, for about so long, until it is not wanted or to the end; at
   * least one session. False if there is nothing more that it could read.
   */
  async goOn(
    options: Pick<UpdateOptions, "onProgress" | "isWanted"> & { readonly ms?: number },
  ): Promise<boolean> {
    const { catalog } = this.#ground;
    if (catalog === undefined || this.pending === 0) return false;
    const { ms, ...asked } = options;
    const { deadlineMs: _before, onProgress: _told, ...rest } = this.#options;
    const ground = await withIndex(catalog, {
      ...rest,
      ...asked,
      atLeastOne: true,
      ...(ms !== undefined && { deadlineMs: performance.now() + ms }),
    });
    this.#ground = { ...ground, indexed: this.#ground.indexed + ground.indexed };
    return ground.indexed > 0 && this.pending > 0;
  }

  /** Lets go of the index. */
  close(): void {
    this.#ground.catalog?.close();
  }

  /** Sets a damaged index aside and begins a new one. */
  async #mend(): Promise<void> {
    const { catalog } = this.#ground;
    if (catalog === undefined) return;
    catalog.close();
    if (!setAside(catalog.path)) {
      throw new RepriseError("damaged", `The index ${catalog.path} is damaged.`, {
        hint: "Delete the file; it is built again automatically.",
      });
    }
    const ground = await groundFor(this.#options);
    this.#ground = { ...ground, notes: [damagedNote(catalog.path), ...ground.notes] };
  }
}

/** Sessions as a list counts them, where the index has all of them; else every place there is. */
function countsOf(ground: Ground): Pick<Freshness, "sessions" | "subagents"> {
  const { catalog, pending, refs } = ground;
  if (catalog === undefined || pending.length > 0) return { sessions: refs.length, subagents: 0 };
  const known = counted.get(ground) ?? indexTotals(catalog.connection);
  counted.set(ground, known);
  return { sessions: known.sessions, subagents: known.subagents };
}

/** Counting goes through every session; many questions are asked of one ground. */
const counted = new WeakMap<Ground, Totals>();

function damagedNote(path: string): string {
  return `The index was damaged; it was set aside as ${path}.damaged and is built again.`;
}

async function groundFor(options: FinderOptions): Promise<Ground> {
  const opened = openCatalog(userHome(options.env).derived);
  if ("why" in opened)
    return withoutIndex(options, `${opened.why}: the sessions themselves are read.`);
  try {
    return await withIndex(opened, options);
  } catch (error) {
    opened.close();
    if (!isDatabaseDamage(error) || !setAside(opened.path)) throw error;
    const ground = await groundFor(options);
    return { ...ground, notes: [damagedNote(opened.path), ...ground.notes] };
  }
}

async function withIndex(catalog: Catalog, options: FinderOptions): Promise<Ground> {
  const notes = [...catalog.notes];
  const onGivenUp = ({ path }: SessionRef, why: string): void =>
    void notes.push(`${path} is left out until it changes: ${why}`);
  const { swept, pending, read, gone, busy } = await freshen(catalog, { ...options, onGivenUp });
  if (busy !== undefined) notes.push(`${busy} is indexing; what it has not done yet was read.`);
  if (catalog.readOnly && pending.length > 0) notes.push("The index cannot be written.");
  const { refs } = swept;
  const facts = { catalog, refs, pending, indexed: read, gone, notes };
  // The usual case: everything the index has is as it is on the machine.
  const isAsOnMachine = pending.length === 0 && swept.vanished.length === 0 && !swept.knowsMore;
  if (read === 0 && isAsOnMachine) {
    return { ...facts, sources: undefined, sealed: swept.sealed };
  }
  return { ...facts, ...usable(catalog.connection, refs, pending) };
}

/** The sources whose rows may be shown: those that are as their files are, and those that are gone. */
function usable(
  connection: Catalog["connection"],
  refs: readonly SessionRef[],
  pending: readonly SessionRef[],
): Pick<Ground, "sources" | "sealed"> {
  const hidden = new Set(pending.map(placeKey));
  const located = new Map(refs.map((ref) => [placeKey(ref), ref]));
  const sources: number[] = [];
  const sealed: SessionRef[] = [];
  const rows = allSources(connection);
  for (const row of rows) {
    const key = placeKey(refOf(row));
    const ref = located.get(key);
    if (row.state === sourceState.sealed && ref !== undefined) sealed.push(ref);
    const isShown = row.state === sourceState.gone || (ref !== undefined && !hidden.has(key));
    if (isShown) sources.push(row.id);
  }
  return { sources: sources.length === rows.length ? undefined : sources, sealed };
}

async function withoutIndex(options: FinderOptions, note: string): Promise<Ground> {
  // Some agents keep sessions in projects that only others tell of: two rounds find them.
  const agents = await options.agents();
  const first = sweep(undefined, agents, options.env).refs;
  const folders: string[] = [];
  for (const ref of first) {
    const head = (await options.agent(ref.agent))?.head(ref, options.env);
    if (head?.cwd !== undefined) folders.push(head.cwd);
  }
  const { refs } = sweep(undefined, agents, options.env, folders);
  return {
    catalog: undefined,
    refs,
    sources: [],
    pending: refs,
    indexed: 0,
    sealed: [],
    gone: 0,
    notes: [note],
  };
}
