import { closeSync } from "node:fs";
import { exists } from "../base/disk.ts";
import { asNumber, asString, isObject, parseObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import { openForReading } from "../base/open-file.ts";
import { linesBackward } from "../jsonl/read-backward.ts";
import type { Home } from "../store/home.ts";
import { type Checkpoint, checkpointIn } from "./checkpoint.ts";

/**
 * The newest checkpoints in the end of the journal, the newest first: for a hook, which has no time for all of it. One
 * that was deleted since may be among them.
 */
export function* newestCheckpoints(home: Home): Generator<Checkpoint> {
  if (!exists(home.journal)) return;
  const fd = openForReading(home.journal);
  try {
    let bytes = 0;
    for (const line of linesBackward(fd)) {
      bytes += line.bytes.length;
      if (bytes > limits.newestCheckpointBytes) return;
      if (!line.complete || !line.bytes.includes('"checkpoint"')) continue;
      const event = parseObject(line.bytes.toString("utf8"));
      const id = asNumber(event?.["id"]);
      const data = event?.["data"];
      if (asString(event?.["name"]) !== "checkpoint" || id === undefined || !isObject(data))
        continue;
      const found = checkpointIn(id, data);
      if (found !== undefined) yield found;
    }
  } finally {
    closeSync(fd);
  }
}
