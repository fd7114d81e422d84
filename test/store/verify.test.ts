import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { expectedSum } from "../../src/log/line.ts";
import type { Damage } from "../../src/model/damage.ts";
import { FileLog } from "../../src/store/file-log.ts";
import { folderHome } from "../../src/store/home.ts";
import { SessionManager } from "../../src/store/session-manager.ts";
import type { CreateOptions } from "../../src/store/session-options.ts";
import { machine } from "../e2e/program.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

const seed = 20261118;
const key = Buffer.alloc(32, 5);
const packed = "packed ".repeat(12_000);
const loose = "loose ".repeat(60_000);

interface Made {
  readonly folder: string;
  readonly file: string;
  readonly blobs: string;
}

/** A session with content in a pack and in a file of its own. */
async function sessionWithBlobs(options: CreateOptions = {}): Promise<Made> {
  const folder = temporaryFolder();
  const session = SessionManager.create(folder, folder, { id: "s", sync: "none", ...options });
  session.appendSync({ type: "user", content: "hello" });
  session.appendSync({ type: "tool_result", call: "c", content: packed });
  session.appendSync({ type: "tool_result", call: "d", content: loose });
  session.appendSync({ type: "assistant", content: "done" });
  await session.close();
  return { folder, file: join(folder, "s.jsonl"), blobs: join(folder, ".reprise", "blobs") };
}

function filesUnder(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** What readers report of a session, and what verifying it does. */
function looked(file: string): { readonly read: Damage[]; readonly verified: readonly Damage[] } {
  const log = FileLog.open(folderHome(join(file, "..")), file, { secret: { key }, waitMs: 0 });
  const read: Damage[] = [];
  try {
    for (const _ of log.events({ onDamage: (damage) => read.push(damage) }));
    for (const step of log.path()) if (step.kind === "damage") read.push(step.damage);
    return { read, verified: log.verify().problems };
  } finally {
    void log.close();
  }
}

const kinds: readonly (readonly [string, CreateOptions])[] = [
  ["a session", {}],
  ["a sealed session", { seal: true, secret: { key } }],
];

for (const [name, options] of kinds) {
  test(`verify reports content of ${name} that was removed, altered, or lost with its pack`, async () => {
    const changes: readonly ((path: string) => void)[] = [
      (path) => rmSync(path),
      (path) => {
        const bytes = readFileSync(path);
        bytes[bytes.length - 100]! ^= 1;
        writeFileSync(path, bytes);
      },
      (path) => writeFileSync(path, readFileSync(path).subarray(0, 1000)),
    ];
    for (const change of changes) {
      for (const [which, event] of [
        [".pack", 3],
        ["", 4],
      ] as const) {
        const { file, blobs } = await sessionWithBlobs(options);
        expect(looked(file)).toEqual({ read: [], verified: [] });
        const path = filesUnder(blobs).find((one) => one.endsWith(".pack") === (which === ".pack"));
        change(path!);
        const { read, verified } = looked(file);
        expect(verified).toMatchObject([{ detail: expect.stringContaining(`event ${event}`) }]);
        expect(read).toContainEqual(verified[0]);
      }
    }
  });
}

test("without the key verify still reports content of a sealed session that is gone", async () => {
  const { file, blobs } = await sessionWithBlobs({ seal: true, secret: { key } });
  const verified = (): readonly Damage[] => {
    const log = FileLog.open(folderHome(join(file, "..")), file);
    const { problems } = log.verify();
    void log.close();
    return problems;
  };
  expect(verified()).toEqual([]);
  rmSync(filesUnder(blobs).find((one) => !one.endsWith(".pack"))!);
  expect(verified()).toMatchObject([{ kind: "missing_file" }]);
});

test("verify of a fork reports what is damaged in the session it stands on, and names it", async () => {
  const { folder, file, blobs } = await sessionWithBlobs();
  const session = SessionManager.open(file);
  const fork = session.fork(undefined, { id: "f" });
  await fork.close();
  await session.close();
  rmSync(filesUnder(blobs).find((one) => !one.endsWith(".pack"))!);
  const { verified } = looked(join(folder, "f.jsonl"));
  expect(verified).toMatchObject([
    { kind: "missing_file", detail: expect.stringContaining("base s") },
  ]);
});

test("verify of a fork reports a base whose lines were changed and given sums that fit", async () => {
  const { folder, file } = await sessionWithBlobs();
  const session = SessionManager.open(file);
  await session.fork(undefined, { id: "f" }).close();
  await session.close();
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  writeFileSync(
    file,
    `${resummed(lines.with(1, lines[1]!.replace("hello", "jello"))).join("\n")}\n`,
  );
  expect(looked(file).verified).toEqual([]);
  expect(looked(join(folder, "f.jsonl")).verified).toMatchObject([{ kind: "bad_sum" }]);
});

test("`reprise verify` exits with 1 for a session whose content is gone, and says where", () => {
  const here = machine();
  here.run("new", "--id", "large");
  const body = JSON.stringify({ type: "note", content: packed });
  here.runWith({ input: body }, "append", "large");
  expect(here.run("verify").status).toBe(0);
  rmSync(join(here.home, ".reprise", "blobs"), { recursive: true });
  const { status, stdout } = here.run("verify");
  expect(stdout).toContain("missing_file at byte");
  expect(status).toBe(1);
});

/** The lines with sums that fit. */
function resummed(lines: readonly string[]): readonly string[] {
  let previous = "";
  return lines.map((line) => {
    previous = expectedSum(Buffer.from(line), previous);
    return line.replace(/"[0-9a-f]{16}"\}$/, `"${previous}"}`);
  });
}

test(`whatever readers report of a damaged session, verify reports too (seed ${seed})`, async () => {
  const { file } = await sessionWithBlobs();
  const whole = readFileSync(file);
  const change = fc.record({
    at: fc.nat(whole.length - 1),
    bytes: fc.uint8Array({ minLength: 0, maxLength: 6 }),
    instead: fc.nat(40),
    fit: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
      let bytes = whole;
      for (const { at, bytes: put, instead } of changes) {
        const from = Math.min(at, bytes.length);
        bytes = Buffer.concat([bytes.subarray(0, from), put, bytes.subarray(from + instead)]);
      }
      if (changes[0]!.fit) {
        const lines = bytes.toString("latin1").split("\n");
        bytes = Buffer.from(resummed(lines).join("\n"), "latin1");
      }
      writeFileSync(file, bytes);
      let found: ReturnType<typeof looked>;
      try {
        found = looked(file);
      } catch (error) {
        expect(error).toMatchObject({ name: "RepriseError" });
        return;
      }
      const told = found.verified.map(({ kind, offset }) => `${kind} ${offset}`);
      const isInPath = ({ kind }: Damage) => kind === "missing_parent" || kind === "cycle";
      const ofLines = found.read.filter((damage) => !isInPath(damage));
      expect(told).toEqual(
        expect.arrayContaining(ofLines.map(({ kind, offset }) => `${kind} ${offset}`)),
      );
      if (found.read.length > 0) expect(told).not.toEqual([]);
    }),
    { seed, numRuns: 300 },
  );
});
