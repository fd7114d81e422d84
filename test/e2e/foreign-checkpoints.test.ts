import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { SnapshotStore } from "../../src/snapshot/snapshot-store.ts";
import { readFileAt } from "../../src/snapshot/tree-paths.ts";
import { homeAt } from "../../src/store/home.ts";
import { putClaudeSession } from "./agents-home.ts";
import { type Machine, machine } from "./program.ts";

const id = "5a3e1c0f-0000-4000-8000-000000000000";

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

interface Foreign {
  readonly foreign: readonly {
    readonly name: string;
    readonly ref: string;
    readonly label?: string;
  }[];
}

const foreignIn = (here: Machine, ref: string): Foreign =>
  here.json("checkpoint", "list", "--foreign", "--session", ref) as unknown as Foreign;

function fileAt(here: Machine, tree: unknown, path: string): string | undefined {
  const store = new SnapshotStore(homeAt(join(here.home, ".reprise")));
  return readFileAt(store, tree as string, path)?.toString();
}

function bytesBelow(folder: string): readonly (readonly [string, string])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => [path, readFileSync(path, "utf8")]);
}

/** A repository of an agent's own with the files of a folder; returns the name of their tree, or of a commit. */
function shadow(folder: string, gitDir: string, what: "tree" | "commit"): string {
  const git = (...args: readonly string[]): string =>
    execFileSync("git", [`--git-dir=${gitDir}`, `--work-tree=${folder}`, ...args], {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    }).trim();
  mkdirSync(gitDir, { recursive: true });
  git("init", "-q");
  git("config", "core.worktree", folder);
  git("add", "-A");
  if (what === "tree") return git("write-tree");
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "Snapshot for replace");
  return git("rev-parse", "HEAD");
}

describe("checkpoints that agents keep themselves", () => {
  test("of Claude Code: its copies by prompt, deltas included; what was first edited later had its first copy", () => {
    const here = machine();
    const log = putClaudeSession(here, { id }, [
      { user: "one", says: "a" },
      { user: "two", says: "b" },
    ]);
    const uuid = (at: number): string => `${id.slice(0, 24)}${String(at).padStart(12, "0")}`;
    const history = join(here.home, ".claude", "file-history", id);
    const nameOf = (path: string, version: number): string =>
      `${createHash("sha256").update(path).digest("hex").slice(0, 16)}@v${version}`;
    const backup = (name: string, version: number, text?: string): object => {
      const copy = nameOf(join(here.cwd, name), version);
      if (text !== undefined) put(join(history, copy), text);
      const backupFileName = text === undefined ? null : copy;
      return { backupFileName, version, realParentDir: dirname(join(here.cwd, name)) };
    };
    const say = (record: object): void => appendFileSync(log, `${JSON.stringify(record)}\n`);
    const snapshot = (messageId: string, trackedFileBackups: object): void =>
      say({
        type: "file-history-snapshot",
        messageId,
        snapshot: { messageId, trackedFileBackups, timestamp: "2026-11-15T18:58:26.899Z" },
        isSnapshotUpdate: false,
      });
    const delta = (at: number, name: string, kept: object): void =>
      say({
        type: "file-history-delta",
        messageId: "x",
        snapshotMessageId: uuid(at),
        trackingPath: name,
        backup: kept,
      });
    snapshot(uuid(1), {});
    delta(1, "src/a.txt", backup("src/a.txt", 1, "a at first\n"));
    delta(1, "new.txt", backup("new.txt", 1));
    snapshot(uuid(3), { "src/a.txt": backup("src/a.txt", 2, "a later\n") });
    delta(3, "b.txt", backup("b.txt", 1, "b at first\n"));
    delta(3, "../../escape", { backupFileName: "../../../etc/passwd", version: 1 });
    put(join(here.cwd, "other.txt"), "mine\n");
    const before = bytesBelow(join(here.home, ".claude"));
    expect(foreignIn(here, id).foreign.map(({ name }) => name)).toEqual([uuid(1), uuid(3)]);
    const first = here.json("checkpoint", "import", id, uuid(1));
    expect(first).toMatchObject({ agent: "claude-code", session: id, uuid: uuid(1) });
    expect(fileAt(here, first["tree"], "src/a.txt")).toBe("a at first\n");
    expect(fileAt(here, first["tree"], "b.txt")).toBe("b at first\n");
    expect(fileAt(here, first["tree"], "new.txt")).toBeUndefined();
    expect(first["left"]).toHaveLength(1);
    const second = here.json("checkpoint", "import", id, uuid(3));
    expect(fileAt(here, second["tree"], "src/a.txt")).toBe("a later\n");
    expect(here.json("checkpoint", "show", String(second["number"]))).toMatchObject({
      event: "2",
      onlyPaths: ["b.txt", "new.txt", "src/a.txt"],
    });
    expect(bytesBelow(join(here.home, ".claude"))).toEqual(before);
  });

  test("of Gemini CLI: the commits of its repository, by the session that made them", () => {
    const here = machine();
    const tmp = join(here.home, ".gemini", "tmp", "work");
    put(join(tmp, ".project_root"), here.cwd);
    const lines = [
      { sessionId: id, projectHash: "x", startTime: "2026-11-15T18:20:00.000Z", kind: "main" },
      { id: "m1", timestamp: "2026-11-15T18:21:00.000Z", type: "user", content: "go" },
    ];
    put(
      join(tmp, "chats", `session-2026-11-15T18-20-${id.slice(0, 8)}.jsonl`),
      lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
    );
    put(join(here.cwd, "src", "a.txt"), "before\n");
    put(join(here.cwd, "run.sh"), "#!/bin/sh\n");
    chmodSync(join(here.cwd, "run.sh"), 0o755);
    const gitDir = join(here.home, ".gemini", "history", "work", ".git");
    const commitHash = shadow(here.cwd, gitDir, "commit");
    const kept = { commitHash, toolCall: { name: "replace", args: {} } };
    const at = join(tmp, "checkpoints", "2026-11-15T18-29-41_502Z-a.txt-replace.json");
    put(at, JSON.stringify({ ...kept, messageId: `${id}########0` }));
    put(at.replace("a.txt", "b.txt"), JSON.stringify({ ...kept, messageId: "other########0" }));
    put(join(here.cwd, "src", "a.txt"), "after\n");
    const ref = `gemini-cli:${id}`;
    expect(foreignIn(here, ref).foreign).toEqual([
      {
        ref,
        agent: "gemini-cli",
        name: commitHash,
        at: "2026-11-15T18:29:41.502Z",
        label: "replace",
      },
    ]);
    const objects = readdirSync(gitDir, { recursive: true });
    const taken = here.json("checkpoint", "import", ref, commitHash.slice(0, 8), "-m", "theirs");
    expect(fileAt(here, taken["tree"], "src/a.txt")).toBe("before\n");
    expect(taken).toMatchObject({ label: "theirs", files: 2, incomplete: true, left: [] });
    expect(readdirSync(gitDir, { recursive: true })).toEqual(objects);
  });

  test("of OpenCode: the trees its steps began with", () => {
    const here = machine();
    const root = join(here.home, ".local", "share", "opencode");
    put(join(here.cwd, "a.txt"), "before\n");
    const tree = shadow(here.cwd, join(root, "snapshot", "global", "f00d"), "tree");
    const storage = join(root, "storage");
    const session = "ses_5a3e1c0f0000aaaaaaaaaaaaaa";
    const time = { created: 1_790_000_000_000, updated: 1_790_000_100_000 };
    put(
      join(storage, "session", "global", `${session}.json`),
      JSON.stringify({ id: session, projectID: "global", directory: here.cwd, title: "t", time }),
    );
    const message = (key: string, role: string, part: object): void => {
      put(
        join(storage, "message", session, `${key}.json`),
        JSON.stringify({ id: key, sessionID: session, role, time }),
      );
      put(
        join(storage, "part", key, "prt_1.json"),
        JSON.stringify({ id: "prt_1", messageID: key, sessionID: session, ...part }),
      );
    };
    message("msg_1", "user", { type: "text", text: "go" });
    message("msg_2", "assistant", { type: "step-start", snapshot: tree });
    put(
      join(storage, "part", "msg_2", "prt_2.json"),
      JSON.stringify({
        id: "prt_2",
        messageID: "msg_2",
        sessionID: session,
        type: "text",
        text: "ok",
      }),
    );
    put(join(here.cwd, "a.txt"), "after\n");
    const ref = `opencode:${session}`;
    expect(foreignIn(here, ref).foreign).toMatchObject([{ name: `${tree}-msg_2`, uuid: "msg_2" }]);
    const taken = here.json("checkpoint", "import", ref, tree.slice(0, 10));
    expect(fileAt(here, taken["tree"], "a.txt")).toBe("before\n");
    expect(here.run("checkpoint", "import", ref, "0000000").status).toBe(3);
  });
});
