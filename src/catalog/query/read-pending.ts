import type { Agent, SessionRef } from "../../agents/contract.ts";
import type { Environment } from "../../base/env.ts";
import type { SessionHead } from "../../model/head.ts";
import { asCopy, conversionsOf } from "../../store/copies.ts";
import { userHome } from "../../store/home.ts";
import { type Marks, marked, markOf, marksOf } from "../../store/marks.ts";
import { kindNumber } from "../index/kind.ts";
import { titlePlace } from "../index/title-place.ts";
import type { ScanTask } from "../scan/byte-scan.ts";
import { FileScan } from "../scan/file-scan.ts";
import { evaluator } from "./evaluate.ts";
import type { ReadSession } from "./read-session.ts";
import type { Understood } from "./request.ts";
import { asksSessions, factsOfHead, passing, type SessionFacts } from "./session-filter.ts";
import { snippetOf } from "./snippet.ts";
import { type Streamed, searchSession } from "./stream-search.ts";

/** What reading sessions needs. */
export interface Reading {
  readonly env: Environment;
  readonly nowMs: number;
  agent(name: string): Promise<Agent | undefined>;
  agents(): Promise<readonly Agent[]>;
}

/** Sessions whose heads are compared at a time, where a filter asks about sessions. */
const block = 512;

/**
 * Reads sessions in the order given. Where the bytes of a file show that nothing can be found in it, it is not decoded
 * and not told; the agents are loaded only for the rest.
 */
export async function* readSessions(
  refs: readonly SessionRef[],
  asked: Understood,
  options: Reading,
): AsyncGenerator<ReadSession> {
  const agents = new Map<string, Agent>();
  const home = userHome(options.env);
  const [marks, copies] = [marksOf(home), conversionsOf(home)];
  const headOf = (ref: SessionRef): SessionHead | undefined => {
    const head = agents.get(ref.agent)?.head(ref, options.env);
    return head === undefined ? undefined : asCopy(marked(head, marks), copies);
  };
  const evaluate = evaluator(asked.query, asked.mode, options);
  const worth = worthReading(refs, asked, { ...options, marks });
  const some = asksSessions(asked.query.filters) ? inBlocks(worth) : oneByOne(worth);
  for await (const found of some) {
    for (const name of new Set(found.map(({ agent }) => agent))) {
      const agent = agents.has(name) ? undefined : await options.agent(name);
      if (agent !== undefined) agents.set(name, agent);
    }
    for (const { ref, facts, head } of await wanted(found, asked, { ...options, headOf })) {
      const agent = agents.get(ref.agent);
      if (agent === undefined) continue;
      const named = head ?? headOf(ref);
      // A file that turns out to be no session.
      if (named === undefined) continue;
      const isOfSubagent = named.relation?.kind === "subagent";
      const streamed = await searchSession(agent, ref, {
        ...asked,
        evaluate,
        isOfSubagent,
        cwd: named.cwd,
      });
      const known = facts ?? factsOfHead(named);
      const { texts, prompts, prompt } = streamed;
      const { hits, total } = withTitle(streamed, known, { asked, evaluate });
      // A score compares with all that is searched, also where nothing is found.
      if (!streamed.leftOut) yield { ref, facts: known, hits, total, texts, prompts, prompt };
    }
  }
}

/** The sessions whose bytes do not tell that nothing can be found, in the order given. */
async function* worthReading(
  refs: readonly SessionRef[],
  { needle, find }: Understood,
  options: Reading & { readonly marks: ReadonlyMap<string, Marks> },
): AsyncGenerator<SessionRef> {
  if (needle === undefined) return yield* refs;
  // Asked for folder by folder: an agent remembers the last one it looked into.
  const agents = await options.agents();
  const byFolder = refs.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const files = new Map(byFolder.map((ref) => [ref, scanTask(ref, agents)]));
  const tasks: ScanTask[] = [];
  let bytes = 0;
  for (const ref of refs) {
    const task = files.get(ref);
    if (task === undefined) continue;
    tasks.push(task);
    bytes += ref.sizeBytes;
  }
  // What the user called a session stands in none of its files.
  const isTitled = (ref: SessionRef): boolean => {
    const { title } = markOf(options.marks, ref);
    return (typeof title === "string" && find(title).length > 0) || isNamed(ref, { agents, find });
  };
  const scan = await FileScan.start(tasks, needle, { bytes });
  try {
    let number = 0;
    for (const ref of refs) {
      const isScanned = files.get(ref) !== undefined;
      if (!isScanned || (await scan.mayHold(number++)) || isTitled(ref)) yield ref;
    }
  } finally {
    scan.stop();
  }
}

/** Whether the store calls a session so, in a file that is not the session's. */
function isNamed(
  ref: SessionRef,
  { agents, find }: { readonly agents: readonly Agent[] } & Pick<Understood, "find">,
): boolean {
  const title = agents.find(({ name }) => name === ref.agent)?.text?.titleOf?.(ref);
  return title !== undefined && find(title).length > 0;
}

/** What to look through for a session; undefined where only reading it says. */
function scanTask(ref: SessionRef, agents: readonly Agent[]): ScanTask | undefined {
  const text = agents.find(({ name }) => name === ref.agent)?.text;
  const files = text?.of(ref);
  return files && { files, ...(text?.unless && { unless: text.unless }) };
}

async function* oneByOne<T>(items: AsyncIterable<T>): AsyncGenerator<readonly T[]> {
  for await (const item of items) yield [item];
}

async function* inBlocks<T>(items: AsyncIterable<T>): AsyncGenerator<readonly T[]> {
  let held: T[] = [];
  for await (const item of items) {
    held.push(item);
    if (held.length < block) continue;
    yield held;
    held = [];
  }
  if (held.length > 0) yield held;
}

interface WantedRef {
  readonly ref: SessionRef;
  readonly facts?: SessionFacts;
  readonly head?: SessionHead;
}

/** The sessions worth reading: heads are read first only where a filter asks about sessions. */
async function wanted(
  refs: readonly SessionRef[],
  { query }: Understood,
  options: Reading & { headOf(ref: SessionRef): SessionHead | undefined },
): Promise<readonly WantedRef[]> {
  if (!asksSessions(query.filters)) return refs.map((ref) => ({ ref }));
  const withFacts = refs.flatMap((ref) => {
    const head = options.headOf(ref);
    return head === undefined ? [] : [{ ref, head, facts: factsOfHead(head) }];
  });
  return passing(withFacts, query.filters, { cwd: options.env.cwd });
}

/** A title counts as an event of its own, as it does in the index. */
function withTitle(
  streamed: Streamed,
  facts: SessionFacts,
  how: { readonly asked: Understood; readonly evaluate: ReturnType<typeof evaluator> },
): Streamed {
  const { title, isTitled } = facts;
  if (title === undefined || !isTitled || streamed.leftOut) return streamed;
  const counts = how.evaluate({ kind: "title", text: title }, undefined, () => false);
  if (counts === undefined) return streamed;
  const snippet = snippetOf(title, how.asked.find);
  const at = { number: "", place: titlePlace, what: kindNumber("title"), at: null };
  const hit = { ...at, counts, leads: false, snippet, key: undefined };
  return { ...streamed, hits: [hit, ...streamed.hits], total: streamed.total + 1 };
}
