import { asArray, asString, isObject } from "../base/json.ts";
import { withoutInjected } from "./injected.ts";

/** What somebody said in a session. */
export interface Said {
  readonly role: "user" | "assistant";
  readonly text: string;
}

/** What a message of this role and content says; undefined if a program said it in a user's name. */
export function saidBy(role: unknown, content: unknown): Said | undefined {
  if (role !== "user" && role !== "assistant") return undefined;
  const parts = typeof content === "string" ? [content] : asArray(content).map(textOf);
  const text = withoutInjected(parts.join("\n").trim());
  // What programs put in as a user's words begins with an element.
  return role === "user" && text.startsWith("<") ? undefined : { role, text };
}

function textOf(part: unknown): string {
  return isObject(part) ? (asString(part["text"]) ?? "") : "";
}
