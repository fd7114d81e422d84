// The longest sessions below a folder that is laid out like a home, as people see them: on a terminal, and as a page.
//
//   node test/real/shows.mjs --sessions <folder> [--sessions <folder>] [--count 10] [--keep]
//
// On a terminal no line may be wider than it, and no word broken that fits a line. A page in a browser may ask for nothing,
// run nothing and be no wider than the window. Nothing is written into the folder; with --keep the pages stay, each with
// its pictures. Exit 1 if anything is not as promised. The program must be built.
import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { kept, temporaryFolder } from "../temporary-folder.mjs";
import { pageProblems } from "./pages.mjs";
import { screenProblems } from "./screens.mjs";

const { values } = parseArgs({
  options: {
    sessions: { type: "string", multiple: true, default: [] },
    count: { type: "string", default: "10" },
    keep: { type: "boolean", default: false },
  },
});
const program = resolve(import.meta.dirname, "../../dist/bin/reprise.js");
const pages = temporaryFolder();
if (values.keep) console.log(`kept: ${kept(pages)}`);
let failed = values.sessions.length === 0;
for (const folder of values.sessions) {
  const home = join(temporaryFolder(), "home");
  cpSync(resolve(folder), home, { recursive: true });
  const env = { PATH: process.env.PATH, HOME: home, TZ: "UTC", LANG: "C.UTF-8" };
  const reprise = (...args) =>
    execFileSync(process.execPath, [program, ...args], {
      ...{ cwd: home, env, encoding: "utf8", maxBuffer: 1 << 30, stdio: "pipe" },
    });
  const { sessions } = JSON.parse(reprise("list", "--all", "--json"));
  const longest = sessions
    .toSorted((a, b) => b.sizeBytes - a.sizeBytes)
    .slice(0, Number(values.count));
  for (const { ref } of longest) {
    const seen = [];
    for (const how of [[], ["--tools", "full", "--thinking"]]) {
      const line = ["show", ref, ...how];
      const words = reprise(...line);
      for (const columns of [60, 120])
        seen.push(await screenProblems([program, ...line], { columns, words, cwd: home, env }));
    }
    const page = join(pages, `${ref.replace(/\W/g, "-")}.html`);
    reprise("export", ref, "--format", "html", "-o", page);
    seen.push(...(await pageProblems(page, { pictures: values.keep })));
    for (const { about, problems } of seen) {
      if (problems.length > 0) failed = true;
      console.log(`${problems.length === 0 ? "ok" : "FAILED"} ${ref} ${about}`);
      for (const problem of problems.slice(0, 10)) console.log(`  ${problem}`);
    }
  }
}
process.exit(failed ? 1 : 0);
