import { RepriseError } from "../../../base/errors.ts";
import {
  accessLevels,
  type MemoryType,
  memoryTypes,
  provenances,
  statuses,
} from "../../../memory/entry.ts";
import { type Memory, type MemoryOptions, openMemory } from "../../../memory/memory.ts";
import type { MemoryQuery } from "../../../memory/query.ts";
import { memorySorts } from "../../../memory/query.ts";
import type { CommandContext, FlagValues, Invocation } from "../run/command.ts";
import { homeOf } from "../sessions/native.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { oneOf } from "./one-of.ts";
import { whereQuery } from "./where.ts";

/** The memories that the flags of a call mean. */
export function memoryOf(invocation: Invocation, context: CommandContext): Memory {
  return openMemory(memoryOptions(invocation, context));
}

/** How the memories are opened that the flags of a call mean. */
export function memoryOptions({ flags }: Invocation, context: CommandContext): MemoryOptions {
  const namespace = flags.isSet("user") ? "user" : flags.text("namespace");
  const owner = ownerOf(flags, context);
  return {
    env: context.env,
    home: homeOf(context),
    everywhere: flags.isSet("all"),
    ...(namespace !== undefined && { namespace }),
    ...(owner !== undefined && { owner }),
  };
}

/** The flags that name the same memories once more, for a line to type next; begins with a space unless it is empty. */
export function sameMemories({ flags }: Invocation): string {
  if (flags.isSet("user")) return " --user";
  return ["project", "namespace"]
    .flatMap((name) => {
      const given = flags.text(name);
      return given === undefined ? [] : [` --${name} ${typed(given)}`];
    })
    .join("");
}

/** A word as a shell takes it. */
function typed(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${safeLine(word).replaceAll("'", "'\\''")}'`;
}

/** Whom a call acts for: an agent that says its name acts for itself alone. */
function ownerOf(flags: FlagValues, { env }: CommandContext): string | undefined {
  const owner = flags.text("owner");
  const agent = env.variables["REPRISE_AGENT"] || undefined;
  if (owner === undefined || agent === undefined || owner === agent) return owner;
  throw new RepriseError("no_permission", `${agent} does not act as ${owner}.`, {
    hint: "Leave --owner out, or unset REPRISE_AGENT.",
  });
}

const orders = ["ascending", "descending"] as const;

/** The query that words and flags ask for. */
export function queryOf(words: readonly string[], flags: FlagValues, nowMs: number): MemoryQuery {
  const text = words.join(" ");
  const types = flags.texts("type").map((word) => oneOf("type", word, memoryTypes));
  const status = flags.text("status");
  const sort = flags.text("sort");
  const sinceMs = flags.number("since");
  const access = flags.text("access");
  const provenance = flags.text("from");
  const order = flags.text("order");
  const where = whereQuery(flags.texts("where"), nowMs);
  return {
    ...where,
    ...(text !== "" && { text }),
    ...(types.length > 0 && { types }),
    ...(flags.texts("tag").length > 0 && {
      tagsAll: [...(where.tagsAll ?? []), ...flags.texts("tag")],
    }),
    ...(flags.text("key") !== undefined && { keyPattern: flags.text("key")! }),
    ...(flags.isSet("all") && { namespaces: "all" as const }),
    ...(status !== undefined && {
      statuses: status === "all" ? ("all" as const) : [oneOf("status", status, statuses)],
    }),
    ...(access !== undefined && { access: [oneOf("access", access, accessLevels)] }),
    ...(provenance !== undefined && { provenance: [oneOf("from", provenance, provenances)] }),
    ...(sinceMs !== undefined && { updated: { from: new Date(sinceMs).toISOString() } }),
    ...(flags.isSet("expired") && { expired: true }),
    ...(flags.isSet("stale") && { stale: true }),
    ...(sort !== undefined && { sort: oneOf("sort", sort, memorySorts) }),
    ...(order !== undefined && { order: oneOf("order", order, orders) }),
    ...(flags.number("limit") !== undefined && { limit: flags.number("limit")! }),
    ...(flags.number("offset") !== undefined && { offset: flags.number("offset")! }),
  };
}

/** The type that a flag names. */
export function typeOf(flags: FlagValues): MemoryType | undefined {
  const [word] = flags.texts("type");
  return word === undefined ? undefined : oneOf("type", word, memoryTypes);
}
