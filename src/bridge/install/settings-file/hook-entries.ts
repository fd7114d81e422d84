import type { HookEntry } from "../../../agents/hooks-contract.ts";
import { RepriseError } from "../../../base/errors.ts";
import { addElement, addMember, removeItem } from "./edit-json.ts";
import {
  type JsonArrayNode,
  type JsonNode,
  type JsonObjectNode,
  memberOf,
  parseJsonc,
  stringOf,
} from "./jsonc.ts";

const ours = /reprise-hook(?:\.cjs)?['"]?\s+[a-z][a-z0-9-]*\b/;

/** A hook of ours in an agent's settings. */
export interface FoundHook {
  readonly event: string;
  readonly command: string;
}

/** The hooks of ours that a settings text holds. */
export function foundHooks(text: string): readonly FoundHook[] {
  if (text.trim() === "") return [];
  return eventsOf(parseJsonc(text)).flatMap(({ event, groups }) =>
    groups.elements.flatMap((group) =>
      commandsIn(group)
        .filter((command) => ours.test(command))
        .map((command) => ({ event, command })),
    ),
  );
}

/** The settings with our hooks for every entry; what is there already stays. */
export function withHooks(text: string, entries: readonly HookEntry[], command: string): string {
  let result = withoutHooks(text.trim() === "" ? "{}\n" : text, command);
  for (const { event, matcher, timeout } of entries) {
    const hook = { type: "command", command, timeout };
    const group = { ...(matcher !== undefined && { matcher }), hooks: [hook] };
    if (foundHooks(result).some((found) => found.event === event && found.command === command))
      continue;
    result = withGroup(result, event, group);
  }
  return result;
}

/** The settings without our hooks (but those with the command to keep); what held nothing else goes too. */
export function withoutHooks(text: string, keep?: string): string {
  let result = text;
  for (;;) {
    const next = withoutOne(result, keep);
    if (next === undefined) return result;
    result = next;
  }
}

function withGroup(text: string, event: string, group: object): string {
  const root = objectIn(parseJsonc(text), "the settings");
  const hooks = memberOf(root, "hooks")?.value;
  if (hooks === undefined)
    return addMember(text, root, { key: "hooks", value: { [event]: [group] } });
  const events = objectIn(hooks, "`hooks`");
  const groups = memberOf(events, event)?.value;
  if (groups === undefined) return addMember(text, events, { key: event, value: [group] });
  if (groups.type !== "array") throw odd(`\`hooks.${event}\``);
  return addElement(text, groups, group);
}

/** The innermost thing that is ours and nobody else's, taken out; undefined where nothing is left to take. */
function withoutOne(text: string, keep: string | undefined): string | undefined {
  if (text.trim() === "") return undefined;
  const root = parseJsonc(text);
  for (const { groups, events, member } of eventsOf(root)) {
    for (const group of groups.elements) {
      const list = memberOf(group, "hooks")?.value;
      if (list?.type !== "array") continue;
      const hook = list.elements.find((entry) => {
        const command = stringOf(entry, "command");
        return command !== undefined && ours.test(command) && command !== keep;
      });
      if (hook === undefined) continue;
      return withoutAlone(text, [
        { within: list, item: hook },
        { within: groups, item: group },
        { within: events, item: member },
        ...holderOf(root),
      ]);
    }
  }
  return undefined;
}

/** An item, and the object or list that holds it. */
interface Held {
  readonly within: JsonObjectNode | JsonArrayNode;
  readonly item: { readonly start: number; readonly end: number };
}

function holderOf(root: JsonNode): readonly Held[] {
  const item = memberOf(root, "hooks");
  return root.type === "object" && item !== undefined ? [{ within: root, item }] : [];
}

/** Takes out the outermost of items, given from the inside out, that holds the first and nothing else. */
function withoutAlone(text: string, items: readonly Held[]): string | undefined {
  const chosen = items.find(({ within, item }, index) => {
    const outer = items[index + 1]?.item;
    const count = within.type === "object" ? within.members.length : within.elements.length;
    return outer === undefined || count > 1 || holdsComment(text, outer, item);
  });
  return chosen === undefined ? undefined : removeItem(text, chosen.within, chosen.item);
}

/** Whether somebody wrote a comment into an item, beside the one inside it. */
function holdsComment(text: string, outer: Held["item"], inner: Held["item"]): boolean {
  const beside = text.slice(outer.start, inner.start) + text.slice(inner.end, outer.end);
  return /\/[/*]/.test(beside.replaceAll(/"(?:[^"\\\n]|\\.)*"/g, '""'));
}

function eventsOf(root: JsonNode): readonly {
  readonly event: string;
  readonly groups: JsonArrayNode;
  readonly events: JsonObjectNode;
  readonly member: { readonly start: number; readonly end: number };
}[] {
  const events = memberOf(root, "hooks")?.value;
  if (events?.type !== "object") return [];
  return events.members.flatMap((member) =>
    member.value.type === "array"
      ? [{ event: member.key, groups: member.value, events, member }]
      : [],
  );
}

function commandsIn(group: JsonNode): readonly string[] {
  const list = memberOf(group, "hooks")?.value;
  if (list?.type !== "array") return [];
  return list.elements.flatMap((hook) => stringOf(hook, "command") ?? []);
}

function objectIn(node: JsonNode, what: string): JsonObjectNode {
  if (node.type !== "object") throw odd(what);
  return node;
}

function odd(what: string): RepriseError {
  return new RepriseError(
    "bad_input",
    `${what} have a form that is not known; nothing was changed.`,
  );
}
