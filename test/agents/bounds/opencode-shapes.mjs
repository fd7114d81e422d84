// Sessions of OpenCode in shapes that make careless readers slow, as the rows of its database.
import { Connection } from "../../../dist/rooms/sqlite/connection.js";
import { tables } from "../opencode/tables.mjs";

const startMs = 1_794_768_000_000;
const number = (index) => String(index).padStart(8, "0");
const message = (index) => `msg_${number(index)}`;
const text = (said) => ({ type: "text", text: said });
const user = { role: "user" };
const summary = { role: "assistant", summary: true, finish: "stop", modelID: "m" };
const all = (n, make) => Array.from({ length: n }, (_, index) => make(index));

/** The messages of one session, each with its parts; the place decides the id. */
const messages = (n, make) => ({ messages: all(n, make) });
const answered = (n, parentOf) =>
  messages(n, (index) => ({
    info: index === 0 ? user : { ...summary, summary: false, parentID: parentOf(index) },
    parts: [text(`said ${index}`)],
  }));
const summaries = (n, parentOf) =>
  messages(n, (index) => ({
    info: index === 0 ? user : { ...summary, parentID: parentOf(index) },
    parts: [text(`said ${index}`)],
  }));
const sessions = (n, parentOf) => ({
  messages: [{ info: user, parts: [text("said")] }],
  parents: all(n, parentOf),
});
const call = (index) => ({
  type: "tool",
  callID: `c${index}`,
  tool: "bash",
  state: { status: "running", input: { command: "ls" }, time: { start: startMs } },
});

/** Every shape: the messages of a session, and the parents of those beside it. */
export const opencodeShapes = {
  "many messages": (n) => answered(n, (index) => message(index - 1)),
  "prompts alone": (n) => messages(n, (index) => ({ info: user, parts: [text(`said ${index}`)] })),
  "messages without parts": (n) => messages(n, () => ({ info: user, parts: [] })),
  "their own parents": (n) => answered(n, message),
  "cycles of two": (n) => answered(n, (index) => message(index ^ 1)),
  "parents nobody has": (n) => answered(n, () => "nobody"),
  "many parts in a message": (n) =>
    messages(1, () => ({ info: user, parts: all(n, (index) => text(`said ${index}`)) })),
  "many calls in a message": (n) =>
    messages(2, (index) => ({
      info: index === 0 ? user : { ...summary, summary: false },
      parts: index === 0 ? [text("said")] : all(n, call),
    })),
  "broken messages": (n) => messages(n, () => ({ info: '{"role":"us', parts: ['{"type":"te'] })),
  "empty objects": (n) => messages(n, () => ({ info: {}, parts: [{}] })),
  "summaries of themselves": (n) => summaries(n, message),
  "summaries of one message": (n) => summaries(n, () => message(0)),
  "summaries of one message of many parts": (n) => ({
    messages: summaries(n, () => message(0)).messages.map(({ info, parts }, index) => ({
      info,
      parts: index === 0 ? all(n, (part) => text(`said ${part}`)) : parts,
    })),
  }),
  "compactions all along": (n) =>
    messages(n, (index) =>
      index % 2 === 0
        ? { info: user, parts: [{ type: "compaction", tail_start_id: message(0) }] }
        : { info: { ...summary, parentID: message(index - 1) }, parts: [text("s")] },
    ),
  "sessions that are their own parents": (n) => sessions(n, (index) => index),
  "sessions in cycles": (n) => sessions(n, (index) => index ^ 1),
  "sessions in a chain": (n) => sessions(n, (index) => index - 1),
};

/** Writes a database with a session in a shape; the first one has the messages. */
export function writeOpencode(path, { messages: written, parents = [-1] }) {
  const database = new Connection(path);
  const lines = ["pragma synchronous = off; pragma journal_mode = memory;", tables, "begin;"];
  for (const [index, parent] of parents.entries()) {
    const of = parent < 0 ? "null" : `'ses_${number(parent)}'`;
    lines.push(
      `insert into session values ('ses_${number(index)}', 'p', ${of}, 's', '/home/dev/acme', 'Made',
        '1.18.33', null, null, ${startMs - index}, ${startMs - index});`,
    );
  }
  let parts = 0;
  for (const [index, { info, parts: of }] of written.entries()) {
    const at = startMs + index;
    const row = `'ses_${number(0)}', ${at}, ${at}`;
    lines.push(`insert into message values ('${message(index)}', ${row}, '${dataOf(info)}');`);
    for (const part of of) {
      const id = `prt_${number(parts++)}`;
      lines.push(
        `insert into part values ('${id}', '${message(index)}', ${row}, '${dataOf(part)}');`,
      );
    }
  }
  database.exec([...lines, "commit;"].join("\n"));
  database.close();
}

/** None of these has a quote of SQL's in it. */
function dataOf(value) {
  return typeof value === "string" ? value : JSON.stringify(value);
}
