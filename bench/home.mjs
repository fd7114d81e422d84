// The home screen: how long a typed letter takes until it is on the screen, with 5,000 sessions and with one. The screens are
// opened in turn, each without an index, and typed into while it is built: at the pace of a quick typist, so that content is
// searched and previews arrive between letters, then as fast as letters appear.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { atMost, beside, figureRow } from "./measure.mjs";

const program = fileURLToPath(new URL("../dist/bin/reprise.js", import.meta.url));
const typed = [
  "speed up the lexer",
  "colours of page",
  "rate limit",
  "prjct 17 tests",
  "memory leak in worker 42",
];
const subjects = [
  "Mend the parser",
  "Speed up the lexer",
  "Colours of the page",
  "Add a rate limit",
];
const parts = [
  "of the worker",
  "in the tests",
  "for project",
  "without a memory leak",
  "of the API",
];

/** The longest a letter may take. */
const pauseMs = 50;

export async function rows({ folder, quick }) {
  const count = quick ? 1000 : 5000;
  const homes = {
    many: machine(join(folder, "many"), count),
    one: machine(join(folder, "one"), 1),
  };
  const runs = [];
  while (runs.length < (quick ? 2 : 4)) runs.push(await typedThrough(homes));
  const all = (name, what) => runs.flatMap((run) => run[name].map((letter) => letter[what]));
  const longest = (name, what) =>
    runs.map((run) => Math.max(...run[name].map((letter) => letter[what]), 0.001));
  const letters = all("many", "ms").length;
  const undisturbed = runs.flatMap(({ many }) => many.filter(({ isStolen }) => !isStolen));
  const longestOf = (what) => [Math.max(...undisturbed.map((letter) => letter[what]), 0.001)];
  return [
    atMost(
      `a letter, ${count} sessions / one`,
      { ours: all("many", "ms"), floor: all("one", "ms") },
      3,
    ),
    beside("  the longest letter of each run", {
      ours: longest("many", "ms"),
      floor: longest("one", "ms"),
    }),
    figureRow(
      `longest pause in ${undisturbed.length} of ${letters} letters, the index being built`,
      longestOf("ms"),
      {
        unit: "ms",
        most: pauseMs,
      },
    ),
    ...(existsSync("/proc/self/schedstat")
      ? [
          figureRow("  longest the program worked for one", longestOf("workMs"), {
            unit: "ms",
            most: pauseMs,
          }),
        ]
      : []),
  ];
}

/** Each screen opened anew, without an index, and everything typed into it twice. */
async function typedThrough(homes) {
  const letters = { many: [], one: [] };
  for (const [name, home] of Object.entries(homes)) {
    rmSync(join(home, "reprise"), { recursive: true, force: true });
    const screen = await opened(home);
    for (const pause of [between, () => Promise.resolve()])
      for (const text of typed) {
        for (const end of Array.from(text, (_, at) => at + 1)) {
          letters[name].push(await screen.types(text.slice(0, end)));
          await pause(end);
        }
        await screen.clears();
      }
    screen.close();
  }
  return letters;
}

/** The time between two letters: 20 to 219 ms. Some are long enough for the content to be searched, most are not. */
const between = (letter) => new Promise((then) => setTimeout(then, 20 + ((letter * 37) % 200)));

/** A home with so many sessions, as Claude Code writes them. */
function machine(home, count) {
  for (let number = 0; number < count; number += 1) {
    const cwd = `/srv/project-${number % 60}`;
    const folder = join(home, ".claude", "projects", cwd.replaceAll("/", "-"));
    mkdirSync(folder, { recursive: true });
    const id = `5a3e1c0f-7b64-4d0e-9c55-${String(number).padStart(12, "0")}`;
    const said = `${subjects[number % 4]} ${parts[number % 5]} ${number}`;
    const base = { isSidechain: false, cwd, sessionId: id, version: "2.1.325", gitBranch: "main" };
    const timestamp = new Date(Date.now() - number * 60_000).toISOString();
    const lines = [
      {
        type: "user",
        uuid: `${number}a`,
        parentUuid: null,
        message: { role: "user", content: said },
      },
      {
        type: "assistant",
        uuid: `${number}b`,
        parentUuid: `${number}a`,
        message: {
          id: "m",
          role: "assistant",
          model: "m",
          content: [{ type: "text", text: "Done." }],
        },
      },
    ].map((record) => JSON.stringify({ ...base, timestamp, ...record }));
    writeFileSync(join(folder, `${id}.jsonl`), `${lines.join("\n")}\n`);
  }
  mkdirSync(join(home, "work"), { recursive: true });
  return home;
}

/** The home screen on a terminal of its own, once its list is there. */
async function opened(home) {
  const size = { cols: 120, rows: 40 };
  const terminal = new xterm.Terminal({ ...size, allowProposedApi: true });
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    REPRISE_HOME: join(home, "reprise"),
    TERM: "xterm-256color",
    PAGER: "cat",
  };
  const child = spawn(process.execPath, [program], { ...size, cwd: join(home, "work"), env });
  let wake = () => {};
  child.onData((data) => terminal.write(data, () => wake()));
  const first = () => terminal.buffer.active.getLine(0)?.translateToString(true) ?? "";
  const until = async (holds) => {
    while (!holds())
      await new Promise((resolve) => {
        wake = resolve;
      });
  };
  await until(() => /\d+\/\d+/.test(first()));
  return {
    types: async (text) => {
      const [workedMs, stolen] = [workMs(child.pid), stolenTicks()];
      const began = performance.now();
      child.write(text.at(-1));
      await until(() => first().startsWith(`❯ ${text}▏`));
      const ms = performance.now() - began;
      const isStolen = stolenTicks() > stolen;
      return { ms, workMs: workMs(child.pid) - workedMs, isStolen };
    },
    clears: async () => {
      child.write("\u0015");
      await until(() => first().startsWith("❯ ▏"));
    },
    close: () => child.kill("SIGKILL"),
  };
}

/** How long the thread that answers keys had a processor so far: what it waits for one is the machine's. */
function workMs(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ", 1)[0]) / 1e6;
  } catch {
    return 0;
  }
}

/** How long a virtual machine was kept from its processors so far, in ticks; 0 on any other. */
function stolenTicks() {
  try {
    return Number(readFileSync("/proc/stat", "utf8").split(/\s+/, 9)[8]);
  } catch {
    return 0;
  }
}
