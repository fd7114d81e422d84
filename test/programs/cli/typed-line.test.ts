import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { typedLine, withYes } from "../../../src/programs/cli/run/typed-line.ts";

/* A command that is printed can be typed back. */

test("a shell gives the words of a printed command back as they were", () => {
  const words = [
    ["delete", "3f9a@57"],
    ["delete", "--project", "my old app"],
    ["memory", "forget", 'it\'s "the" $PORT `now`'],
    ["rewind", "a\\b", "", "*.ts", "~/x", "Größe"],
  ];
  for (const argv of words) {
    const script = `reprise() { printf '%s\\0' "$@"; }\n${typedLine(argv)}`;
    const { stdout } = spawnSync("sh", ["-c", script], { encoding: "utf8" });
    expect(stdout.split("\0").slice(0, -1)).toEqual(argv);
  }
});

test("--yes stands before what stands behind two dashes", () => {
  expect(withYes(["delete", "3f9a"])).toEqual(["delete", "3f9a", "--yes"]);
  expect(withYes(["rewind", "12", "--", "a.ts"])).toEqual(["rewind", "12", "--yes", "--", "a.ts"]);
});
