// Makes the picture and the console blocks of README.md from the real program, on its sample sessions.
//
//   node scripts/readme.mjs [--check]     after `npm run build`
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pictureOf } from "./terminal-picture.mjs";

const root = resolve(import.meta.dirname, "..");
const program = join(root, "dist", "bin", "reprise.js");
const isCheck = process.argv.includes("--check");
const home = mkdtempSync(join(tmpdir(), "reprise-readme-"));
const env = { PATH: process.env.PATH, HOME: home, TZ: "UTC", LANG: "C.UTF-8", COLUMNS: "100" };

/** What a command line of a block prints; `reprise` is the built program. */
function outputOf(line) {
  const words = line.match(/"[^"]*"|\S+/g).map((word) => word.replace(/^"|"$/g, ""));
  const { stdout, stderr } = spawnSync(process.execPath, [program, ...words.slice(1)], {
    cwd: home,
    env,
    encoding: "utf8",
  });
  return `${stdout}${stderr}`.trimEnd().split("\n");
}

/** A block anew: each `$ …` line with what it prints; one that ends with `…` keeps as many lines as it has. */
function filled(block) {
  const parts = block.split(/^(?=\$ )/m).filter((part) => part.trim() !== "");
  return parts.map(filledPart).join("");
}

function filledPart(part) {
  const [command, ...shown] = part.trimEnd().split("\n");
  const printed = outputOf(command.slice(2));
  const isCut = shown.at(-1) === "…";
  const lines = isCut ? [...printed.slice(0, shown.length - 1), "…"] : printed;
  return [command, ...lines, ""].join("\n");
}

/** Clocks differ between runs. */
const withoutClock = (text) => text.replace(/\b\d\d:\d\d\b/g, "00:00");

const readme = readFileSync(join(root, "README.md"), "utf8");
const pages = {
  "README.md": readme.replace(
    /(```console\n)(.*?)(```)/gs,
    (_all, open, block, close) => open + filled(block) + close,
  ),
  "docs/images/home.svg": await pictureOf({
    argv: [process.execPath, program, "--sample"],
    cwd: home,
    env: { ...env, TERM: "xterm-256color", COLORTERM: "" },
    columns: 104,
    rows: 21,
    until: "20 requests",
    title: "The home screen of Reprise: sessions of several agents, and a preview of one of them",
  }),
};
rmSync(home, { recursive: true, force: true });
const leaking = Object.entries(pages).find(([, text]) => text.includes(home));
if (leaking !== undefined) throw new Error(`${leaking[0]} names a folder of this machine.`);
for (const [name, text] of Object.entries(pages)) {
  const path = join(root, name);
  if (!isCheck) {
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, text);
  } else if (withoutClock(readFileSync(path, "utf8")) !== withoutClock(text)) {
    process.stderr.write(`${name} is not what the program prints: run \`npm run readme\`.\n`);
    process.exitCode = 1;
  }
}
