import { basename, resolve } from "node:path";
import type { AgentEvent } from "../../agents/contract.ts";
import { timeOf } from "../../base/clock.ts";
import { errnoOf, isRepriseError } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import type { ToolDialect } from "../../model/tool-dialect.ts";
import type { Edit, Origin } from "./edit.ts";
import type { FileAct } from "./file-act.ts";
import type { KeptActs } from "./kept-acts.ts";
import { type Mapped, pathMapper, type Target } from "./places.ts";
import { type SessionAct, sessionActs } from "./session-acts.ts";
import { type Candidate, sessionsTouching } from "./touching.ts";

/** What looking through sessions gave. */
export interface Gathered {
  readonly edits: readonly Edit[];
  /** Sessions that were read because they may have touched the file. */
  readonly sessionsRead: number;
  /** Places in them that could not be read. */
  readonly damaged: number;
  /** Sessions that could not be read at all, such as sealed ones. */
  readonly unread: number;
  /** Edits whose texts were too much to be held. */
  readonly untold: number;
}

/** A name the file had, and until when. */
interface Name {
  readonly name: string;
  readonly untilMs: number;
}

/** Every edit of a file that the sessions tell, under all the names it had. */
export async function gatherEdits(
  target: Target,
  options: GatherOptions & {
    readonly sessions: readonly Candidate[];
    readonly formerNames: readonly string[];
  },
): Promise<Gathered> {
  const gatherer = new Gatherer(target, options);
  gatherer.knows({ name: target.name, untilMs: Number.POSITIVE_INFINITY });
  for (const name of options.formerNames) {
    gatherer.knows({ name, untilMs: Number.POSITIVE_INFINITY });
  }
  // A name found on the way may stand in sessions that were passed over.
  for (let known = 0; known < gatherer.names.length; ) {
    known = gatherer.names.length;
    const names = gatherer.names.map(({ name }) => name);
    for (const session of sessionsTouching(names, options.sessions)) await gatherer.read(session);
  }
  return gatherer.gathered();
}

interface Found {
  readonly act: SessionAct;
  readonly origin: Origin;
  readonly atMs: number;
  readonly from: Mapped | undefined;
  readonly to: Mapped | undefined;
}

/** What looking through sessions needs to know. */
interface GatherOptions {
  readonly dialects: readonly ToolDialect[];
  /** What earlier looks learned; all is read anew where there is none. */
  readonly kept?: KeptActs | undefined;
  onEvents(count: number): void;
}

class Gatherer {
  readonly names: Name[] = [];
  readonly #map: ReturnType<typeof pathMapper>;
  readonly #options: GatherOptions;
  readonly #found = new Map<Candidate, readonly Found[]>();
  #heldBytes = 0;
  #damaged = 0;
  #untold = 0;
  #unread = 0;

  constructor(target: Target, options: GatherOptions) {
    this.#map = pathMapper(target);
    this.#options = options;
  }

  knows(name: Name): void {
    const isKnown = this.names.some((known) => known.name === name.name);
    if (!isKnown && this.names.length <= limits.formerNames) this.names.push(name);
  }

  /** Looks through a session; anew when a name was found since, because it was passed over before. */
  async read(session: Candidate): Promise<void> {
    const { agent, ref, head } = session;
    const createdMs = timeOf(head.createdAt) ?? ref.modifiedMs;
    const origin: Origin = {
      agent: agent.name,
      session: head.session,
      createdMs,
      modifiedMs: ref.modifiedMs,
      ...(head.title !== undefined && { title: head.title }),
    };
    const names = new Set(this.names.map(({ name }) => basename(name)));
    const found: Found[] = [];
    for await (const act of this.#acts(session)) {
      if (!namesOf(act).some((name) => names.has(name))) continue;
      const folder = act.folder === undefined ? act.cwd : resolve(act.cwd ?? "/", act.folder);
      const from = this.#map(act.path, folder);
      const to = act.movedTo === undefined ? undefined : this.#map(act.movedTo, folder);
      if (from === undefined && to === undefined) continue;
      const atMs = act.atMs ?? createdMs;
      found.push({ act: this.#held(act), origin, atMs, from, to });
      if (act.outcome === "done" && from !== undefined && this.#isKnown(to)) {
        this.knows({ name: from.name, untilMs: atMs });
      }
    }
    this.#found.set(session, found);
  }

  #isKnown(mapped: Mapped | undefined): boolean {
    return this.names.some(({ name }) => name === mapped?.name);
  }

  gathered(): Gathered {
    const copies = this.#copies();
    const edits = [...this.#found.values()]
      .flat()
      .flatMap(({ act, origin, atMs, from, to }): readonly Edit[] => {
        const isNamed = (mapped: Mapped | undefined): mapped is Mapped =>
          mapped !== undefined &&
          this.names.some(({ name, untilMs }) => name === mapped.name && atMs <= untilMs);
        const mapped = isNamed(to) ? to : isNamed(from) ? from : undefined;
        if (mapped === undefined) return [];
        const isCopy = mapped.movedFrom !== undefined && copies.has(mapped.movedFrom);
        const place = isCopy ? "elsewhere" : mapped.place;
        // Moved away from here, the file is gone.
        const left = isNamed(from) && act.movedTo !== undefined && !isNamed(to);
        const told: SessionAct = left
          ? { ...act, action: "deleted", changes: [{ kind: "delete" }] }
          : act;
        return [{ act: told, origin, place, atMs }];
      });
    const sessionsRead = this.#found.size;
    return {
      edits,
      sessionsRead,
      damaged: this.#damaged,
      untold: this.#untold,
      unread: this.#unread,
    };
  }

  /** Folders that are gone and were used while the project was here already: copies, not where it was. */
  #copies(): ReadonlySet<string> {
    const of = ({ from, to }: Found): Mapped | undefined => to ?? from;
    const all = [...this.#found.values()].flat();
    const hereMs = all
      .filter((found) => of(found)?.place === "here" && of(found)?.movedFrom === undefined)
      .reduce((first, { atMs }) => Math.min(first, atMs), Number.POSITIVE_INFINITY);
    return new Set(
      all.flatMap((found) => (found.atMs > hereMs ? (of(found)?.movedFrom ?? []) : [])),
    );
  }

  /** The act as far as memory allows to hold it. */
  #held(act: SessionAct): SessionAct {
    const wholes = (act.textBefore?.length ?? 0) + (act.textAfter?.length ?? 0);
    const edits = JSON.stringify(act.changes).length;
    const { textBefore: _before, textAfter: _after, ...bare } = act;
    if (this.#heldBytes + wholes + edits <= limits.replayedBytes) {
      this.#heldBytes += wholes + edits;
      return act;
    }
    if (this.#heldBytes + edits <= limits.replayedBytes * 2) {
      this.#heldBytes += edits;
      return bare;
    }
    this.#untold += 1;
    return { ...bare, changes: [] };
  }

  /** What a session did to files, as it was kept or read anew. */
  async *#acts(session: Candidate): AsyncGenerator<SessionAct> {
    const known = this.#options.kept?.of(session);
    if (known !== undefined) {
      this.#damaged += known.damaged;
      yield* known.acts;
      return;
    }
    const [damaged, unread] = [this.#damaged, this.#unread];
    const { dialects, kept } = this.#options;
    const learning = kept?.learn(session);
    const options = { dialects, cwd: session.head.cwd };
    for await (const act of sessionActs(this.#events(session), options)) {
      if (act.action === "read") continue;
      learning?.add(act);
      yield act;
    }
    if (this.#unread === unread) learning?.end(this.#damaged - damaged);
  }

  async *#events({ agent, ref }: Candidate): AsyncGenerator<AgentEvent> {
    try {
      // What an abandoned branch did to files was done.
      for await (const batch of agent.read(ref, { allBranches: true })) {
        this.#damaged += batch.damage.length;
        this.#options.onEvents(batch.events.length);
        yield* batch.events;
      }
    } catch (error) {
      // One session that is sealed, or lies in a database nobody can open, hides no other.
      if (!isRepriseError(error) && errnoOf(error) === undefined) throw error;
      this.#unread += 1;
    }
  }
}

function namesOf({ path, movedTo }: FileAct): readonly string[] {
  return [basename(path), ...(movedTo === undefined ? [] : [basename(movedTo)])];
}
