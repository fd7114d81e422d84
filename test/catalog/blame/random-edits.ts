import type { Random } from "../../random.mjs";
import type { Call, Worker, Workshop } from "./workshop.ts";

/** Lines that stand in every program many times. */
const commonLines = ["}", "", "  });", "end", "return x;"] as const;

/** A line of the file and the call that wrote it; `base` and `hand` are nobody's. */
export interface OwnedLine {
  readonly text: string;
  readonly owner: string;
}

/** A change of whole lines: so many go at a place, others come. */
interface LineChange {
  readonly at: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

const file = "src/made.txt";

/** A file under the hands of agents and people, with the truth about who wrote each line. */
export class TrackedFile {
  readonly name = file;
  lines: OwnedLine[] = [];
  readonly #shop: Workshop;
  readonly #random: Random;
  #fresh = 0;

  readonly #options: { readonly writes: boolean };

  constructor(shop: Workshop, random: Random, options: { readonly writes: boolean }) {
    this.#options = options;
    this.#shop = shop;
    this.#random = random;
  }

  get texts(): readonly string[] {
    return this.lines.map(({ text }) => text);
  }

  /** Puts a content there that no session tells of. */
  begin(count: number): void {
    this.lines = Array.from({ length: count }, () => ({ text: this.#line(), owner: "base" }));
    this.#save();
  }

  /** One edit by an agent, really applied to the file; sometimes it fails and changes nothing. */
  edit(worker: Worker): void {
    const dice = this.#random.below(100);
    if (this.lines.length < 3 || (dice < 6 && this.#options.writes)) this.#write(worker);
    else if (dice < 16) this.#word(worker);
    else if (dice < 22) this.#all(worker);
    else if (dice < 34) this.#failing(worker);
    else {
      const change = this.#change();
      if (change === undefined) return;
      const isDone = this.#apply(worker, change);
      // Some are taken back at once.
      if (isDone && dice >= 90) {
        this.#apply(worker, { at: change.at, removed: change.added, added: change.removed });
      }
    }
  }

  /** A change nobody's session tells of; keeps away from what was changed by hand before. */
  editByHand(): void {
    const at = this.#random.below(this.lines.length);
    const near = this.lines.slice(Math.max(0, at - 2), at + 3);
    const line = this.lines[at];
    const isAlone = near.every(({ owner }) => owner !== "hand");
    if (line === undefined || !isAlone || isCommon(line.text)) return;
    const own = (text: string): OwnedLine => ({ text, owner: "hand" });
    const neighbour = this.lines[at + 1];
    switch (this.#random.below(4)) {
      case 0:
        this.lines.splice(at, 1, own(this.#unique("byHand")));
        break;
      case 1:
        this.lines.splice(at, 0, own(this.#unique("byHand")));
        break;
      case 2:
        this.lines.splice(at, 1, own(`${line.text} // tweaked ${this.#next()}`));
        break;
      default:
        if (neighbour !== undefined && !isCommon(neighbour.text)) {
          this.lines.splice(at + 1, 0, own(this.#random.pick(commonLines)));
        }
    }
    this.#save();
  }

  #apply(worker: Worker, change: LineChange): boolean {
    const call = callFor(worker.agent, this.texts, change, this.#path(), this.#random);
    if (call === undefined) return false;
    const owner = this.#shop.record(worker, call);
    const added = change.added.map((text) => ({ text, owner }));
    this.lines.splice(change.at, change.removed.length, ...added);
    this.#save();
    return true;
  }

  #write(worker: Worker): void {
    const isNew = this.lines.length === 0;
    const added = Array.from({ length: isNew ? 8 : 3 }, () => this.#unique("written"));
    const at = isNew ? 0 : this.#random.below(this.lines.length);
    const texts = [...this.texts.slice(0, at), ...added, ...this.texts.slice(at)];
    const content = texts.map((line) => `${line}\n`).join("");
    const existing = this.lines.length > 0;
    const owner = this.#shop.record(
      worker,
      writeCall(worker.agent, this.#path(), content, existing),
    );
    this.lines.splice(at, 0, ...added.map((text) => ({ text, owner })));
    this.#save();
  }

  /** A part of one line. */
  #word(worker: Worker): void {
    const at = this.#random.below(this.lines.length);
    const { text } = this.lines[at]!;
    const number = /\d+/.exec(text)?.[0];
    if (number === undefined || worker.agent === "codex") return;
    const before = `= compute(${number})`;
    if (this.texts.join("\n").split(before).length !== 2) return;
    const after = `= compute(${number}, again${this.#next()})`;
    const owner = this.#shop.record(worker, editCall(worker.agent, this.#path(), before, after));
    this.lines[at] = { text: text.replace(before, after), owner };
    this.#save();
  }

  /** Every occurrence of a line. */
  #all(worker: Worker): void {
    if (worker.agent === "codex" || !this.texts.includes("return x;")) return;
    const after = `return y${this.#next()};`;
    const call = editCall(worker.agent, this.#path(), "return x;", after, true);
    const owner = this.#shop.record(worker, call);
    this.lines = this.lines.map((line) =>
      line.text === "return x;" ? { text: after, owner } : line,
    );
    this.#save();
  }

  #failing(worker: Worker): void {
    const change = this.#change();
    if (change === undefined) return;
    const call = callFor(worker.agent, this.texts, change, this.#path(), this.#random);
    if (call !== undefined) this.#shop.record(worker, call, { failed: true });
  }

  /** A change that leaves no doubt which of equal neighbours it is about. */
  #change(): LineChange | undefined {
    const at = this.#random.below(this.lines.length);
    const removed = this.texts.slice(at, at + this.#random.below(4));
    const [before, after] = [this.texts[at - 1], this.texts[at + removed.length]];
    const taboo = new Set([before, after, ...removed]);
    const count = this.#random.below(5);
    const added = Array.from({ length: count }, () => this.#line()).filter(
      (line) => !taboo.has(line),
    );
    if (added.length === 0 && removed.length === 0) return undefined;
    const slides = removed.some((line) => line === before || line === after);
    return slides ? undefined : { at, removed, added };
  }

  /** Absolute, or as seen from where the session runs. */
  #path(): string {
    return this.#random.below(2) === 0 ? file : this.#shop.path(file);
  }

  #line(): string {
    return this.#random.below(3) === 0 ? this.#random.pick(commonLines) : this.#unique("v");
  }

  #unique(word: string): string {
    const number = this.#next();
    return `const ${word}${number} = compute(${number});`;
  }

  #next(): number {
    this.#fresh += 1;
    return this.#fresh;
  }

  #save(): void {
    this.#shop.put(file, this.lines.map(({ text }) => `${text}\n`).join(""));
  }
}

function isCommon(text: string): boolean {
  return (commonLines as readonly string[]).includes(text) || /^return y/.test(text);
}

/** The change as the agent's tool takes it: with enough around it that the place is the only one. */
function callFor(
  agent: string,
  texts: readonly string[],
  change: LineChange,
  path: string,
  random: Random,
): Call | undefined {
  for (let around = 1 + random.below(2); around <= texts.length; around += 1) {
    const from = Math.max(0, change.at - around);
    const to = Math.min(texts.length, change.at + change.removed.length + around);
    const [above, below] = [
      texts.slice(from, change.at),
      texts.slice(change.at + change.removed.length, to),
    ];
    const before = [...above, ...change.removed, ...below];
    const after = [...above, ...change.added, ...below];
    if (before.length === texts.length || before.length === 0) return undefined;
    if (agent === "codex") {
      if (firstRun(texts, before) !== from) continue;
      const marked = [
        ...above.map((line) => ` ${line}`),
        ...change.removed.map((line) => `-${line}`),
        ...change.added.map((line) => `+${line}`),
        ...below.map((line) => ` ${line}`),
      ];
      return patchCall(`*** Update File: ${path}\n@@\n${marked.join("\n")}`, random);
    }
    const text = before.join("\n");
    if (text.trim() === "" || countOf(`${texts.join("\n")}\n`, text) !== 1) continue;
    return editCall(agent, path, text, after.join("\n"));
  }
  return undefined;
}

function firstRun(texts: readonly string[], run: readonly string[]): number {
  return texts.findIndex((_, at) => run.every((line, index) => texts[at + index] === line));
}

function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) count += 1;
  return count;
}

function patchCall(body: string, random: Random): Call {
  const patch = `*** Begin Patch\n${body}\n*** End Patch`;
  return random.below(2) === 0
    ? { name: "apply_patch", input: { input: `${patch}\n` } }
    : { name: "exec_command", input: { cmd: `apply_patch <<'EOF'\n${patch}\nEOF\n` } };
}

function writeCall(agent: string, path: string, content: string, existing: boolean): Call {
  switch (agent) {
    case "claude-code":
      return { name: "Write", input: { file_path: path, content } };
    case "gemini-cli":
      return { name: "write_file", input: { file_path: path, content } };
    case "opencode":
      return { name: "write", input: { filePath: path, content } };
    default: {
      const lines = content.split("\n").slice(0, -1);
      const added = lines.map((line) => `+${line}`).join("\n");
      // A patch makes an existing file anew by deleting it first.
      const gone = existing ? `*** Delete File: ${path}\n` : "";
      const patch = `*** Begin Patch\n${gone}*** Add File: ${path}\n${added}\n*** End Patch\n`;
      return { name: "apply_patch", input: { input: patch } };
    }
  }
}

/** A replacement in an agent's own words. */
export function editCall(
  agent: string,
  path: string,
  before: string,
  after: string,
  all = false,
): Call {
  switch (agent) {
    case "claude-code":
      return {
        name: "Edit",
        input: { file_path: path, old_string: before, new_string: after, replace_all: all },
      };
    case "gemini-cli":
      return {
        name: "replace",
        input: {
          file_path: path,
          old_string: before,
          new_string: after,
          ...(all && { replace_all: true }),
        },
      };
    default:
      return {
        name: "edit",
        input: {
          filePath: path,
          oldString: before,
          newString: after,
          ...(all && { replaceAll: true }),
        },
      };
  }
}
