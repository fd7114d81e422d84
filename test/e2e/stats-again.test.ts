import { appendFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { putFixture } from "./agents-home.ts";
import { type Machine, machine } from "./program.ts";

/** Everything but how much had to be read for it. */
function report(here: Machine, ...args: readonly string[]): unknown {
  const { notes, ...rest } = here.json("stats", ...args);
  const { readBytes: _read, ...others } = notes as { readonly readBytes: number };
  return { ...rest, notes: others };
}

/** A machine whose sessions were counted before. */
function counted(): Machine {
  const here = machine();
  putFixture(here, "claude-code/2.1.325/tools");
  putFixture(here, "codex/0.166.0/resumed");
  here.json("stats");
  return here;
}

function transcript({ home }: Machine): string {
  const files = readdirSync(join(home, ".claude", "projects"), {
    recursive: true,
    encoding: "utf8",
  });
  return join(home, ".claude", "projects", files.find((name) => name.endsWith(".jsonl"))!);
}

const message = (id: string): string =>
  `${JSON.stringify({
    type: "assistant",
    timestamp: "2026-10-01T23:30:00.000Z",
    requestId: id,
    message: {
      id,
      model: "claude-sonnet-4-5",
      role: "assistant",
      usage: { input_tokens: 7, output_tokens: 7 },
    },
  })}\n`;

const changes: Readonly<Record<string, (here: Machine) => void>> = {
  "a session grew": (here) => appendFileSync(transcript(here), message("msg_new")),
  "a session came": (here) =>
    writeFileSync(transcript(here).replace(/[^/]+$/, "0aa.jsonl"), message("msg_other")),
  "a session went": (here) => rmSync(transcript(here)),
  "there are other prices": ({ home }) =>
    writeFileSync(
      join(home, ".reprise", "prices.json"),
      JSON.stringify({ models: { "claude-opus-4-1": { input: 99, output: 99 } } }),
    ),
  "sessions lie elsewhere": ({ home, env }) => {
    mkdirSync(join(home, "elsewhere"));
    env["CODEX_HOME"] = join(home, "elsewhere");
  },
  "days begin at other times": ({ env }) => {
    env["TZ"] = "Pacific/Kiritimati";
  },
  "the rows are gone": ({ home }) => rmSync(join(home, ".reprise", "derived", "usage.bin")),
  "the rows are damaged": ({ home }) =>
    writeFileSync(join(home, ".reprise", "derived", "usage.bin"), '{"format":1,"paths":3}'),
};

test.each(Object.keys(changes))("a report is what counting anew tells when %s", (name) => {
  const here = counted();
  changes[name]!(here);
  for (const by of ["day", "model", "agent"]) {
    expect(report(here, "--by", by)).toEqual(report(here, "--by", by, "--rebuild"));
  }
});
