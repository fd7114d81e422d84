import type { FoundSession, Search } from "../../agents/find-sessions.ts";
import { type NamedSession, referenceTo, resolveReference } from "../../agents/reference.ts";
import { agentsIn } from "../../agents/user-agents.ts";
import { RepriseError } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import { type Item, label, type Quote } from "./answer.ts";
import type { McpCall } from "./tool.ts";

/** Where sessions are looked for: a reference that a model makes is never a path. */
export async function searchOn({ env }: McpCall): Promise<Search> {
  return { env, agents: await agentsIn(env), takesPaths: false };
}

/** The session that a reference names; what a sealed one says stays in it. */
export async function openSession(reference: string, call: McpCall): Promise<NamedSession> {
  const found = resolveReference(reference, await searchOn(call));
  if (found.head.sealed !== true) return found;
  throw new RepriseError("sealed", `Session ${label(found.head.session)} is sealed.`, {
    hint: "What it says is not given to other programs.",
  });
}

/** A session in a list. */
export function sessionItem(found: FoundSession): Item {
  const { head } = found;
  const ref = referenceTo(found);
  const facts = [
    label(ref),
    head.updatedAt.slice(0, 16),
    head.state,
    label(head.git?.branch ?? "", 60),
  ];
  const title = head.sealed === true ? "(sealed)" : (head.title ?? "(no title)");
  const pieces = [`- ${facts.filter((fact) => fact !== "").join(" · ")}`, titleQuote(ref, title)];
  return { pieces };
}

/** The title of a session. One that was cut off loses its last word, which may be half a secret. */
export function titleQuote(from: string, title: string): Quote {
  const text = title.endsWith("…") ? title.replace(/\s*\S*…$/, " …") : title;
  return { text, from, as: "title", chars: limits.titleChars };
}
