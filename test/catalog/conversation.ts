import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Environment } from "../../src/base/env.ts";

/** A record of Claude Code's, before it knows its session. */
type Draft = Readonly<Record<string, unknown>>;

const began = Date.parse("2026-11-15T10:00:00Z");

/** A session with tool calls as Claude Code writes it; a fork begins with copies of all it has. */
export class Conversation {
  readonly id: string;
  readonly path: string;
  readonly #env: Environment;
  readonly #number: number;
  readonly #drafts: Draft[] = [];
  #written = 0;
  #at: number;

  constructor(env: Environment, number: number, base?: Conversation) {
    this.#env = env;
    this.#number = number;
    this.id = `7c1e1c0f-7b64-4d0e-9c55-${String(number).padStart(12, "0")}`;
    this.path = join(env.home, ".claude", "projects", "-work", `${this.id}.jsonl`);
    this.#drafts.push(...(base?.drafts ?? []));
    this.#at = Math.max(base?.lastAt ?? 0, began + number * 60_000);
  }

  get drafts(): readonly Draft[] {
    return this.#drafts;
  }

  get lastAt(): number {
    return this.#at;
  }

  /** What a person says. */
  user(text: string): this {
    return this.#add("user", { role: "user", content: text });
  }

  /** A model calls a tool. */
  call(id: string, name: string, input: unknown): this {
    const content = [{ type: "tool_use", id, name, input }];
    const message = { id: `msg_${id}`, type: "message", role: "assistant", model: "m", content };
    return this.#add("assistant", message);
  }

  /** A tool answers. */
  result(call: string, text: string, isError = false): this {
    const block = { type: "tool_result", tool_use_id: call, content: text, is_error: isError };
    return this.#add("user", { role: "user", content: [block] });
  }

  /** The agent gives it a title. */
  title(text: string): this {
    this.#drafts.push({ type: "ai-title", aiTitle: text });
    return this;
  }

  /** Writes the file anew. */
  save(): this {
    mkdirSync(dirname(this.path), { recursive: true });
    writeFileSync(this.path, "");
    this.#written = 0;
    return this.append();
  }

  /** Adds what is new to the file. */
  append(): this {
    for (const draft of this.#drafts.slice(this.#written)) {
      appendFileSync(this.path, `${JSON.stringify({ ...draft, sessionId: this.id })}\n`);
    }
    this.#written = this.#drafts.length;
    return this;
  }

  #add(type: string, message: unknown): this {
    this.#at += 1000;
    const parentUuid = this.#drafts.findLast((draft) => draft["uuid"] !== undefined)?.["uuid"];
    this.#drafts.push({
      parentUuid: parentUuid ?? null,
      isSidechain: false,
      userType: "external",
      cwd: this.#env.cwd,
      version: "2.1.325",
      gitBranch: "main",
      type,
      message,
      uuid: `${this.id.slice(0, 24)}${String(this.#number * 1000 + this.#drafts.length).padStart(12, "b")}`,
      timestamp: new Date(this.#at).toISOString(),
    });
    return this;
  }
}
