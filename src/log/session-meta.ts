import type { JsonObject } from "../base/json.ts";
import { linesForward } from "../jsonl/read-forward.ts";
import type { EventFrame, MetaEvent, SessionEvent, SessionStart } from "../model/event.ts";
import { soundEvent } from "../model/event-shape.ts";
import { decodeLine } from "./line.ts";

/** What is known of the whole session, whatever the path: the last word in the file counts. */
export interface SessionMeta {
  readonly title?: string | null;
  readonly tags?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly pinned?: boolean;
  /** The caller's own facts. */
  readonly metadata?: JsonObject;
}

/** What the first line says. */
export function metaOfStart(start: SessionStart): SessionMeta {
  return pick(start);
}

/** What a meta line says of the whole session. */
export function metaOfEvent(event: MetaEvent): SessionMeta {
  return pick(event);
}

/**
 * What is known after a change: each meta line repeats everything, so the newest one suffices. Of `metadata` a change
 * names the fields that change, with null for one that goes.
 */
export function mergeMeta(before: SessionMeta, change: SessionMeta): SessionMeta {
  const merged = { ...before, ...pick(change) };
  if (change.metadata === undefined || before.metadata === undefined) return merged;
  const fields = Object.entries({ ...before.metadata, ...change.metadata });
  return { ...merged, metadata: Object.fromEntries(fields.filter(([, value]) => value !== null)) };
}

/** What is known of the whole session: the first line, and the newest meta line where there is one. */
export function readMeta(
  fd: number,
  start: SessionStart & EventFrame,
  options: {
    readonly metaAt: number | undefined;
    readonly open: (event: SessionEvent) => SessionEvent | undefined;
    /** Hears of fields that are not what they should be, and count for nothing. */
    readonly onWrong?: (why: string) => void;
  },
): SessionMeta {
  const { onWrong = ignore } = options;
  const fromStart = metaOfStart(soundEvent(start, onWrong) ?? start);
  if (options.metaAt === undefined) return fromStart;
  for (const line of linesForward(fd, { from: options.metaAt })) {
    const event = decodeLine(line.bytes);
    const opened = event === undefined ? undefined : options.open(event);
    const sound = opened === undefined ? undefined : soundEvent(opened, onWrong);
    return sound?.type === "meta" ? { ...fromStart, ...metaOfEvent(sound) } : fromStart;
  }
  return fromStart;
}

function ignore(): void {}

/** Whether there is anything to repeat. */
export function isEmptyMeta(meta: SessionMeta): boolean {
  return Object.keys(meta).length === 0;
}

function pick({ title, tags, labels, pinned, metadata }: SessionMeta): SessionMeta {
  return {
    ...(title !== undefined && { title }),
    ...(tags !== undefined && { tags }),
    ...(labels !== undefined && { labels }),
    ...(pinned !== undefined && { pinned }),
    ...(metadata !== undefined && { metadata }),
  };
}
