import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Checkpoint } from "../../src/snapshot/checkpoint.ts";
import { restoreFiles } from "../../src/snapshot/restore/restore.ts";
import { redo } from "../../src/store/redo.ts";
import { undo } from "../../src/store/undo.ts";
import { type Project, project, stateOf } from "../snapshot/project.ts";

const seed = Number(process.env["REWIND_SEED"] ?? 20_261_118);
const runs = Number(process.env["REWIND_RUNS"] ?? 25);

const names = ["a", "b", "caf\u00e9\n", "src", "build", "secret", "x.log"];
const rules = ["", "*.log\n", "build/\n", "secret\n", "*.log\nbuild/\nsecret\n"];
const path = fc
  .array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join("/"));

type Action =
  | { readonly do: "write" | "delete" | "folder"; readonly path: string; readonly text: string }
  | { readonly do: "rename"; readonly path: string; readonly to: string }
  | { readonly do: "mode"; readonly path: string; readonly mode: number }
  | { readonly do: "link"; readonly path: string; readonly target: string }
  | { readonly do: "rules"; readonly text: string | undefined }
  | { readonly do: "checkpoint" | "undo" | "redo" }
  | { readonly do: "rewind"; readonly which: number };

const only = <T extends string>(name: T): fc.Arbitrary<T> => fc.constant(name);
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: only("write"), path, text: fc.constantFrom("1", "22", "333") }),
  },
  { weight: 2, arbitrary: fc.record({ do: only("delete"), path, text: only("") }) },
  { weight: 1, arbitrary: fc.record({ do: only("folder"), path, text: only("") }) },
  { weight: 1, arbitrary: fc.record({ do: only("rename"), path, to: path }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: only("mode"), path, mode: fc.constantFrom(0o755, 0o700, 0o600) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: only("link"),
      path,
      target: fc.constantFrom("a", "/etc", ".", "nowhere"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: only("rules"),
      text: fc.option(fc.constantFrom(...rules), { nil: undefined }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: only("checkpoint") }) },
  { weight: 4, arbitrary: fc.record({ do: only("rewind"), which: fc.nat(20) }) },
  { weight: 3, arbitrary: fc.record({ do: only("undo") }) },
  { weight: 2, arbitrary: fc.record({ do: only("redo") }) },
);

type State = ReadonlyMap<string, string>;

/** The files, and the rules that judged them. */
interface Moment {
  readonly state: State;
  readonly rules: string;
}

/** What a rewind did, and which paths it may touch when it is undone or done again. */
interface Deed {
  readonly touched: ReadonlySet<string>;
  readonly before: Moment;
}

test(`edits, checkpoints, rewinds, undos and redos in any order restore exactly what they may, and delete nothing that was never captured (seed ${seed})`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 40, size: "max" }), runActions),
    {
      seed,
      numRuns: runs,
    },
  );
}, 600_000);

test("redo after an undo that had nothing to do changes nothing", async () => {
  await runActions([
    { do: "checkpoint" },
    { do: "write", path: "a", text: "1" },
    { do: "rewind", which: 0 },
    { do: "write", path: "a", text: "1" },
    { do: "undo" },
    { do: "redo" },
  ]);
});

test("revert `.gitignore`, then clean: what it hid is still there", async () => {
  await runActions([
    { do: "write", path: "a", text: "1" },
    { do: "checkpoint" },
    { do: "rules", text: "secret\nbuild/\n" },
    { do: "write", path: "secret", text: "22" },
    { do: "write", path: "build/a", text: "333" },
    { do: "checkpoint" },
    { do: "rewind", which: 0 },
    { do: "rewind", which: 0 },
    { do: "rewind", which: 1 },
    { do: "undo" },
    { do: "undo" },
    { do: "redo" },
  ]);
});

test("a folder that is covered today and would have been ignored then stays, even if it is empty", async () => {
  await runActions([
    { do: "rules", text: "build/\n" },
    { do: "checkpoint" },
    { do: "rules", text: undefined },
    { do: "folder", path: "build", text: "" },
    { do: "rewind", which: 0 },
    { do: "undo" },
  ]);
});

test("undo does not bring back a folder that the rewind had to leave and the user removed since", async () => {
  await runActions([
    { do: "checkpoint" },
    { do: "write", path: "b/secret/a", text: "1" },
    { do: "rules", text: "secret\n" },
    { do: "rewind", which: 0 },
    { do: "delete", path: "b", text: "" },
    { do: "undo" },
    { do: "redo" },
  ]);
});

async function runActions(actions: readonly Action[]): Promise<void> {
  const here = project();
  here.write(".git/HEAD", "ref: refs/heads/main\n");
  here.write(".git/objects/aa/bb", "object");
  const repository = printOf(here);
  const world = new World(here);
  try {
    for (const one of actions) {
      await world.act(one);
      expect(printOf(here), "nothing of the repository may change").toBe(repository);
    }
  } finally {
    here.tree.close();
    rmSync(here.root, { recursive: true, force: true });
  }
}

class World {
  readonly #here: Project;
  readonly #checkpoints: { readonly checkpoint: Checkpoint; readonly at: Moment }[] = [];
  readonly #done: Deed[] = [];
  readonly #undone: { readonly deed: Deed; readonly before: Moment }[] = [];

  constructor(here: Project) {
    this.#here = here;
  }

  async act(one: Action): Promise<void> {
    switch (one.do) {
      case "checkpoint":
        this.#checkpoints.push({ checkpoint: this.#here.checkpoint(), at: this.#now() });
        return;
      case "rewind":
        return this.#rewind(one.which);
      case "undo":
        return this.#undo();
      case "redo":
        return this.#redo();
      default:
        edit(this.#here, one);
    }
  }

  async #rewind(which: number): Promise<void> {
    if (this.#checkpoints.length === 0) return;
    const { checkpoint, at: target } = this.#checkpoints[which % this.#checkpoints.length]!;
    const before = this.#now();
    const { entry } = await restoreFiles(this.#here.tree, { target: checkpoint });
    const after = this.#now();
    for (const path of new Set([...keys(before, target), ...after.state.keys()])) {
      const [was, should, is] = [before, target, after].map(({ state }) => state.get(path));
      const said = `rewind: ${JSON.stringify(path)} was ${was}, should ${should}, is ${is}`;
      if (isIgnored(path, target, before) || (isIgnored(path, before) && should === undefined))
        expect(is, said).toBe(was);
      else if (isIgnored(path, before)) expect([was, should], said).toContain(is);
      else if (!isHeld(path, before, target)) expect(is, said).toBe(should);
    }
    if (entry === undefined) return;
    this.#undone.length = 0;
    this.#done.push({ touched: differing(before, after), before });
  }

  async #undo(): Promise<void> {
    const deed = this.#done.pop();
    const before = this.#now();
    const undoing = undo(this.#here.home, undefined, this.#here.env);
    if (deed === undefined) {
      await expect(undoing).rejects.toMatchObject({ code: "nothing_to_undo" });
      return;
    }
    await undoing;
    this.#check("undo", deed.touched, [before, deed.before]);
    this.#undone.push({ deed, before });
  }

  async #redo(): Promise<void> {
    const last = this.#undone.pop();
    const before = this.#now();
    const redoing = redo(this.#here.home, this.#here.env);
    if (last === undefined) {
      await expect(redoing).rejects.toMatchObject({ code: "nothing_to_undo" });
      return;
    }
    await redoing;
    this.#check("redo", last.deed.touched, [before, last.before]);
    this.#done.push({ touched: last.deed.touched, before });
  }

  /** Touched paths are as wanted, all others as they were. */
  #check(
    what: string,
    touched: ReadonlySet<string>,
    [before, wanted]: readonly [Moment, Moment],
  ): void {
    const after = this.#now();
    for (const path of new Set([...keys(before, wanted), ...after.state.keys()])) {
      const [was, should, is] = [before, wanted, after].map(({ state }) => state.get(path));
      const said = `${what}: ${JSON.stringify(path)} was ${was}, should ${should}, is ${is}`;
      if (!touched.has(path)) expect(is, said).toBe(was);
      else if (
        isIgnored(path, before) ||
        isHeld(path, before, wanted) ||
        isCutOff(path, touched, before)
      )
        expect([was, should], said).toContain(is);
      else expect(is, said).toBe(should);
    }
  }

  #now(): Moment {
    const state = stateOf(this.#here.folder);
    for (const path of [...state.keys()]) if (/^\.git(\/|$)/.test(path)) state.delete(path);
    const rules = existsSync(this.#here.path(".gitignore")) ? this.#here.read(".gitignore") : "";
    return { state, rules };
  }
}

function edit({ path: at, folder }: Project, one: Action): void {
  try {
    switch (one.do) {
      case "write":
        mkdirSync(at(`${one.path}/..`), { recursive: true });
        writeFileSync(at(one.path), one.text, { flag: isLink(at(one.path)) ? "wx" : "w" });
        return;
      case "delete":
        rmSync(at(one.path), { recursive: true, force: true });
        return;
      case "folder":
        mkdirSync(at(one.path), { recursive: true });
        return;
      case "rename":
        renameSync(at(one.path), at(one.to));
        return;
      case "mode":
        if (!isLink(at(one.path))) chmodSync(at(one.path), one.mode);
        return;
      case "link":
        symlinkSync(one.target, at(one.path));
        return;
      case "rules":
        if (one.text === undefined) rmSync(at(".gitignore"), { force: true });
        else writeFileSync(`${folder}/.gitignore`, one.text);
    }
  } catch {
    // What the disk refuses does not happen, such as a file in the place of a folder.
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** Judged by hand: no code of the product's. What was not there counts as what lies there at another moment. */
function isIgnored(path: string, { rules: text, state }: Moment, other?: Moment): boolean {
  const patterns = text.split("\n");
  const parts = path.split("/");
  const kind = state.get(path) ?? other?.state.get(path);
  return parts.some((name, at) => {
    const isFolder = at < parts.length - 1 || (kind?.startsWith("folder") ?? false);
    return (
      (name.endsWith(".log") && patterns.includes("*.log")) ||
      (name === "secret" && patterns.includes("secret")) ||
      (name === "build" && isFolder && patterns.includes("build/"))
    );
  });
}

/** Something in the folder that is there must stay, so the folder does. */
function isHeld(path: string, before: Moment, wanted: Moment): boolean {
  if (!before.state.get(path)?.startsWith("folder")) return false;
  return [...before.state.keys()].some(
    (inner) =>
      inner.startsWith(`${path}/`) &&
      (isIgnored(inner, before) || isIgnored(inner, wanted) || !wanted.state.has(inner)),
  );
}

/** A folder above, which is not touched, is none any more. */
function isCutOff(path: string, touched: ReadonlySet<string>, { state }: Moment): boolean {
  const parts = path.split("/").slice(0, -1);
  return parts.some((_, at) => {
    const above = parts.slice(0, at + 1).join("/");
    return !touched.has(above) && state.get(above)?.startsWith("folder") !== true;
  });
}

function keys(one: Moment, two: Moment): readonly string[] {
  return [...one.state.keys(), ...two.state.keys()];
}

function differing(one: Moment, two: Moment): ReadonlySet<string> {
  return new Set(keys(one, two).filter((path) => one.state.get(path) !== two.state.get(path)));
}

function printOf(here: Project): string {
  const state = JSON.stringify([...stateOf(here.path(".git"))]);
  return createHash("sha256").update(state).digest("hex");
}
