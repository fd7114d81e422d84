import { expect, test } from "vitest";
import { commandLine } from "../../../src/programs/cli/run/run.ts";

const terminal = { isScreen: true };
const pipe = { isScreen: false };

test("a bare call picks on a terminal and lists elsewhere", () => {
  expect(commandLine([], terminal)).toEqual({ word: "pick", rest: [], help: false });
  expect(commandLine([], pipe)).toEqual({ word: "list", rest: [], help: false });
  expect(commandLine(["--json"], terminal)).toMatchObject({ word: "list", rest: ["--json"] });
});

test("the habits of the field are understood", () => {
  expect(commandLine(["--continue"], pipe)).toMatchObject({ word: "continue", rest: [] });
  expect(commandLine(["--resume", "3f9a"], pipe)).toMatchObject({
    word: "resume",
    rest: ["3f9a"],
  });
  expect(commandLine(["--resume"], terminal)).toMatchObject({ word: "resume", rest: [] });
  expect(commandLine(["help", "show"], pipe)).toEqual({ word: "show", rest: [], help: true });
});

test("flags may stand before the command", () => {
  expect(commandLine(["--sample", "show", "@last"], pipe)).toMatchObject({
    word: "show",
    rest: ["@last", "--sample"],
  });
});

test("what stands behind --help is the command whose help is asked for", () => {
  expect(commandLine(["--help", "show"], pipe)).toEqual({ word: "show", rest: [], help: true });
  expect(commandLine(["-h", "no-command"], pipe)).toMatchObject({ word: "no-command" });
  expect(commandLine(["--help", "memory", "forget"], pipe)).toMatchObject({ rest: ["forget"] });
  expect(commandLine(["--help", "--here"], pipe)).toMatchObject({ word: "list" });
});

test("flags alone belong to the list", () => {
  expect(commandLine(["--here"], terminal)).toMatchObject({ word: "list", rest: ["--here"] });
});
