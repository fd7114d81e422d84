import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Machine, machine, root } from "./program.ts";

/** The programs of the agents, as the shell calls them. */
export const agentPrograms = ["claude", "codex", "gemini", "opencode", "pi"] as const;

/** A machine whose only programs are stand-ins of agents: each writes down its folder and arguments. */
export function machineWith(programs: readonly string[]): Machine {
  const here = machine({ path: "" });
  const bin = join(here.home, "bin");
  mkdirSync(bin);
  here.env["PATH"] = bin;
  for (const name of programs) {
    const file = join(bin, name);
    const note = join(here.home, `${name}.called`);
    writeFileSync(file, `#!/bin/sh\n{ pwd; for a in "$@"; do echo "$a"; done; } > '${note}'\n`);
    chmodSync(file, 0o755);
  }
  return here;
}

/** How a stand-in was started: its folder, then its arguments. */
export function called(here: Machine, program: string): readonly string[] {
  return readFileSync(join(here.home, `${program}.called`), "utf8")
    .trimEnd()
    .split("\n");
}

/** Puts what a real agent wrote into the machine's home. */
export function putFixture(here: Machine, fixture: string, into = ""): void {
  const from = join(root, "test", "fixtures", fixture);
  cpSync(from, join(here.home, into), { recursive: true });
}

/** One turn of a session, or a record of another kind as it is. */
export type Turn = { readonly user: string; readonly says?: string } | { readonly record: object };

/** Writes a session as Claude Code does, and tells its file. */
export function putClaudeSession(
  here: Machine,
  session: {
    readonly id: string;
    readonly cwd?: string;
    readonly branch?: string;
    readonly ageMinutes?: number;
  },
  turns: readonly Turn[],
): string {
  const { id, cwd = here.cwd, branch = "main", ageMinutes = 10 } = session;
  const folder = join(here.home, ".claude", "projects", cwd.replace(/[^A-Za-z0-9]/g, "-"));
  mkdirSync(folder, { recursive: true });
  const began = Date.now() - ageMinutes * 60_000;
  let parentUuid: string | null = null;
  let count = 0;
  const lines: string[] = [];
  const add = (record: object): void => {
    count += 1;
    const uuid = `${id.slice(0, 24)}${String(count).padStart(12, "0")}`;
    const timestamp = new Date(began + count * 1000).toISOString();
    const common = { parentUuid, isSidechain: false, userType: "external", cwd, sessionId: id };
    lines.push(
      JSON.stringify({
        ...common,
        version: "2.1.325",
        gitBranch: branch,
        uuid,
        timestamp,
        ...record,
      }),
    );
    parentUuid = uuid;
  };
  for (const turn of turns) {
    if ("record" in turn) {
      add(turn.record);
      continue;
    }
    add({ type: "user", message: { role: "user", content: turn.user } });
    if (turn.says === undefined) continue;
    const content = [{ type: "text", text: turn.says }];
    const model = "claude-opus-5-5";
    const usage = { input_tokens: 10, output_tokens: 5 };
    const message = { id: `msg_${count}`, type: "message", role: "assistant", model, content };
    add({ type: "assistant", message: { ...message, stop_reason: "end_turn", usage } });
  }
  const file = join(folder, `${id}.jsonl`);
  writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
}

/** An event as `show --json` tells it. */
export interface ShownEvent {
  readonly number: string;
  readonly live: boolean;
  readonly sidechain?: string;
  readonly body: { readonly type: string; readonly content?: unknown; readonly summary?: string };
}

/** The events of a session, as the program shows them. */
export function shownEvents(here: Machine, ...args: readonly string[]): readonly ShownEvent[] {
  return here.json("show", ...args)["events"] as readonly ShownEvent[];
}

/** What was said in a session, in order. */
export function said(here: Machine, ...args: readonly string[]): readonly string[] {
  return shownEvents(here, ...args)
    .filter(
      ({ body, sidechain }) => /^(user|assistant)$/.test(body.type) && sidechain === undefined,
    )
    .map(textOf);
}

/** The text of an event. */
export function textOf({ body }: ShownEvent): string {
  if (typeof body.content === "string") return body.content;
  const blocks = (body.content ?? []) as readonly { readonly text?: string }[];
  return blocks.map(({ text = "" }) => text).join("");
}
