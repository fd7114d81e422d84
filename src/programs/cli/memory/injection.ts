import { join } from "node:path";
import { atomicWrite } from "../../../base/atomic-write.ts";
import { RepriseError } from "../../../base/errors.ts";
import { smallFile } from "../../../base/folders.ts";
import { parseObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import { makeFolder } from "../../../base/make-folder.ts";
import { readSettings } from "../../../bridge/state/settings.ts";
import type { CommandContext, Invocation } from "../run/command.ts";
import { homeOf } from "../sessions/native.ts";

/** Shows whether agents are given memories unasked, and turns it on or off; one switch for all of them. */
export async function memoryInjection(
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  const wanted = invocation.args[1];
  if (wanted !== undefined && wanted !== "on" && wanted !== "off")
    throw new RepriseError("usage", "Type `reprise memory injection on` or `off`.");
  const folder = join(homeOf(context).root, "bridge");
  const path = join(folder, "settings.json");
  if (wanted !== undefined) {
    const text = smallFile(path, limits.headBytesMax);
    const held = text === undefined ? {} : parseObject(text);
    if (held === undefined)
      throw new RepriseError("damaged", `${path} is not a JSON object.`, {
        hint: "Fix or delete the file; nothing was changed.",
      });
    makeFolder(folder);
    const next = { ...held, memories: wanted === "on" };
    const bytes = Buffer.from(`${JSON.stringify(next, undefined, 2)}\n`);
    atomicWrite(path, [bytes], { publish: "replace", sync: true });
  }
  const { memories } = readSettings(path);
  if (context.json) return context.out.writeJson({ memories, settings: path });
  await context.out.write(
    memories
      ? "Agents with hooks get the memories you stored or approved.\n"
      : "Agents get memories only when they ask for them.\n",
  );
}
