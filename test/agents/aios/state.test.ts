import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { aios } from "../../../src/agents/aios/index.ts";
import type { Written } from "../../../src/agents/contract.ts";
import type { Environment } from "../../../src/base/env.ts";
import { filesBelow } from "../kit/keeper-projects.ts";
import { optionsIn, outgoing, project } from "../kit/keeper-writes.ts";

describe("the one state of AIOS", () => {
  const writer = aios.notesWriter!();
  const state = '{"lastActivity":1,"sessionId":"theirs"}';

  function withState(): { readonly env: Environment; readonly path: string } {
    const env = project();
    const path = join(env.cwd, ".aiox", "session-state.json");
    mkdirSync(join(path, ".."));
    writeFileSync(path, state);
    return { env, path };
  }

  test("is left alone where it is there", async () => {
    const { env, path } = withState();
    const before = filesBelow(env.cwd);
    await expect((await writer).write(outgoing, optionsIn(env))).rejects.toMatchObject({
      code: "session_exists",
    });
    expect(filesBelow(env.cwd)).toEqual(before);
    expect(readFileSync(path, "utf8")).toBe(state);
  });

  test("is replaced by an explicit word after a backup, and comes back exactly", async () => {
    const { env, path } = withState();
    const before = filesBelow(env.cwd);
    const written = await (await writer).write(outgoing, optionsIn(env, { replace: true }));
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ lastCommands: ["handoff"] });
    expect(written.files.map((file) => readFileSync(file.path, "utf8"))).toContain(state);
    await (await writer).takeBack(JSON.parse(JSON.stringify(written)) as Written, env);
    expect(readFileSync(path, "utf8")).toBe(state);
    expect(filesBelow(env.cwd)).toEqual(before);
  });

  test("that the program wrote again is not put back over", async () => {
    const { env, path } = withState();
    const written = await (await writer).write(outgoing, optionsIn(env, { replace: true }));
    writeFileSync(path, '{"lastActivity":2}');
    await expect((await writer).takeBack(written, env)).rejects.toMatchObject({ code: "conflict" });
    expect(readFileSync(path, "utf8")).toBe('{"lastActivity":2}');
  });

  test("survives a process that died before it was replaced", async () => {
    const { env, path } = withState();
    const before = filesBelow(env.cwd);
    let intended: Written | undefined;
    const intend = (told: Written): void => {
      intended = told;
    };
    const written = await (await writer).write(outgoing, optionsIn(env, { replace: true, intend }));
    // As if only the backup and the page had got their names.
    writeFileSync(path, state);
    await (await writer).takeBack(intended!, env);
    expect(written.ref.path).toBe(path);
    expect(filesBelow(env.cwd)).toEqual(before);
  });
});
