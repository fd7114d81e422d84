import { Running, type Staging } from "../additions/running.ts";
import { isRepriseError } from "../base/errors.ts";
import { failpoint } from "../base/failpoint.ts";
import type { JsonObject } from "../base/json.ts";
import { record } from "../log/journal.ts";
import type { EventId } from "../model/event.ts";
import type { Home } from "./home.ts";
import { concludeIntention, intend } from "./intention.ts";

/**
 * Something on its way to where others see it, and what the journal has of it. The order: stage, `intend`, publish,
 * `record`. Where a step fails, what was published is taken back; where even that fails, or the process dies, the journal
 * and the note of this process have what it takes to do it later.
 */
export class Addition {
  readonly #home: Home;
  readonly #kind: string;
  readonly #takeBack: (data: JsonObject) => Promise<unknown> | undefined;
  readonly #running: Running;
  #open: { readonly id: EventId; readonly data: JsonObject } | undefined;

  constructor(
    home: Home,
    /** The kind of the journal's entries about it. */
    kind: string,
    /** Removes what is there of what was intended. */
    takeBack: (data: JsonObject) => Promise<unknown> | undefined,
  ) {
    this.#home = home;
    this.#kind = kind;
    this.#takeBack = takeBack;
    this.#running = new Running(home.running);
  }

  /** Where temporary files are announced. */
  get staging(): Staging {
    return this.#running;
  }

  /** Writes down exactly what will be added; once is enough. */
  intend(data: JsonObject): void {
    if (this.#open !== undefined) return;
    this.#running.beginDurably();
    this.#open = { id: intend(this.#home, this.#kind, data), data };
    failpoint("addition.intended");
  }

  /** Writes down that it was added. */
  record(data: JsonObject): EventId {
    const over = this.#open === undefined ? {} : { intention: this.#open.id };
    const entry = record(this.#home.journal, this.#kind, { ...data, ...over });
    this.#open = undefined;
    failpoint("addition.recorded");
    return entry;
  }

  /** Runs the steps; where one fails, what was published by then is taken back. */
  async during<T>(steps: () => Promise<T>): Promise<T> {
    try {
      return await steps();
    } catch (error) {
      await this.#fail();
      throw error;
    } finally {
      // As long as the intention is open, the note leads to it.
      if (this.#open === undefined) this.#running.end();
    }
  }

  async #fail(): Promise<void> {
    if (this.#open === undefined) return;
    const { id, data } = this.#open;
    try {
      const stays = await this.#conflictOf(data);
      concludeIntention(this.#home, id, stays ?? "it failed and was undone");
      this.#open = undefined;
    } catch {
      // What failed first is what the user is reported; a later command tries this again.
    }
  }

  /** Takes back what is ours; what others made of it, or have in its place, stays. */
  async #conflictOf(data: JsonObject): Promise<string | undefined> {
    try {
      await this.#takeBack(data);
      return undefined;
    } catch (error) {
      if (isRepriseError(error, "conflict")) return error.message;
      throw error;
    }
  }
}
