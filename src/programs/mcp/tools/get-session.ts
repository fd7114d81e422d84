import { z } from "zod";
import type { AgentEvent } from "../../../agents/contract.ts";
import { eventName } from "../../../agents/event-name.ts";
import { readSession } from "../../../agents/reading.ts";
import { type NamedSession, referenceTo } from "../../../agents/reference.ts";
import { RepriseError } from "../../../base/errors.ts";
import { plainText } from "../../../model/block.ts";
import type { SessionHead } from "../../../model/head.ts";
import { type View, viewer } from "../../cli/render/view.ts";
import { selectEvents } from "../../cli/sessions/select.ts";
import { withToolNames } from "../../cli/sessions/tool-names.ts";
import { type Item, label, type Reply } from "../answer.ts";
import { maxTokens, words } from "../fields.ts";
import { openSession, titleQuote } from "../sessions.ts";
import { tool } from "../tool.ts";

/** `get_session`: what was said in a session, a page at a time. */
export const getSession = tool({
  name: "get_session",
  title: "Read a session",
  description:
    "Reads a session page by page: who said what, which tools ran. session is a reference as search_sessions and list_sessions name it, @last, or words of its title; ref@57 shows event 57 and its neighbours. The last line of a page says how to get the next one.",
  input: z.object({
    session: words("The session, or an event of it: agent:id, agent:id@57, @last"),
    from: words("Begin at this event, as the last page named it", 100).optional(),
    last: z.number().int().min(1).max(500).describe("Only the last events").optional(),
    tools: z.enum(["none", "short", "full"]).default("short").describe("How much of tool calls"),
    max_tokens: maxTokens,
  }),
  changes: "nothing",
  run: async ({ session, from, last, tools }, call) =>
    sessionPage(await openSession(session, call), { from, last, tools }),
});

/** Which part of a session is wanted. */
export interface PageOptions {
  readonly from?: string | undefined;
  readonly last?: number | undefined;
  readonly tools: "none" | "short" | "full";
}

/** A page of a session, as far as it fits. */
export function sessionPage(session: NamedSession, options: PageOptions): Reply {
  const { from, last, tools } = options;
  const name = referenceTo(session);
  const { head, event: focus } = session;
  const isFocused = focus !== undefined && from === undefined;
  const reading = readSession(session, {
    allBranches: focus !== undefined,
    ...(last !== undefined && from === undefined && !isFocused && { last }),
  });
  const events = selectEvents(withToolNames(reading.events), {
    ...(from !== undefined && { from: checkedEvent(from) }),
    ...(last !== undefined && { last }),
    ...(isFocused && { focus }),
  });
  const facts = [head.updatedAt.slice(0, 16), head.state, label(head.model ?? "", 60)];
  return {
    head: [
      `Session ${label(name)} · ${facts.filter((fact) => fact !== "").join(" · ")}`,
      titleQuote(name, head.title ?? "(no title)"),
    ],
    items: eventItems(events, { name, tools, known: head }),
    tail: ({ shown, next }) => {
      if (next !== undefined) return `More follows: ask again with from: "${label(next)}".`;
      return shown === 0 ? "There is no such event." : "That was the end of what was asked for.";
    },
  };
}

async function* eventItems(
  events: AsyncIterable<AgentEvent>,
  {
    name,
    tools,
    known,
  }: { readonly name: string; readonly tools: PageOptions["tools"]; readonly known: SessionHead },
): AsyncGenerator<Item> {
  const viewOf = viewer({ tools, thinking: false, known });
  for await (const event of events) {
    const view = viewOf(event);
    const text = view === undefined ? "" : textOf(view);
    if (view === undefined || text === "") continue;
    const as =
      view.kind === "call" || view.kind === "result" ? `${view.kind} ${view.who}` : view.kind;
    const chars = view.folds ? { chars: shortChars } : {};
    const quote = { text, from: `${name}@${event.number}`, as, ...chars };
    yield { pieces: [quote], name: event.number };
  }
}

/** Of a tool's output in a short page. */
const shortChars = 600;

function textOf(view: View): string {
  const changes = view.changes.flatMap(({ path, lines }) => [path, ...lines.map(diffLine)]);
  return [view.subject ?? "", view.input ?? "", ...changes, plainText(view.blocks)]
    .filter((part) => part.trim() !== "")
    .join("\n");
}

function diffLine({ kind, text }: View["changes"][number]["lines"][number]): string {
  return `${kind === "added" ? "+" : kind === "removed" ? "-" : " "} ${text}`;
}

function checkedEvent(name: string): string {
  if (eventName.test(name)) return name;
  throw new RepriseError("bad_input", "This is not the name of an event.", {
    hint: "Use the name that the last page gave.",
  });
}
