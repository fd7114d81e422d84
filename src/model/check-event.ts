import { RepriseError } from "../base/errors.ts";
import { isObject, type JsonObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import type { EventBody, MetaEvent } from "./event.ts";
import { wrongField } from "./event-shape.ts";
import { unholdable } from "./unholdable.ts";

/** Fields that belong to the log, not to the one who appends. */
const frameFields: ReadonlySet<string> = new Set([
  "id",
  "parent",
  "at",
  "sum",
  "metaAt",
  "recoveredFrom",
  "blobs",
  "sealed",
  "sealedBlobs",
]);

/** Returns the body if the log may hold it, with `type` first; otherwise throws `bad_event`. */
export function checkEvent(body: EventBody): EventBody {
  if (!isObject(body)) throw bad("an event must be an object");
  const fields: JsonObject = body as unknown as JsonObject;
  const type = fields["type"];
  if (typeof type !== "string" || type === "") throw bad("an event needs a type");
  let first: string | undefined;
  for (const field in fields) {
    first ??= field;
    if (frameFields.has(field) && fields[field] !== undefined) {
      throw bad(`"${field}" is set by the log, not by the caller`);
    }
    const value = fields[field];
    if (typeof value !== "object" && typeof value !== "bigint") continue;
    const wrong = unholdable(value, field);
    if (wrong !== undefined) throw bad(`${wrong.path} ${wrong.why}`);
  }
  const wrong = wrongField(body);
  if (wrong !== undefined) throw bad(`${type} needs "${wrong.name}" as ${wrong.is}`);
  if (body.type === "meta") checkMeta(body);
  return first === "type" ? body : ({ ...({ type } as object), ...body } as EventBody);
}

function checkMeta({ title, tags, metadata }: MetaEvent): void {
  if (metadata !== undefined && JSON.stringify(metadata).length > limits.metadataChars) {
    throw new RepriseError("too_large", `Metadata has at most ${limits.metadataChars} characters.`);
  }
  if (typeof title === "string" && title.length > limits.titleChars) {
    throw new RepriseError("too_large", `A title has at most ${limits.titleChars} characters.`);
  }
  if (tags === undefined) return;
  if (tags.length > limits.tags || tags.some((tag) => tag.length > limits.tagChars || tag === "")) {
    throw new RepriseError(
      "too_large",
      `At most ${limits.tags} tags of 1 to ${limits.tagChars} characters.`,
    );
  }
}

function bad(why: string): RepriseError {
  return new RepriseError("bad_event", `The event is refused: ${why}.`);
}
