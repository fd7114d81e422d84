import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { SessionRef } from "../../../src/agents/contract.ts";
import type { Connection } from "../../../src/sqlite/connection.ts";
import { owned } from "../../sqlite/folder.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { refsOf } from "./fixtures.ts";
import { tables } from "./tables.mjs";

export const sessionId = "ses_made";

type Data = Readonly<Record<string, unknown>>;

/** A store made by hand in the shape of 1.18, for what no recorded session shows. */
export class MadeStore {
  readonly home = temporaryFolder();
  readonly root = join(this.home, ".local", "share", "opencode");
  readonly path = join(this.root, "opencode.db");
  #clock = 1_794_768_000_000;
  #ids = 0;
  readonly #database: Connection;

  constructor() {
    mkdirSync(this.root, { recursive: true });
    this.#database = owned(this.path);
    this.#database.exec(`pragma synchronous = off; pragma journal_mode = memory; ${tables}`);
    this.session(sessionId);
  }

  /** Runs SQL with values, without leaving a statement behind. */
  run(sql: string, ...values: readonly (string | number | null)[]): void {
    let next = 0;
    const literal = (value: string | number | null): string =>
      typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value);
    this.#database.exec(sql.replaceAll("?", () => literal(values[next++] ?? null)));
  }

  session(id: string, fields: { readonly parent?: string; readonly title?: string } = {}): void {
    const { parent = null, title = "A made session" } = fields;
    this.run(
      "insert into session values (?, 'p', ?, 's', '/home/dev/acme', ?, '1.18.33', null, null, ?, ?)",
      id,
      parent,
      title,
      this.#clock,
      this.#clock,
    );
  }

  /** Adds a message with its parts and returns its id. */
  message(data: Data, parts: readonly Data[] = [], session = sessionId): string {
    this.#clock += 1000;
    const id = this.#id("msg");
    const stored = JSON.stringify({ time: { created: this.#clock }, ...data });
    const time = this.#clock;
    this.run("insert into message values (?, ?, ?, ?, ?)", id, session, time, time, stored);
    for (const part of parts) this.part(id, part, session);
    return id;
  }

  part(message: string, data: Data, session = sessionId): string {
    const id = this.#id("prt");
    const time = this.#clock;
    const stored = JSON.stringify(data);
    this.run(
      "insert into part values (?, ?, ?, ?, ?, ?)",
      id,
      message,
      session,
      time,
      time,
      stored,
    );
    return id;
  }

  changePart(id: string, data: Data): void {
    this.#clock += 1;
    const stored = JSON.stringify(data);
    this.run("update part set data = ?, time_updated = ? where id = ?", stored, this.#clock, id);
  }

  user(text: string): string {
    return this.message({ role: "user" }, [{ type: "text", text }]);
  }

  assistant(text: string, data: Data = {}): string {
    const time = { created: this.#clock, completed: this.#clock + 10 };
    const info = { role: "assistant", modelID: "m", finish: "stop", time, ...data };
    return this.message(info, [{ type: "step-start" }, { type: "text", text }]);
  }

  ref(id = sessionId): SessionRef {
    const ref = refsOf(this.home).get(id);
    if (ref === undefined) throw new Error(`no session ${id}`);
    return ref;
  }

  #id(prefix: string): string {
    this.#ids += 1;
    return `${prefix}_${String(this.#ids).padStart(8, "0")}`;
  }
}
