import { join } from "node:path";
import type { Environment } from "../../base/env.ts";
import { fileStat } from "../../base/folders.ts";
import { asArray, asString, isObject } from "../../base/json.ts";
import { markdownNotes } from "../../model/markdown-notes.ts";
import type { AgentMemories, StoredNote } from "../memories-contract.ts";
import { foldersHere } from "../project-folders.ts";
import { items, KeyValues } from "./key-values.ts";
import { globalDatabase, memoryKeys, rulesKey } from "./locate/composers.ts";
import { rulePages } from "./locate/pages.ts";
import { userFolder } from "./roots.ts";
import { jsonOf, textOf } from "./stored-json.ts";

/** Where Cursor's own memories lie: rules of the project, and in its database those of the user and what it remembers. */
export const memories: AgentMemories = {
  pages: (scope, env) =>
    scope === "user"
      ? []
      : foldersHere(env).flatMap((folder) => [
          ...rulePages(folder).filter((path) => !handedOver.test(path)),
          join(folder, "AGENTS.md"),
        ]),
  notes: (scope, env) => (scope === "user" ? userNotes(env) : []),
  publish: {
    page: (scope, env) =>
      scope === "user"
        ? undefined
        : join(foldersHere(env).at(-1) ?? env.cwd, ".cursor", "rules", "reprise.mdc"),
    front: "---\ndescription: What is known about this project\nalwaysApply: true\n---\n",
  },
};

/** A hand-over that we wrote: what it says comes from sessions. */
const handedOver = /[\\/]handoff-[^\\/]*\.mdc$/;

function* userNotes(env: Environment): Generator<StoredNote> {
  const path = globalDatabase(userFolder(env));
  if (fileStat(path) === undefined) return;
  const keys = new Set<string>([...memoryKeys, rulesKey]);
  const values = new KeyValues(path, { wants: (key) => keys.has(key) });
  try {
    for (const { text } of markdownNotes(textOf(values.get(items, rulesKey)) ?? ""))
      yield { text, path, heading: "Rules for AI" };
    for (const key of memoryKeys) {
      for (const record of asArray(jsonOf(values.get(items, key)))) {
        const text = isObject(record) ? asString(record["memory"]) : undefined;
        const heading = isObject(record) ? asString(record["title"]) : undefined;
        if (text !== undefined) yield { text, path, ...(heading !== undefined && { heading }) };
      }
    }
  } finally {
    values.close();
  }
}
