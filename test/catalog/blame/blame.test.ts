import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadAgents } from "../../../src/agents/registry.ts";
import { RepriseError } from "../../../src/base/errors.ts";
import { type Blame, blame } from "../../../src/catalog/blame/blame.ts";
import { targetAt } from "../../../src/catalog/blame/places.ts";
import type { Candidate } from "../../../src/catalog/blame/touching.ts";
import { SessionManager } from "../../../src/index.ts";
import { agentNamed, bring } from "../../convert/stores.ts";
import { editCall } from "./random-edits.ts";
import { Workshop } from "./workshop.ts";

const agents = await loadAgents();
/** The writer of each line: the call's id, or how it is known where that is not by replaying. */
function writersOf({ lines }: Blame): readonly string[] {
  return lines.map(({ writer }) => {
    if (writer === undefined) return "unknown";
    const { call = writer.by.act.event } = writer.by.act;
    return writer.confidence === "exact" ? call : `${call} ${writer.confidence} ${writer.evidence}`;
  });
}

const three = "first line here\nsecond line here\nthird line here\n";

function claudeWrite(name: string, content: string) {
  return { name: "Write", input: { file_path: name, content } };
}

/** The sessions of an agent in the user's store, as it finds them. */
function found(name: string, shop: Workshop): readonly Candidate[] {
  const agent = agentNamed(name);
  return [...agent.locate(shop.env, { projects: [shop.env.cwd] })].flatMap((ref) => {
    const head = agent.head(ref, shop.env);
    return head === undefined ? [] : [{ agent, ref, head }];
  });
}

describe("the words of every agent", () => {
  test("several replacements in one call of Claude Code", async () => {
    const shop = new Workshop();
    const worker = shop.begin("claude-code", "write, then change");
    const made = shop.record(worker, claudeWrite("a.txt", three));
    const edits = [
      { old_string: "first line here", new_string: "FIRST line here" },
      { old_string: "third line", new_string: "THIRD line" },
    ];
    const changed = shop.record(worker, {
      name: "MultiEdit",
      input: { file_path: "a.txt", edits },
    });
    shop.put("a.txt", "FIRST line here\nsecond line here\nTHIRD line here\n");
    const told = await shop.blame("a.txt", await shop.sessions());
    expect(writersOf(told)).toEqual([changed, made, changed]);
    expect(told.lines[0]?.writer?.by.act.prompt).toBe("write, then change");
  });

  test.each(["beside its session", "in its session's folder"])(
    "what a subagent of Claude Code wrote whose transcript lies %s",
    async (place) => {
      const shop = new Workshop();
      for (const prompt of ["let somebody write it", "something else"]) {
        shop.begin("claude-code", prompt);
      }
      shop.put("a.txt", three);
      const [session, other] = await shop.sessions();
      const { path, session: sessionId } = session!.ref;
      const folder =
        place === "beside its session" ? dirname(path) : path.replace(/\.jsonl$/, "/subagents");
      const record = (uuid: string, parentUuid: string | null, more: object): string =>
        `${JSON.stringify({ uuid, parentUuid, isSidechain: true, agentId: "1a2b", sessionId, cwd: shop.env.cwd, timestamp: shop.tick(), version: "2.0.30", ...more })}\n`;
      const call = { type: "tool_use", id: "call_9", ...claudeWrite("a.txt", three) };
      const result = { type: "tool_result", tool_use_id: "call_9", content: "Done." };
      mkdirSync(folder, { recursive: true });
      writeFileSync(
        join(folder, "agent-1a2b.jsonl"),
        [
          record("b1", null, { type: "user", message: { role: "user", content: "write it" } }),
          record("b2", "b1", {
            type: "assistant",
            message: { role: "assistant", content: [call] },
          }),
          record("b3", "b2", { type: "user", message: { role: "user", content: [result] } }),
        ].join(""),
      );
      const told = await shop.blame("a.txt", [session!, other!]);
      expect(writersOf(told)).toEqual(["call_9", "call_9", "call_9"]);
      expect(told.lines[0]?.writer?.by.origin.session).toBe(sessionId);
      // Only the session whose subagent it is was read.
      expect(told.sessionsRead).toBe(1);
    },
  );

  test("the replacements of pi, and writing a file", async () => {
    const shop = new Workshop();
    const worker = shop.begin("pi", "go");
    const made = shop.record(worker, { name: "write", input: { path: "a.txt", content: three } });
    const edits = [
      { oldText: "second line", newText: "SECOND line" },
      { oldText: "third line", newText: "THIRD line" },
    ];
    const changed = shop.record(worker, { name: "edit", input: { path: "a.txt", edits } });
    shop.put("a.txt", "first line here\nSECOND line here\nTHIRD line here\n");
    const told = await shop.blame("a.txt", await shop.sessions());
    expect(writersOf(told)).toEqual([made, changed, changed]);
  });

  test("a patch of OpenCode, and one that Codex gives to a shell in another folder", async () => {
    const shop = new Workshop();
    const opencode = shop.begin("opencode", "go");
    const added =
      "*** Begin Patch\n*** Add File: sub/a.txt\n+one line here\n+two lines here\n*** End Patch";
    const made = shop.record(opencode, { name: "apply_patch", input: { patchText: added } });
    const codex = shop.begin("codex", "go");
    const patch =
      "*** Begin Patch\n*** Update File: a.txt\n@@\n-two lines here\n+TWO lines here\n*** End Patch";
    const cmd = `cd sub && apply_patch <<'EOF'\n${patch}\nEOF`;
    const changed = shop.record(codex, { name: "exec_command", input: { cmd } });
    shop.put("sub/a.txt", "one line here\nTWO lines here\n");
    const told = await shop.blame("sub/a.txt", await shop.sessions());
    expect(writersOf(told)).toEqual([made, changed]);
  });

  test("files a command writes whole, where its text tells the content", async () => {
    const shop = new Workshop();
    const worker = shop.begin("codex", "go");
    const cmd = `cd sub && cat > a.txt <<'EOF'\none $HOME here\n\ntwo lines here\nEOF\nls`;
    const made = shop.record(worker, { name: "exec_command", input: { cmd } });
    const command = ["bash", "-lc", "cat <<EOF > sub/a.txt\nwith $HOME in it\nEOF"];
    shop.record(worker, { name: "shell", input: { command } });
    shop.put("sub/a.txt", "one $HOME here\n\ntwo lines here\n");
    const told = await shop.blame("sub/a.txt", await shop.sessions());
    expect(writersOf(told)).toEqual([made, made, made]);
  });

  test("a command that only quotes a patch changes nothing", async () => {
    const shop = new Workshop();
    const worker = shop.begin("codex", "go");
    const patch = "*** Begin Patch\n*** Add File: a.txt\n+one line here\n*** End Patch";
    shop.record(worker, {
      name: "exec_command",
      input: { cmd: `cat > p.txt <<'EOF'\n${patch}\nEOF` },
    });
    shop.put("a.txt", "one line here\n");
    expect(writersOf(await shop.blame("a.txt", await shop.sessions()))).toEqual(["unknown"]);
  });

  test("blocks of aider that it says it applied, and no others", async () => {
    const shop = new Workshop();
    shop.put("a.txt", "const port = 9090;\nconst host = 'here and now';\n");
    const block = (before: string, after: string): string =>
      `a.txt\n\`\`\`js\n<<<<<<< SEARCH\n${before}\n=======\n${after}\n>>>>>>> REPLACE\n\`\`\`\n`;
    writeFileSync(
      shop.path(".aider.chat.history.md"),
      [
        "\n# aider chat started at 2026-11-15 18:35:32\n",
        "#### change the port  \n",
        block("const port = 8080;", "const port = 9090;"),
        "> Applied edit to a.txt  \n",
        "#### and the host  \n",
        block("const host = 'old';", "const host = 'here and now';"),
        "> The edit failed  \n",
      ].join("\n"),
    );
    const told = await shop.blame("a.txt", found("aider", shop));
    expect(told.lines[0]?.writer?.by.act.prompt).toBe("change the port");
    expect(told.lines.map(({ writer }) => writer?.by.origin.agent)).toEqual(["aider", undefined]);
  });

  test("native sessions: file events with content, and calls in any agent's words", async () => {
    const shop = new Workshop();
    const session = SessionManager.create(shop.env.cwd, undefined, { env: shop.env });
    await session.appendUser("make it");
    const file = await session.append({
      type: "file",
      path: "a.txt",
      action: "created",
      data: { content: three },
    });
    const { name, input } = editCall("gemini-cli", "a.txt", "second line", "SECOND line");
    await session.appendToolUse("g1", name, input);
    await session.appendToolResult("g1", "fine");
    await session.close();
    shop.put("a.txt", three.replace("second line", "SECOND line"));
    const told = await shop.blame("a.txt", found("reprise", shop));
    expect(writersOf(told)).toEqual([String(file.id), "g1", String(file.id)]);
  });

  test("cells of a notebook are found by their lines", async () => {
    const shop = new Workshop();
    const worker = shop.begin("claude-code", "a cell");
    const input = {
      notebook_path: "n.ipynb",
      new_source: "import pandas as pd\nframe = pd.read_csv('x')",
    };
    shop.record(worker, { name: "NotebookEdit", input });
    const source = ["import pandas as pd\n", "frame = pd.read_csv('x')"];
    shop.put("n.ipynb", JSON.stringify({ cells: [{ cell_type: "code", source }] }, undefined, 1));
    const told = await shop.blame("n.ipynb", await shop.sessions());
    const written = told.lines.filter(({ writer }) => writer !== undefined);
    expect(written.map(({ text }) => text.trim())).toEqual([
      '"import pandas as pd\\n",',
      "\"frame = pd.read_csv('x')\"",
    ]);
  });
});

describe("what wrote nothing", () => {
  test.each([
    ["an error", { failed: true }],
    ["words of failure", { text: "apply_patch verification failed: no such lines" }],
  ])("a call whose result is %s", async (_, answer) => {
    const shop = new Workshop();
    const worker = shop.begin("claude-code", "go");
    const made = shop.record(worker, claudeWrite("a.txt", three));
    const edit = editCall("claude-code", "a.txt", "second line", "SECOND line");
    shop.record(worker, edit, answer);
    shop.put("a.txt", three.replace("second line", "SECOND line"));
    const told = await shop.blame("a.txt", await shop.sessions());
    expect(writersOf(told)).toEqual([made, "unknown", made]);
  });

  test("a copy of a session: the oldest counts", async () => {
    const shop = new Workshop();
    const first = shop.begin("claude-code", "go");
    const made = shop.record(first, claudeWrite("a.txt", three));
    const copy = shop.begin("claude-code", "a fork");
    copy.messages.push(...first.messages.slice(1));
    shop.put("a.txt", three);
    const sessions = await shop.sessions();
    const told = await shop.blame("a.txt", [...sessions].reverse());
    expect(writersOf(told)).toEqual([made, made, made]);
    expect(told.lines[0]?.writer?.by.origin.session).toBe(sessions[0]?.head.session);
    expect(told.editsSeen).toBe(1);
  });
});

test("a converted session is a copy too, though it speaks other words", async () => {
  const shop = new Workshop();
  const worker = shop.begin("claude-code", "go");
  const made = shop.record(worker, claudeWrite("a.txt", three));
  const edit = editCall("claude-code", "a.txt", "second line here", "SECOND line here");
  const changed = shop.record(worker, edit);
  shop.put("a.txt", three.replace("second", "SECOND"));
  const [session] = await shop.sessions();
  const { written } = await bring(session!, "codex", shop.env);
  const agent = agentNamed("codex");
  const copy = { agent, ref: written.ref, head: agent.head(written.ref, shop.env)! };
  const told = await shop.blame("a.txt", [copy, session!]);
  expect(writersOf(told)).toEqual([made, changed, made]);
  expect(told.editsSeen).toBe(2);
  expect(told.lines[1]?.writer?.by.origin.agent).toBe("claude-code");
});

test("a session that cannot be read hides no other", async () => {
  const shop = new Workshop();
  const made = shop.record(shop.begin("claude-code", "go"), claudeWrite("a.txt", three));
  shop.put("a.txt", three);
  const [session] = await shop.sessions();
  const sealed: Candidate = {
    ...session!,
    agent: {
      ...session!.agent,
      read: () => {
        throw new RepriseError("sealed", "no key");
      },
    },
  };
  const told = await shop.blame("a.txt", [sealed, session!]);
  expect(writersOf(told)).toEqual([made, made, made]);
  expect(told.unread).toBe(1);
});

describe("what results tell of the file", () => {
  /** Adds the structured results Claude Code writes beside the answers. */
  function tell({ ref }: Candidate, results: Readonly<Record<string, object>>): void {
    const records = readFileSync(ref.path, "utf8").trimEnd().split("\n");
    const told = records.map((line) => {
      const call = /"tool_use_id":"(\w+)"/.exec(line)?.[1] ?? "";
      const record = JSON.parse(line) as object;
      return JSON.stringify(call in results ? { ...record, toolUseResult: results[call] } : record);
    });
    writeFileSync(ref.path, `${told.join("\n")}\n`);
  }

  test("a change by hand that a later whole-file write kept stays unknown", async () => {
    const shop = new Workshop();
    const worker = shop.begin("claude-code", "go");
    const made = shop.record(worker, claudeWrite("a.txt", three));
    const handled = three.replace("second line here", "second line by hand");
    const last = `${handled}fourth line here\n`;
    const added = shop.record(worker, claudeWrite("a.txt", last));
    shop.put("a.txt", last);
    const sessions = await shop.sessions();
    tell(sessions[0]!, { [added]: { type: "update", originalFile: handled } });
    const told = await shop.blame("a.txt", sessions);
    expect(writersOf(told)).toEqual([made, "unknown", made, added]);
  });

  test("what a person made of a proposed edit counts, not the proposal", async () => {
    const shop = new Workshop();
    const worker = shop.begin("claude-code", "go");
    const made = shop.record(worker, claudeWrite("a.txt", three));
    const edit = editCall("claude-code", "a.txt", "second line", "proposed line");
    const changed = shop.record(worker, edit);
    shop.put("a.txt", three.replace("second line", "accepted line"));
    const sessions = await shop.sessions();
    const applied = { oldString: "second line", newString: "accepted line", originalFile: three };
    tell(sessions[0]!, { [changed]: { ...applied, userModified: true } });
    expect(writersOf(await shop.blame("a.txt", sessions))).toEqual([made, changed, made]);
  });
});

describe("what became of lines", () => {
  test("moved by hand they are likely theirs, reformatted possibly, changed unknown", async () => {
    const shop = new Workshop();
    const worker = shop.begin("claude-code", "go");
    const lines = ["alpha = computeFirst()", "beta = computeSecond()", "gamma = computeThird()"];
    const more = ["delta = computeFourth()", "epsilon = computeFifth()"];
    const content = `${[...lines, ...more].join("\n")}\n`;
    const made = shop.record(worker, claudeWrite("a.txt", content));
    const now = [lines[1], lines[2], more[0], lines[0], "  epsilon  = computeFifth();", "zeta = 1"];
    shop.put("a.txt", `${now.join("\n")}\n`);
    const told = await shop.blame("a.txt", await shop.sessions());
    expect(writersOf(told)).toEqual([
      made,
      made,
      made,
      `${made} likely moved`,
      `${made} possible reformatted`,
      "unknown",
    ]);
  });

  test("a file with other line ends is the same file", async () => {
    const shop = new Workshop();
    const worker = shop.begin("claude-code", "go");
    const made = shop.record(worker, claudeWrite("a.txt", three.replaceAll("\n", "\r\n")));
    const edit = editCall(
      "claude-code",
      "a.txt",
      "first line here\nsecond",
      "first line here\nSECOND",
    );
    const changed = shop.record(worker, edit);
    shop.put("a.txt", three.replace("second", "SECOND").replaceAll("\n", "\r\n"));
    const told = await shop.blame("a.txt", await shop.sessions());
    expect(writersOf(told)).toEqual([made, changed, made]);
  });

  test("a file that a patch moved is followed to its earlier name", async () => {
    const shop = new Workshop();
    const claude = shop.begin("claude-code", "make it");
    const made = shop.record(claude, claudeWrite("old-name.txt", three));
    const codex = shop.begin("codex", "rename it");
    const patch =
      "*** Begin Patch\n*** Update File: old-name.txt\n*** Move to: src/new-name.txt\n@@\n-second line here\n+SECOND line here\n*** End Patch\n";
    const moved = shop.record(codex, { name: "apply_patch", input: { input: patch } });
    shop.put("src/new-name.txt", three.replace("second", "SECOND"));
    const told = await shop.blame("src/new-name.txt", await shop.sessions());
    expect(writersOf(told)).toEqual([made, moved, made]);
  });

  test("a project that was moved keeps its history", async () => {
    const shop = new Workshop();
    const worker = shop.begin("claude-code", "go");
    const absolute = shop.path("src/a.txt");
    const made = shop.record(worker, claudeWrite(absolute, three));
    shop.put("src/a.txt", three);
    shop.commit("begin");
    const sessions = await shop.sessions();
    const moved = `${shop.env.cwd}-moved`;
    renameSync(shop.env.cwd, moved);
    const told = await blame(targetAt(join(moved, "src/a.txt")), { sessions, agents });
    expect(writersOf(told)).toEqual([made, made, made]);
  });

  test("what was written in another clone is likely where the text came from", async () => {
    const shop = new Workshop();
    shop.put("a.txt", "the very first line\n");
    shop.commit("begin");
    const clone = `${shop.env.home}/clone`;
    execFileSync("git", ["clone", "-q", shop.env.cwd, clone], {
      env: { PATH: process.env["PATH"] },
    });
    execFileSync("git", ["remote", "add", "origin", shop.env.cwd], { cwd: shop.env.cwd });
    const worker = shop.begin("claude-code", "go");
    const after = "the very first line\nand a second one";
    const added = shop.record(
      worker,
      editCall("claude-code", join(clone, "a.txt"), "the very first line", after),
    );
    shop.put("a.txt", `${after}\n`);
    const told = await shop.blame("a.txt", await shop.sessions());
    expect(writersOf(told)).toEqual(["unknown", `${added} likely elsewhere`]);
  });

  test("links lead to the file", async () => {
    const shop = new Workshop();
    const worker = shop.begin("claude-code", "go");
    mkdirSync(shop.path("real"));
    symlinkSync(shop.path("real"), shop.path("link"));
    const made = shop.record(worker, claudeWrite("link/a.txt", three));
    shop.put("real/a.txt", three);
    const sessions = await shop.sessions();
    for (const name of ["real/a.txt", "link/a.txt"]) {
      expect(writersOf(await shop.blame(name, sessions))).toEqual([made, made, made]);
    }
  });

  test("of a file that is gone, the lines are those that sessions left", async () => {
    const shop = new Workshop();
    const worker = shop.begin("claude-code", "go");
    const made = shop.record(worker, claudeWrite("a.txt", three));
    const changed = shop.record(worker, editCall("claude-code", "a.txt", "second", "SECOND"));
    const told = await shop.blame("a.txt", await shop.sessions());
    expect(told.missing).toBe(true);
    expect(told.lines.map(({ text }) => text).join("\n")).toContain("SECOND");
    expect(writersOf(told)).toEqual([made, changed, made]);
  });

  test("of a file that is gone the last writer is told", async () => {
    const shop = new Workshop();
    const worker = shop.begin("codex", "make and delete");
    const add = "*** Begin Patch\n*** Add File: a.txt\n+one line here\n*** End Patch\n";
    const gone = "*** Begin Patch\n*** Delete File: a.txt\n*** End Patch\n";
    shop.record(worker, { name: "apply_patch", input: { input: add } });
    const last = shop.record(worker, { name: "apply_patch", input: { input: gone } });
    const told = await shop.blame("a.txt", await shop.sessions());
    expect(told.missing).toBe(true);
    expect(told.last?.act).toMatchObject({ call: last, action: "deleted" });
  });
});

describe("what git knows", () => {
  test("lines nobody's session explains carry their commit", async () => {
    const shop = new Workshop();
    shop.put("a.txt", three);
    shop.commit("by hand");
    const worker = shop.begin("claude-code", "go");
    const changed = shop.record(worker, editCall("claude-code", "a.txt", "second", "SECOND"));
    shop.put("a.txt", three.replace("second", "SECOND"));
    const told = await shop.blame("a.txt", await shop.sessions());
    expect(writersOf(told)).toEqual(["unknown", changed, "unknown"]);
    expect(told.lines.map(({ commit }) => commit?.summary)).toEqual([
      "by hand",
      undefined,
      "by hand",
    ]);
    expect(told.lines[0]?.commit?.author).toBe("Ann");
  });

  test("a repository's settings start no program", async () => {
    const shop = new Workshop();
    const marker = shop.path("started");
    const script = join(shop.env.home, "evil.sh");
    writeFileSync(script, `#!/bin/sh\ntouch '${marker}'\ncat\n`, { mode: 0o755 });
    shop.put("a.txt", three);
    shop.put(".gitattributes", "*.txt diff=evil filter=evil\n");
    shop.commit("begin");
    for (const key of [
      "core.fsmonitor",
      "core.pager",
      "diff.evil.textconv",
      "diff.external",
      "filter.evil.clean",
      "filter.evil.smudge",
      "gpg.program",
    ]) {
      execFileSync("git", ["config", key, script], { cwd: shop.env.cwd });
    }
    execFileSync("git", ["config", "log.showSignature", "true"], { cwd: shop.env.cwd });
    const worker = shop.begin("claude-code", "go");
    shop.record(worker, editCall("claude-code", "a.txt", "second", "SECOND"));
    shop.put("a.txt", three.replace("second", "SECOND"));
    const told = await shop.blame("a.txt", await shop.sessions());
    expect(told.lines[0]?.commit?.summary).toBe("begin");
    expect(existsSync(marker)).toBe(false);
  });
});

describe("what cannot be asked about", () => {
  test("binary, huge, and no file at all", async () => {
    const shop = new Workshop();
    shop.put("binary", "a\0b");
    shop.put("huge", "x".repeat(8 * 1024 * 1024 + 1));
    mkdirSync(shop.path("folder"));
    await expect(shop.blame("binary", [])).rejects.toMatchObject({ code: "bad_input" });
    await expect(shop.blame("huge", [])).rejects.toMatchObject({ code: "too_large" });
    await expect(shop.blame("folder", [])).rejects.toMatchObject({ code: "not_a_file" });
  });
});
