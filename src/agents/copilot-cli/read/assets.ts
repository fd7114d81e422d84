import { asString } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import { linesBackward } from "../../../jsonl/read-backward.ts";
import { readLine } from "../../../jsonl/records.ts";
import { acceptsRecord, dataOf } from "../record-types.ts";

/**
 * The bytes of an attachment, in base64. The program writes them once, mostly right before the prompt that has them:
 * they are looked for towards the start of the file, and not without end.
 */
export function assetBefore(
  fd: number,
  wanted: { readonly asset: string; readonly end: number },
): string | undefined {
  const { asset, end } = wanted;
  for (const line of linesBackward(fd, { end })) {
    if (end - line.offset > limits.leafSearchBytes) return undefined;
    if (line.tooLong || !line.bytes.includes("session.binary_asset")) continue;
    for (const record of readLine(line, 0, acceptsRecord)?.records ?? []) {
      const data = dataOf(record);
      if (record["type"] === "session.binary_asset" && data["assetId"] === asset)
        return asString(data["data"]);
    }
  }
  return undefined;
}
