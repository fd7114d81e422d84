import { asString } from "../../../base/json.ts";
import { windowText } from "../../../jsonl/text-window.ts";
import { recordsInLine } from "../../head-lines.ts";
import { acceptsRecord, payloadOf } from "../record-types.ts";

const token = '"subtype":"custom_title"';
/** The program writes the title again before it is further from the end, and looks no further itself. */
const searchedBytes = 64 * 1024;

/** The title a session was given, by a person or the program; undefined where its end holds none. */
export function titleNearEnd(fd: number, size: number): string | undefined {
  const bytes = Math.min(size, searchedBytes);
  const text = windowText(fd, { at: size - bytes, bytes });
  for (let at = text.lastIndexOf(token); at >= 0; at = text.lastIndexOf(token, at - 1)) {
    const from = text.lastIndexOf("\n", at) + 1;
    const stop = text.indexOf("\n", at);
    const line = text.slice(from, stop < 0 ? text.length : stop);
    const titles = recordsInLine(line, acceptsRecord).map((record) =>
      record["subtype"] === "custom_title" ? asString(payloadOf(record)["customTitle"]) : undefined,
    );
    const title = titles.findLast((found) => found !== undefined);
    if (title) return title;
    if (at === 0) break;
  }
  return undefined;
}
