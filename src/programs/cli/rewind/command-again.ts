import { asString, isObject, type JsonObject } from "../../../base/json.ts";
import type { JournalEntry } from "../../../log/read-journal.ts";
import { typedLine } from "../run/typed-line.ts";

/**
 * The command that does again what an entry of the journal did; undefined where the journal does not tell all of it, such as
 * whether settings were the user's or a project's.
 */
export function commandAgain({
  kind,
  data,
}: Pick<JournalEntry, "kind" | "data">): string | undefined {
  const words = wordsAgain(kind, data);
  return words === undefined || words.includes("") ? undefined : typedLine(words);
}

function wordsAgain(kind: string, data: JsonObject): readonly string[] | undefined {
  const { from, to, change, id } = data;
  switch (kind) {
    case "convert":
      return isObject(from) && isObject(to) ? conversionWords(from, to) : undefined;
    case "delete":
      return data["project"] === undefined ? ["delete", sessionIn(data)] : undefined;
    case "source":
      return ["sources", change === "removed" ? "remove" : "add", text(data["path"])];
    case "memory":
      if (data["did"] === "approved") return ["memory", "approve", text(id)];
      return data["did"] === "rejected" ? ["memory", "reject", text(id)] : undefined;
    default:
      return undefined;
  }
}

function conversionWords(from: JsonObject, to: JsonObject): readonly string[] {
  const event = asString(from["event"]);
  const ref = event === undefined ? sessionIn(from) : `${sessionIn(from)}@${event}`;
  if (from["agent"] === to["agent"]) return ["fork", ref];
  return ["resume", ref, "--in", text(to["agent"])];
}

function sessionIn({ agent, session }: JsonObject): string {
  const names = [text(agent), text(session)];
  return names.includes("") ? "" : names.join(":");
}

function text(value: unknown): string {
  return asString(value) ?? "";
}
