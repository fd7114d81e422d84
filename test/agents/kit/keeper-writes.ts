import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Agent, NotesOptions, Written } from "../../../src/agents/contract.ts";
import type { Environment } from "../../../src/base/env.ts";
import type { OutgoingNotes } from "../../../src/model/outgoing.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { environmentIn, filesBelow } from "./keeper-projects.ts";

/** A hand-over as writers are given one. */
export const outgoing: OutgoingNotes = {
  sections: {
    goal: ['Move the API to port "9090"'],
    done: ["Change the constant"],
    now: ["Update the README"],
    next: ["Tell the others"],
    decisions: ["One constant: one place to change"],
    files: ["src/config.ts"],
  },
  page: "# Hand-over\n\n## Goal\n\n> Move the API\n",
};

/** How it is written in an environment. */
export function optionsIn(env: Environment, over: Partial<NotesOptions> = {}): NotesOptions {
  const at = "2026-11-14T09:00:00.000Z";
  const from = { agent: "claude-code", session: "7c9e6679-7425-40de-944b-e07fc1f90ae7" };
  const about = { cwd: env.cwd, title: "Port change", createdAt: at, updatedAt: at, from };
  return { env, about, ...over };
}

/** An empty project. */
export function project(): Environment {
  const cwd = join(temporaryFolder(), "acme-api");
  mkdirSync(cwd);
  return environmentIn(cwd);
}

/** What every writer of notes promises: found, all or nothing, taken back exactly. */
export function describeNotesWriter(agent: Agent): void {
  describe(`notes written for ${agent.name}`, () => {
    const writer = agent.notesWriter!();

    test("are found, say what was handed over, and are taken back without a trace", async () => {
      const env = project();
      let intended: Written | undefined;
      const intend = (written: Written): void => {
        intended = written;
        // Nothing can be seen before it is written down.
        expect(filesBelow(env.cwd).filter((name) => !name.includes("/."))).toEqual([]);
      };
      const written = await (await writer).write(outgoing, optionsIn(env, { intend }));
      expect(intended).toEqual(written);
      const [ref] = [...agent.locate(env)];
      expect(ref).toMatchObject({ path: written.ref.path, session: written.ref.session });
      expect(agent.head(ref!, env)?.kind).toBeDefined();
      const said: string[] = [];
      for await (const batch of agent.read(ref!)) {
        said.push(...batch.events.map(({ body }) => JSON.stringify(body)));
        expect(batch.damage).toEqual([]);
      }
      expect(said.join("\n")).toMatch(/Move the API|Change the constant/);
      await (await writer).takeBack(JSON.parse(JSON.stringify(written)) as Written, env);
      expect(filesBelow(env.cwd)).toEqual([]);
      expect([...agent.locate(env)]).toEqual([]);
    });

    test("stay where the program changed them since", async () => {
      const env = project();
      const written = await (await writer).write(outgoing, optionsIn(env));
      writeFileSync(written.ref.path, "changed");
      await expect((await writer).takeBack(written, env)).rejects.toMatchObject({
        code: "conflict",
      });
      expect(readFileSync(written.ref.path, "utf8")).toBe("changed");
    });
  });
}
