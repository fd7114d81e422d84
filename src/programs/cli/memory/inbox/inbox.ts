import { isRepriseError } from "../../../../base/errors.ts";
import { recordChange } from "../../../../memory/change-entry.ts";
import { conflictsWith, type MemoryConflict } from "../../../../memory/conflicts.ts";
import type { MemoryEntry } from "../../../../memory/entry.ts";
import type { Memory } from "../../../../memory/memory.ts";
import { textOf } from "../../../../memory/value.ts";
import type { CommandContext } from "../../run/command.ts";
import type { Key } from "../../terminal/picker/keys.ts";
import { layoutOf } from "../../terminal/picker/layout.ts";
import { drawScreen, screenSize } from "../../terminal/picker/terminal.ts";
import { untilLeft } from "../../terminal/picker/until-left.ts";
import { editedAs } from "../change.ts";
import type { Decision } from "./key-table.ts";
import { type Known, proposalLines } from "./preview.ts";
import { type Quotation, quotationOf } from "./quote.ts";
import { inboxLines, proposalColumns } from "./screen.ts";
import { chosenEntry, type InboxState, inboxState, press, withEntries } from "./state.ts";

/** The inbox on a terminal: what waits, and what was decided about it. */
export class Inbox {
  readonly #context: CommandContext;
  readonly #memory: Memory;
  /** Looks again at what waits. */
  readonly #waiting: () => Promise<readonly MemoryEntry[]>;
  readonly #quotations = new Map<string, Quotation | undefined>();
  readonly #against = new Map<string, Pick<Known, "conflicts" | "taken">>();
  /** What was decided here, the last one at the end. */
  readonly #decided: { readonly entry: MemoryEntry; readonly before: number }[] = [];
  /** The ids of proposals about which something is being looked for. */
  readonly #learning = new Set<string>();
  #state: InboxState;
  #isOpen = false;

  constructor(
    entries: readonly MemoryEntry[],
    given: {
      readonly context: CommandContext;
      readonly memory: Memory;
      waiting(): Promise<readonly MemoryEntry[]>;
    },
  ) {
    this.#context = given.context;
    this.#memory = given.memory;
    this.#waiting = given.waiting;
    this.#state = inboxState(entries);
  }

  /** Shows the screen until it is left; how many decisions stand then. Each can be undone later. */
  async run(): Promise<number> {
    await untilLeft<undefined>({
      opened: () => {
        this.#isOpen = true;
        this.#show(this.#state);
      },
      resized: () => this.#show(this.#state),
      press: (keys, leave) => this.#press(keys, leave),
      closed: () => {
        this.#isOpen = false;
      },
    });
    const { home, owner } = this.#memory;
    for (const { entry, before } of this.#decided) {
      const did = entry.status === "rejected" ? "rejected" : "approved";
      recordChange(home, did, { before, entry, owner });
    }
    return this.#decided.length;
  }

  /** What some keys do; whether the screen stays. */
  async #press(keys: readonly Key[], leave: () => void): Promise<boolean> {
    for (const key of keys.flatMap(singleKeys)) {
      const step = press(this.#state, key, layoutOf(screenSize()).listRows);
      if (step.kind === "left") {
        leave();
        return false;
      }
      this.#state = step.state;
      const chosen = chosenEntry(step.state);
      if (step.kind === "decide") await this.#decide(step.decision, chosen);
      if (step.kind === "edited") {
        const { entry, text } = step;
        await this.#changed(entry, "Edited and approved", () =>
          this.#memory.update(entry.id, editedAs(text)),
        );
      }
    }
    this.#show(this.#state);
    return true;
  }

  async #decide(decision: Decision, entry: MemoryEntry | undefined): Promise<void> {
    if (decision === "undo") return this.#undo();
    if (entry === undefined) return;
    const { id } = entry;
    if (decision === "reject")
      return this.#changed(entry, "Rejected", () =>
        this.#memory.update(id, { status: "rejected" }),
      );
    const { conflicts = [] } = await this.#lookAgainst(entry);
    const [against] = conflicts.map((conflict) => otherOf(conflict, entry));
    if (decision === "replace" && against !== undefined)
      return this.#changed(entry, `Approved; it replaces ${against.key}`, () =>
        this.#memory.update(id, { status: "kept", supersedes: against.id }),
      );
    const rest =
      against === undefined ? "" : "; it contradicts what is known: `reprise memory conflicts`";
    await this.#changed(entry, `Approved${rest}`, () =>
      this.#memory.update(id, { status: "kept" }),
    );
  }

  /** Carries a decision out, and says what came of it. */
  async #changed(
    entry: MemoryEntry,
    message: string,
    change: () => Promise<MemoryEntry>,
  ): Promise<void> {
    await this.#carriedOut(async () => {
      this.#decided.push({ entry: await change(), before: entry.version });
      return { message: `${message}. u takes it back.` };
    });
  }

  async #undo(): Promise<void> {
    const last = this.#decided.at(-1);
    if (last === undefined) {
      this.#state = { ...this.#state, message: "Nothing was decided here yet." };
      return;
    }
    const { id } = last.entry;
    await this.#carriedOut(async () => {
      await this.#memory.reopen(id);
      this.#decided.pop();
      return { message: "It waits again.", chosen: id };
    });
  }

  /** What fails is said, and the screen stays: somebody else may have decided meanwhile. */
  async #carriedOut(
    run: () => Promise<{ readonly message: string; readonly chosen?: string }>,
  ): Promise<void> {
    let done: { readonly message: string; readonly chosen?: string };
    try {
      done = await run();
    } catch (error) {
      if (!isRepriseError(error)) throw error;
      done = { message: `${error.message} ${error.hint}` };
    }
    this.#against.clear();
    const entries = await this.#waiting();
    this.#state = { ...withEntries(this.#state, entries, done.chosen), message: done.message };
  }

  #show(state: InboxState): void {
    this.#state = state;
    if (!this.#isOpen) return;
    const { colours, nowMs } = this.#context;
    const size = screenSize();
    const entry = chosenEntry(state);
    const columns = proposalColumns(state, size);
    const preview =
      entry === undefined
        ? []
        : proposalLines(entry, this.#knownOf(entry), { columns, colours, nowMs });
    drawScreen(inboxLines(state, { ...size, colours, nowMs, preview }));
    if (entry !== undefined) void this.#learn(entry);
  }

  #knownOf({ id }: MemoryEntry): Known {
    return { quotations: this.#quotations, ...this.#against.get(id) };
  }

  /** Looks for what proves a proposal and what it contradicts, while it is the chosen one. */
  async #learn(entry: MemoryEntry): Promise<void> {
    if (this.#learning.has(entry.id)) return;
    this.#learning.add(entry.id);
    try {
      const isNew = !this.#against.has(entry.id);
      await this.#lookAgainst(entry);
      if (isNew) this.#showAgain(entry);
      for (const one of entry.evidence) if (one.kind === "event") await this.#quote(one.ref, entry);
    } catch {
      // What cannot be found out is not shown; the proposal can be decided all the same.
    } finally {
      this.#learning.delete(entry.id);
    }
  }

  async #quote(ref: string, entry: MemoryEntry): Promise<void> {
    if (this.#quotations.has(ref)) return;
    const { env } = this.#context;
    let isStopped = false;
    const isWanted = (): boolean => {
      isStopped ||= !this.#isChosen(entry);
      return !isStopped;
    };
    const quotation = isWanted()
      ? await quotationOf(ref, textOf(entry.value), { env, isWanted }).catch(() => undefined)
      : undefined;
    // What was stopped half-way is looked for again.
    if (isStopped) return;
    this.#quotations.set(ref, quotation);
    this.#showAgain(entry);
  }

  #isChosen({ id }: MemoryEntry): boolean {
    return this.#isOpen && chosenEntry(this.#state)?.id === id;
  }

  #showAgain(entry: MemoryEntry): void {
    if (this.#isChosen(entry)) this.#show(this.#state);
  }

  async #lookAgainst(entry: MemoryEntry): Promise<Pick<Known, "conflicts" | "taken">> {
    const known = this.#against.get(entry.id);
    if (known !== undefined) return known;
    const conflicts = (await conflictsWith(this.#memory, entry)).filter(
      ({ isSettled }) => !isSettled,
    );
    const { entries } = await this.#memory.query({ key: entry.key, owners: [entry.owner] });
    const taken = entries.find(({ namespace }) => namespace === entry.namespace);
    const found = { conflicts, ...(taken !== undefined && { taken }) };
    this.#against.set(entry.id, found);
    return found;
  }
}

function otherOf({ newer, older }: MemoryConflict, entry: MemoryEntry): MemoryEntry {
  return newer.id === entry.id ? older : newer;
}

/** Letters that were typed quickly come together; each is a key. What was pasted stays whole. */
function singleKeys(key: Key): readonly Key[] {
  if (key.name !== "text" || key.pasted === true) return [key];
  return [...key.text].map((text) => ({ name: "text", text }));
}
