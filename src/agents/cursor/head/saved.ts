import { asString } from "../../../base/json.ts";
import { plainText } from "../../../model/block.ts";
import type { SessionHead, SessionKind } from "../../../model/head.ts";
import { titleOfPrompt } from "../../../model/title.ts";
import type { SessionRef } from "../../contract.ts";
import type { KeyValues } from "../key-values.ts";
import { chatMs } from "../locate/workspaces.ts";
import type { Meant } from "../part.ts";
import { type SavedRecord, savedOf, savedRecords } from "../read/saved.ts";
import { headOf } from "./frame.ts";

const kinds: Readonly<Record<string, SessionKind>> = {
  notepad: "notes",
  rules: "notes",
  prompts: "notes",
  memories: "memory",
};

const titles: Readonly<Record<string, string>> = {
  rules: "What the user says to every model",
  prompts: "Prompts of conversations that are gone",
  memories: "Memories",
};

/** What lies whole under a key says of itself; undefined if it is gone. */
export function savedHead(
  ref: SessionRef,
  values: KeyValues,
  meant: Meant,
): SessionHead | undefined {
  const records = savedRecords(values, meant);
  if (records === undefined)
    return values.isCarved ? headOf(ref, {}, { problem: "The database is damaged." }) : undefined;
  const kind = kinds[meant.kind];
  const last = records.findLast(({ at }) => at !== undefined)?.at;
  if (meant.kind === "memories" || meant.kind === "rules" || meant.kind === "prompts")
    return headOf(ref, { title: titles[meant.kind], updated: last }, { kind: kind! });
  const saved = savedOf(values, meant) ?? {};
  const name = asString(saved["name"]) ?? asString(saved["chatTitle"]) ?? asString(saved["title"]);
  return headOf(
    ref,
    {
      title: name || firstPrompt(records),
      titled: Boolean(name),
      created: saved["createdAt"],
      updated: saved["lastUpdatedAt"] ?? chatMs(saved),
    },
    kind === undefined ? {} : { kind },
  );
}

function firstPrompt(records: readonly SavedRecord[]): string | undefined {
  for (const { bodies } of records)
    for (const body of bodies) {
      const title = body.type === "user" ? titleOfPrompt(plainText(body.content)) : "";
      if (title !== "") return title;
    }
  return undefined;
}
