import { basename, isAbsolute, join, normalize } from "node:path";
import { asNumber, asString, isObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import type { Damage } from "../../../model/damage.ts";
import type { SessionRef } from "../../contract.ts";
import type { RolloutRecord } from "../record-types.ts";
import {
  indexOfRollouts,
  isRolloutId,
  parseRolloutName,
  plainPath,
  type RolloutFile,
  type RolloutName,
} from "../rollout-files.ts";
import { type OpenRollout, openRollout } from "./open-rollout.ts";
import { rolloutLines } from "./rollout-lines.ts";

/** One file of a session, and how much of it the session stands on. */
export interface Span {
  readonly path: string;
  readonly file: OpenRollout;
  /** The thread's own newest file, the only one that still grows. */
  readonly own: boolean;
  /** A file of the same thread: what a rewind left behind in it is still the thread's. */
  readonly sameThread: boolean;
  /** Not on the path the program resumes from: a segment that was rewound away. */
  readonly abandoned: boolean;
  /** The session stands on the records before this ordinal (or, without ordinals, this offset). */
  readonly end: { readonly ordinal: number; readonly offset: number } | undefined;
  /** Records carry ordinals that go on across files. */
  readonly paginated: boolean;
  /** Sets the numbers of a rewound segment apart from those of the file it left. */
  readonly suffix: string;
}

/** The files of a session in the order they are read, and what is wrong with them. */
export interface Lineage {
  readonly spans: readonly Span[];
  readonly damage: readonly Damage[];
  close(): void;
}

/** Offsets of all files of a session as one growing number. */
export const spanStride = 2 ** 44;

interface Link {
  readonly path: string;
  readonly name: RolloutName | undefined;
  readonly end: Span["end"];
  readonly abandoned: boolean;
}

/**
 * Opens the files a session consists of: those it stands on (`history_base`, file by file, whether
 * archived or compressed), then its own. A missing or circular base is reported and the rest is read.
 * Throws our error if the session's own file cannot be opened.
 */
export async function openLineage(
  ref: SessionRef,
  options: { readonly allBranches: boolean },
): Promise<Lineage> {
  const opened: OpenRollout[] = [];
  const damage: Damage[] = [];
  const close = (): void => {
    for (const file of opened) file.close();
  };
  try {
    const chain: Span[] = [];
    const seen = new Set<string>();
    let index: ReadonlyMap<string, RolloutFile> | undefined;
    let link: Link | undefined = linkOf(ref.path);
    const thread = link.name?.thread ?? ref.session;
    while (link !== undefined) {
      const file: OpenRollout | undefined = await openBase(link.path, chain.length === 0);
      if (file === undefined) {
        damage.push(problem("missing_file", link.path, "base not readable"));
        break;
      }
      opened.push(file);
      if (file.problem !== undefined) damage.push(problem("bad_header", link.path, file.problem));
      const meta = firstMeta(file);
      chain.unshift(spanOf(link, file, { own: chain.length === 0, thread, meta }));
      seen.add(rolloutOf(link));
      const base = historyBase(meta);
      link = undefined;
      if (base === undefined) break;
      if (seen.has(base.id)) {
        damage.push(problem("cycle", base.id, "the history stands on itself"));
      } else if (chain.length >= limits.lineageDepth) {
        damage.push(problem("cycle", base.id, "too many histories stand on each other"));
      } else {
        index ??= ref.root === undefined ? new Map() : indexOfRollouts(ref.root);
        const found = isRolloutId(base.id) ? index.get(base.id) : undefined;
        if (found === undefined) damage.push(problem("missing_file", base.id, "base not found"));
        else link = { ...linkOf(found.path), end: base.end };
      }
    }
    const left = options.allBranches ? await abandonedSpans(ref, { chain, thread, opened }) : [];
    return { spans: inOrderOfAge(chain, left), damage, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** A base that cannot be opened costs only itself; the session's own file is what was asked for. */
async function openBase(path: string, own: boolean): Promise<OpenRollout | undefined> {
  if (own) return openRollout(path);
  return openRollout(path).catch(() => undefined);
}

function linkOf(path: string): Link {
  return { path, name: parseRolloutName(basename(path)), end: undefined, abandoned: false };
}

function rolloutOf(link: Link): string {
  return link.name?.rollout ?? link.path;
}

function spanOf(
  link: Link,
  file: OpenRollout,
  facts: {
    readonly own: boolean;
    readonly thread: string;
    readonly meta: RolloutRecord | undefined;
  },
): Span {
  const { name } = link;
  return {
    path: plainPath(link.path),
    file,
    own: facts.own,
    sameThread: facts.own || name?.thread === facts.thread,
    abandoned: link.abandoned,
    end: link.end,
    paginated:
      facts.meta?.ordinal !== undefined || facts.meta?.payload["history_mode"] === "paginated",
    suffix: suffixOf(link.path),
  };
}

/** What sets the numbers of a rewound segment apart; nothing for a thread's first file. */
export function suffixOf(path: string): string {
  const name = parseRolloutName(basename(path));
  return name === undefined || name.rollout === name.thread ? "" : `~${name.rollout.slice(-8)}`;
}

/** The session's metadata, if one of the first lines still holds it. */
function firstMeta(file: OpenRollout): RolloutRecord | undefined {
  let number = 0;
  for (const { records } of rolloutLines(file)) {
    number += 1;
    const meta = records.find(({ type }) => type === "session_meta");
    if (meta !== undefined) return meta;
    // A torn first line may have been followed by a whole one; further down it is a copy's.
    if (number >= 3) return undefined;
  }
  return undefined;
}

function historyBase(
  meta: RolloutRecord | undefined,
): { readonly id: string; readonly end: NonNullable<Span["end"]> } | undefined {
  const base = meta?.payload["history_base"];
  if (!isObject(base)) return undefined;
  const id = asString(base["thread_id"]) ?? asString(base["rollout_id"]);
  const ordinal = asNumber(base["end_ordinal_exclusive"]);
  if (id === undefined || ordinal === undefined) return undefined;
  const offset = asNumber(base["end_byte_offset"]) ?? Number.POSITIVE_INFINITY;
  return { id: id.toLowerCase(), end: { ordinal, offset } };
}

/** Segments of the thread that nothing stands on any more; `part` names them below the root. */
async function abandonedSpans(
  ref: SessionRef,
  known: {
    readonly chain: readonly Span[];
    readonly thread: string;
    /** Anyone who closes them closes what is opened here too. */
    readonly opened: OpenRollout[];
  },
): Promise<readonly Span[]> {
  const spans: Span[] = [];
  const paths = new Set(known.chain.map((span) => span.path));
  for (const part of (ref.part ?? "").split("\n").slice(0, limits.lineageDepth)) {
    const path = ref.root === undefined ? undefined : belowRoot(ref.root, part);
    if (path === undefined || paths.has(plainPath(path))) continue;
    try {
      const file = await openRollout(path);
      known.opened.push(file);
      const link = { ...linkOf(path), abandoned: true };
      const facts = { own: false, thread: known.thread, meta: firstMeta(file) };
      spans.push(spanOf(link, file, facts));
    } catch {
      // Gone since it was listed: nothing stood on it.
    }
  }
  return spans;
}

function belowRoot(root: string, part: string): string | undefined {
  const inside = normalize(part);
  if (part === "" || isAbsolute(inside) || inside.startsWith("..")) return undefined;
  return parseRolloutName(basename(inside)) === undefined ? undefined : join(root, inside);
}

function inOrderOfAge(chain: readonly Span[], left: readonly Span[]): readonly Span[] {
  const spans = [...chain];
  for (const span of left) {
    const at = spans.findIndex((one) => one.own || basename(one.path) > basename(span.path));
    spans.splice(at < 0 ? spans.length - 1 : at, 0, span);
  }
  return spans;
}

function problem(kind: Damage["kind"], what: string, why: string): Damage {
  return { kind, offset: 0, recovered: 0, detail: `${why}: ${basename(what)}` };
}
