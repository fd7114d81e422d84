import { ByteWindow } from "../../../base/byte-window.ts";
import { asString, type JsonObject, parseObjectBytes } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import { findArray, nextElement, resync } from "../../../json/array-elements.ts";
import { headerOf, type JsonForm } from "../json-forms.ts";
import type { HeadFacts } from "./facts.ts";

const tailLook = limits.tailBytes * 64;

/** Looks at the first and the last messages of a file that is one JSON value; gives its header. */
export function factsOfJson(
  fd: number,
  options: { readonly size: number; readonly facts: HeadFacts; readonly form: JsonForm },
): { readonly header: JsonObject | undefined; readonly messages: number } {
  const { size, facts, form } = options;
  const start = new ByteWindow(fd, Math.min(size, limits.headBytesMax));
  let messages = 0;
  for (const message of messagesFrom(
    start,
    findArray(start, { from: 0, paths: form.paths }),
    form,
  )) {
    messages += 1;
    if (facts.early(message)) break;
  }
  const end = new ByteWindow(fd, size);
  const from = Math.max(0, size - tailLook);
  const late = [...messagesFrom(end, resync(end, { from, shape: form.shape }), form)];
  messages += late.length;
  late.reverse().some((message) => facts.late(message));
  const header = headerOf(start, form);
  const tail = end.range(from, size - from).toString();
  facts.summary ??= lastField(tail, "summary") ?? asString(header?.["summary"]);
  facts.updatedAt = asString(header?.["lastUpdated"]) ?? facts.updatedAt;
  return { header, messages };
}

/** A field of the outer object behind the messages, where the last of that name stands. */
function lastField(tail: string, name: string): string | undefined {
  const at = tail.lastIndexOf(`"${name}"`);
  if (at < 0 || tail.indexOf("]", at) >= 0) return undefined;
  const value = /^"\w+"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(tail.slice(at))?.[1];
  return value === undefined ? undefined : asString(JSON.parse(value));
}

function* messagesFrom(
  window: ByteWindow,
  begin: number | undefined,
  form: JsonForm,
): Generator<JsonObject> {
  let position = begin;
  let ordinal = 0;
  while (position !== undefined) {
    const step = nextElement(window, position);
    if (step.kind !== "element") return;
    const element = parseObjectBytes(window.range(step.offset, step.length));
    ordinal += 1;
    if (element !== undefined) yield form.message(element, ordinal);
    position = step.offset + step.length;
  }
}
