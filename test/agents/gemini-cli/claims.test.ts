import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { geminiCli } from "../../../src/agents/gemini-cli/index.ts";
import { newUser } from "../../convert/stores.ts";
import { aboutFor, given } from "../kit/writes.ts";

test("a folder the program's own list gives to another project is left to that one", async () => {
  const env = newUser();
  const name = basename(env.cwd).toLowerCase();
  const root = join(env.home, ".gemini");
  mkdirSync(join(root, "tmp", name, "chats"), { recursive: true });
  const projects = { [`/elsewhere/${name}`]: name };
  writeFileSync(join(root, "projects.json"), JSON.stringify({ projects }));
  await (await geminiCli.writer!()).write(given(), { env, about: aboutFor(env) });
  expect(existsSync(join(root, "tmp", name, ".project_root"))).toBe(false);
  expect(readdirSync(join(root, "tmp")).toSorted()).toEqual([name, `${name}-1`]);
});
