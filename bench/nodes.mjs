// The Nodes that whole processes are measured on: this one where its version is asked for, else one from npm.
import { chmodSync } from "node:fs";
import { installed } from "./installed.mjs";
import { missingRow } from "./measure.mjs";

/** Versions that bars are given for. */
const majors = [20, 24];

/** The program of a version of Node; undefined where it cannot be had. */
function nodeProgram(major) {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const system = process.platform === "win32" ? "win" : process.platform;
  const name = `node-${system}-${process.arch}`;
  const file = process.platform === "win32" ? "node.exe" : "node";
  const program = installed(`${name}@${major}`, name, "bin", file);
  if (program !== undefined) chmodSync(program, 0o755);
  return program;
}

/** The rows of each Node, told apart by their names; `measure` is given the program and picks the bar of its version. */
export async function onEachNode(measure) {
  const found = [];
  for (const major of majors) {
    const program = nodeProgram(major);
    const rows =
      program === undefined
        ? [missingRow("whole processes", "this Node could not be installed")]
        : await measure({ program, barOf: (bars) => bars[major] });
    found.push(...rows.map((row) => ({ ...row, what: `Node ${major}: ${row.what}` })));
  }
  return found;
}
