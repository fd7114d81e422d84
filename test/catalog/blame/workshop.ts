import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Agent } from "../../../src/agents/contract.ts";
import { loadAgents } from "../../../src/agents/registry.ts";
import type { Environment } from "../../../src/base/env.ts";
import { type Blame, blame } from "../../../src/catalog/blame/blame.ts";
import { targetAt } from "../../../src/catalog/blame/places.ts";
import type { Candidate } from "../../../src/catalog/blame/touching.ts";
import type { OutgoingMessage } from "../../../src/model/outgoing.ts";
import { agentNamed, newUser } from "../../convert/stores.ts";

const agents = await loadAgents();

/** A tool call in an agent's own words. */
export interface Call {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** One agent at work: what it was asked and did becomes a session in its own store. */
export interface Worker {
  readonly agent: string;
  readonly messages: OutgoingMessage[];
}

const began = Date.parse("2026-11-10T08:00:00.000Z");

/** A project that agents work on at the same time, and the clock they share. */
export class Workshop {
  readonly env: Environment;
  readonly #workers: Worker[] = [];
  #second = 0;
  #calls = 0;

  constructor(env: Environment = newUser()) {
    this.env = env;
  }

  /** Now, a little later at each look. */
  tick(): string {
    this.#second += 1;
    return new Date(began + this.#second * 1000).toISOString();
  }

  get nowMs(): number {
    return began + this.#second * 1000;
  }

  path(name: string): string {
    return join(this.env.cwd, name);
  }

  read(name: string): string {
    return readFileSync(this.path(name), "utf8");
  }

  /** Puts a file there by hand. */
  put(name: string, text: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), text);
  }

  remove(name: string): void {
    rmSync(this.path(name));
  }

  /** Makes the folder a repository if it is none, and commits everything at the workshop's time. */
  commit(message: string): void {
    const time = this.tick();
    const run = (...args: readonly string[]): void => {
      execFileSync("git", args, {
        cwd: this.env.cwd,
        stdio: "ignore",
        env: {
          PATH: process.env["PATH"],
          HOME: this.env.home,
          GIT_CONFIG_NOSYSTEM: "1",
          GIT_AUTHOR_DATE: time,
          GIT_COMMITTER_DATE: time,
          GIT_AUTHOR_NAME: "Ann",
          GIT_AUTHOR_EMAIL: "ann@example.com",
          GIT_COMMITTER_NAME: "Ann",
          GIT_COMMITTER_EMAIL: "ann@example.com",
        },
      });
    };
    if (!existsSync(this.path(".git"))) run("init", "-q", "-b", "main");
    run("add", "-A");
    run("commit", "-q", "--allow-empty", "-m", message);
  }

  /** A new session of an agent. */
  begin(agent: string, prompt: string): Worker {
    const worker: Worker = { agent, messages: [] };
    this.#workers.push(worker);
    this.ask(worker, prompt);
    return worker;
  }

  ask(worker: Worker, prompt: string): void {
    const content = [{ type: "text", text: prompt }] as const;
    worker.messages.push({ role: "user", content, at: this.tick() });
  }

  /** Records a call and its answer; the id of the call names it afterwards. */
  record(
    worker: Worker,
    call: Call,
    answer: { readonly failed?: boolean; readonly text?: string } = {},
  ): string {
    this.#calls += 1;
    const id = `call_${this.#calls}`;
    const { failed = false } = answer;
    const text = answer.text ?? answerOf(worker.agent, failed);
    worker.messages.push(
      { role: "assistant", content: [{ type: "tool_use", call: id, ...call }], at: this.tick() },
      {
        role: "results",
        results: [
          { call: id, name: call.name, content: [{ type: "text", text }], isError: failed },
        ],
        at: this.tick(),
      },
    );
    return id;
  }

  /** Writes every session into its agent's store, and finds them there. */
  async sessions(): Promise<readonly Candidate[]> {
    const found: Candidate[] = [];
    for (const { agent: name, messages } of this.#workers.splice(0)) {
      const agent = agentNamed(name);
      const { ref } = await (await agent.writer!()).write(eachOf(messages), {
        env: this.env,
        about: {
          cwd: this.env.cwd,
          title: `Work of ${name}`,
          createdAt: messages[0]!.at,
          updatedAt: messages.at(-1)!.at,
          from: { agent: "test", session: "s" },
        },
      });
      const head = agent.head(ref, this.env);
      if (head === undefined) throw new Error(`${ref.path} has no head`);
      found.push({ agent, ref, head });
    }
    return found;
  }

  /** Who wrote a file, by these sessions. */
  blame(name: string, sessions: readonly Candidate[]): Promise<Blame> {
    return blame(targetAt(this.path(name)), { sessions, agents });
  }
}

function answerOf(agent: string, failed: boolean): string {
  if (agent !== "codex") return failed ? "String to replace not found in file." : "Done.";
  const output = failed ? "Failed to find expected lines" : "Success. Updated the following files:";
  return `Exit code: ${failed ? 1 : 0}\nWall time: 0 seconds\nOutput:\n${output}`;
}

async function* eachOf(messages: readonly OutgoingMessage[]): AsyncGenerator<OutgoingMessage> {
  yield* messages;
}

/** The call behind an event of a session, read anew from the agent's store. */
export async function callAt(
  { agent, ref }: { readonly agent: Agent; readonly ref: Candidate["ref"] },
  event: string,
): Promise<string | undefined> {
  for await (const { events } of agent.read(ref, { allBranches: true })) {
    for (const { number, body } of events) {
      if (number === event && body.type === "tool_use") return body.call;
    }
  }
  return undefined;
}
