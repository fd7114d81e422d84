import { dirname, join } from "node:path";
import { smallFile } from "../../../base/folders.ts";
import { asString, type JsonObject, parseObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import { plainText } from "../../../model/block.ts";
import type { SessionHead } from "../../../model/head.ts";
import { titleOfPrompt } from "../../../model/title.ts";
import type { SessionRef } from "../../contract.ts";
import type { KeyValues } from "../key-values.ts";
import { messagesOf, storeFacts } from "../read/blob-tree.ts";
import { bodiesOf } from "../read/messages.ts";
import { headOf } from "./frame.ts";

/** What the program says of a conversation of the command line in a file beside it. */
export function metaBeside({ path }: SessionRef): JsonObject {
  const text = smallFile(join(dirname(path), "meta.json"), limits.headBytesMax);
  return parseObject(text ?? "") ?? {};
}

/** What a store of the command line, and the file beside it, say. */
export function storeHead(ref: SessionRef, values: KeyValues): SessionHead {
  const meta = metaBeside(ref);
  const facts = storeFacts(values);
  const name = asString(meta["title"]) || asString(facts["name"]);
  const isNamed = name !== undefined && name !== "" && !unnamed.test(name);
  return headOf(
    ref,
    {
      title: isNamed ? name : firstPrompt(values),
      titled: isNamed,
      created: meta["createdAtMs"] ?? facts["createdAt"],
      updated: meta["updatedAtMs"],
      cwd: asString(meta["cwd"]),
      model: asString(facts["lastUsedModel"]),
    },
    values.damage.length === 0 ? {} : { problem: "The database is damaged." },
  );
}

/** What the program calls a conversation that has no name yet. */
const unnamed = /^new (?:agent|chat)$/i;

/** Before the first prompt stand instructions; further on nobody looks. */
const searchedMessages = 8;

function firstPrompt(values: KeyValues): string | undefined {
  for (const { place, message } of messagesOf(values, () => undefined)) {
    if (place > searchedMessages) break;
    for (const body of bodiesOf(message, "")) {
      const isTyped = body.type === "user" && body.injected !== true;
      const title = isTyped ? titleOfPrompt(plainText(body.content)) : "";
      if (title !== "") return title;
    }
  }
  return undefined;
}
