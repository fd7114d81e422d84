import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { putFixture } from "./agents-home.ts";
import { type Machine, machine } from "./program.ts";

const then = new Date("2026-11-15T00:00:00Z");

/** Makes everything look as if nobody had touched it for long: what changed just now is not trusted. */
function age({ home }: Machine): void {
  for (const name of ["", ...readdirSync(home, { recursive: true, encoding: "utf8" })]) {
    utimesSync(join(home, name), then, then);
  }
}

/** Everything but how much had to be read for it. */
function report(here: Machine, ...args: readonly string[]): unknown {
  const { notes, ...rest } = here.json("stats", ...args);
  const { readBytes: _read, ...others } = notes as { readonly readBytes: number };
  return { ...rest, notes: others };
}

/** A machine whose report is kept. */
function settled(): { readonly here: Machine; readonly kept: string } {
  const here = machine();
  putFixture(here, "claude-code/2.1.325/tools");
  putFixture(here, "codex/0.166.0/resumed");
  age(here);
  here.json("stats");
  age(here);
  here.json("stats");
  const kept = join(here.home, ".reprise", "derived", "reports.json");
  expect(existsSync(kept)).toBe(true);
  return { here, kept };
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
  "what was kept is damaged": ({ home }) =>
    writeFileSync(join(home, ".reprise", "derived", "reports.json"), '{"format":1,"paths":3}'),
};

describe("a report that was kept", () => {
  test("is what counting anew tells, in every form", () => {
    const { here } = settled();
    expect(report(here)).toEqual(report(here, "--rebuild"));
    for (const by of ["week", "model", "agent"]) {
      age(here);
      const made = report(here, "--by", by);
      expect(report(here, "--by", by)).toEqual(made);
    }
    age(here);
    const text = here.run("stats").stdout;
    expect(here.run("stats").stdout).toBe(text);
    expect(here.run("stats", "--csv").stdout).not.toBe(text);
  });

  test("is told without counting while everything is as it was", () => {
    const { here, kept } = settled();
    const text = readFileSync(kept, "utf8").replace(/"messages":\d+/g, '"messages":4711');
    writeFileSync(kept, text);
    expect(here.json("stats")["totals"]).toMatchObject({ messages: 4711 });
  });

  test.each(Object.keys(changes))("is not told when %s", (name) => {
    const { here } = settled();
    changes[name]!(here);
    expect(report(here)).toEqual(report(here, "--rebuild"));
    age(here);
    expect(report(here)).toEqual(report(here, "--rebuild"));
  });

  test("is not told at other prices than it was made at, whatever was made since", () => {
    const { here } = settled();
    const prices = join(here.home, "own.json");
    const put = (input: number): void =>
      writeFileSync(prices, JSON.stringify({ models: { "gpt-5.5": { input, output: 1 } } }));
    put(1);
    const own = ["--prices", prices];
    // Those that are made last look at no file of prices, or at another place for it.
    for (const args of [own, ["--by", "week"], [...own, "--by", "model"], ["--by", "month"]]) {
      age(here);
      report(here, ...args);
    }
    put(77);
    for (const args of [own, [...own, "--by", "model"], ["--by", "week"]]) {
      expect(report(here, ...args)).toEqual(report(here, ...args, "--rebuild"));
    }
  });

  test("does not answer for a span of time, a project, or a session", () => {
    const { here, kept } = settled();
    const before = readFileSync(kept, "utf8");
    for (const args of [["--since", "2026-11-01"], ["--here"], ["--by", "session"]]) {
      here.json("stats", ...args);
    }
    expect(readFileSync(kept, "utf8")).toBe(before);
  });
});
