import { resolve } from "node:path";
import { SessionManager } from "../../../store/session-manager.ts";
import type { Command } from "../run/command.ts";
import { givenEvent } from "../sessions/given-event.ts";
import { managerOptions } from "../sessions/native.ts";
import { inputLines, objectOf } from "../terminal/stdin.ts";

/** `reprise new`: begins a session in our own store. */
export const newCommand: Command = {
  name: "new",
  summary: "begin a session in Reprise's own store",
  args: [],
  flags: [
    { flags: "--title <title>", says: "its title", kind: "text" },
    { flags: "--tag <tag>", says: "add a tag; repeat for several", kind: "texts" },
    { flags: "--model <model>", says: "the model it is for", kind: "text" },
    { flags: "--id <id>", says: "your own id instead of a new one", kind: "text" },
    {
      flags: "--cwd <folder>",
      says: "the project folder (default: the current one)",
      kind: "text",
    },
    { flags: "--created-by <name>", says: "who creates it", kind: "text" },
    { flags: "--seal", says: "encrypt it with REPRISE_KEY", kind: "switch" },
    { flags: "--stdin", says: "append the events on standard input", kind: "switch" },
  ],
  examples: [
    { line: 'reprise new --title "Rate limit"', says: "prints the new session's id" },
    { line: "reprise new --stdin < events.jsonl", says: "with its first events" },
  ],
  json: "{ session: string, file: string, lastId: number }",
  changes: () => true,
  run: async ({ flags }, context) => {
    // The input is read and checked before anything is made: a bad line leaves nothing behind.
    const bodies = [];
    if (flags.isSet("stdin")) {
      for await (const line of inputLines(process.stdin)) {
        bodies.push(givenEvent(objectOf(line), line.number));
      }
    }
    const cwd = resolve(context.folder, flags.text("cwd") ?? ".");
    const session = SessionManager.create(cwd, undefined, {
      ...managerOptions(context),
      title: flags.text("title"),
      tags: flags.texts("tag").length === 0 ? undefined : flags.texts("tag"),
      model: flags.text("model"),
      id: flags.text("id"),
      createdBy: flags.text("createdBy"),
      seal: flags.isSet("seal"),
    });
    if (bodies.length > 0) await session.appendAll(bodies);
    const made = {
      session: session.getSessionId(),
      file: session.getSessionFile(),
      lastId: session.getLeafId(),
    };
    await session.close();
    if (context.json) await context.out.writeJson(made);
    else await context.out.write(`${made.session}\n`);
  },
};
