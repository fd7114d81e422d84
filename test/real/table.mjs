// The results as tables: on the screen, and as the page docs/conformance.md.
import { writeFileSync } from "node:fs";
import { loadAgents } from "../../dist/rooms/agents/registry.js";

const agents = await loadAgents();

/** Programs that are not on npm and were run by hand, with what they were seen to do. */
const byHand = {
  "continuous-claude": [
    "hooks of d07ff4b, by hand",
    "yes",
    "hand-over",
    "given to the model by its SessionStart hook",
  ],
};

const page = new URL("../../docs/conformance.md", import.meta.url);

/** What a person at a terminal wants to see. */
export function printed(results) {
  const lines = [];
  for (const kind of ["pair", "round trip"]) {
    lines.push(
      "",
      kind === "pair" ? "Pairs (row: source, column: target)" : "Round trips (column: through)",
    );
    for (const cells of matrix(results, kind))
      lines.push(cells.map((cell) => cell.padEnd(12)).join(" "));
  }
  lines.push("");
  for (const { kind, source, target, version, problems } of results) {
    for (const problem of problems) {
      lines.push(`FAILED ${kind} ${source} -> ${target} ${version ?? ""}: ${problem}`);
    }
  }
  const failed = results.filter(({ problems }) => problems.length > 0).length;
  lines.push(`${results.length - failed} of ${results.length} hold`, "");
  return lines.join("\n");
}

/** Writes the page. */
export function writeDocs(results) {
  writeFileSync(page, markdown(results, new Date().toISOString().slice(0, 10)));
}

function markdown(results, date) {
  return [
    "# Conformance",
    "",
    `Written by \`npm run test:real -- --write-docs\` on ${date}. Every row with a version was run: the real`,
    "program from npm, in a home of its own, talking to a stub model on the loopback that keeps what it is",
    "sent.",
    "",
    "- **read**: our reader reads what the program wrote, and what stood there before is unchanged.",
    "- **write**: a session is converted into the program's own store, read back and compared.",
    "- **resumed**: the program lists it, continues it twice (by id, then as its newest session), and sends the",
    "  model every text, call and result in order; only the allowed losses of that target are missing.",
    "",
    ...markdownTable([
      ["agent", "version", "read", "write", "resumed by the real program"],
      ...versions(results),
    ]),
    "",
    "## Pairs",
    "",
    "From row to column, each accepted by the real program of the column (Reprise: by `buildSessionContext`).",
    "",
    ...markdownTable(matrix(results, "pair")),
    "",
    "## Round trips",
    "",
    "From row through column and back: the same texts, calls and results.",
    "",
    ...markdownTable(matrix(results, "round trip")),
    "",
  ].join("\n");
}

/** A row for each version that ran, and for each agent that did not. */
function versions(results) {
  const ran = new Map();
  for (const result of results.filter(({ kind }) => kind === "pair" || kind === "older")) {
    const key = `${result.target} ${result.version ?? ""}`;
    ran.set(key, [...(ran.get(key) ?? []), result]);
  }
  return agents.flatMap(({ name, title, writer, notesWriter, capabilities }) => {
    const rows = [...ran.values()].filter(([{ target }]) => target === name);
    const states = results.filter(({ kind, target }) => kind === "state" && target === name);
    if (name === "synapse" && states.length === 0) {
      // Its sessions are loaded by the code of the AIOS it comes with.
      const loaded = results.filter(({ kind, target }) => kind === "state" && target === "aios");
      if (loaded.length > 0) {
        const isGood = loaded.every(({ problems }) => problems.length === 0);
        const among = `with AIOS ${loaded.map(({ version }) => version).join(", ")}`;
        const verdict = isGood ? "loaded by the program's own code" : "FAILED";
        return [[title, among, "yes", "hand-over", verdict]];
      }
    }
    if (states.length > 0)
      return states.map(({ version, problems }) => {
        const verdict = problems.length === 0 ? "loaded by the program's own code" : "FAILED";
        return [title, version, "yes", writer ? "yes" : "hand-over", verdict];
      });
    if (rows.length === 0 && byHand[name] !== undefined) return [[title, ...byHand[name]]];
    if (rows.length === 0) {
      const { versionsProven } = capabilities;
      const read =
        versionsProven.length === 0
          ? "from documentation only"
          : `sessions of ${versionsProven.join(", ")} in the tests`;
      return [
        [
          title,
          "not run here",
          read,
          writer || notesWriter ? "from documentation only" : "no",
          "not proven",
        ],
      ];
    }
    return rows.map((runs) => {
      const good = runs.filter(({ problems }) => problems.length === 0).length;
      const all = good === runs.length ? "yes" : "no";
      const version = runs[0].version ?? "this one";
      return [title, version, all, all, `${good} of ${runs.length} sources`];
    });
  });
}

function matrix(results, kind) {
  const of = results.filter((result) => result.kind === kind);
  const names = agents
    .map(({ name }) => name)
    .filter((name) => of.some(({ source, target }) => source === name || target === name));
  const cell = (source, target) => {
    if (source === target) return "";
    const found = of.find((result) => result.source === source && result.target === target);
    if (found === undefined) return "not run";
    return found.problems.length === 0 ? "ok" : "FAILED";
  };
  return [
    ["", ...names],
    ...names.map((source) => [source, ...names.map((target) => cell(source, target))]),
  ];
}

function markdownTable([heading, ...rows]) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [line(heading), line(heading.map(() => "---")), ...rows.map(line)];
}
