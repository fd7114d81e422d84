import { setTimeout as pause } from "node:timers/promises";
import { parentPort } from "node:worker_threads";
import type { Agent } from "../../../agents/contract.ts";
import { headReader } from "../../../agents/find-sessions.ts";
import { registerAgent } from "../../../agents/registry.ts";
import { everyAgent } from "../../../agents/user-agents.ts";
import { uptimeMs } from "../../../base/clock.ts";
import { limits } from "../../../base/limits.ts";
import type { Finder } from "../../../catalog/query/finder.ts";
import type { Found } from "../../../catalog/query/found.ts";
import { openFinder } from "../../../catalog/query/library.ts";
import { planConversion } from "../../../convert/convert.ts";
import { conversionRequest } from "../../../convert/request.ts";
import { reportText } from "../resume/report-text.ts";
import { type IndexDone, progressText } from "../terminal/index-progress.ts";
import { readFirstPrompts } from "./first-prompts.ts";
import { askedIn, previewLines } from "./preview.ts";
import { isSearchQuery } from "./state.ts";
import type {
  Answers,
  Closing,
  ContentQuestion,
  Opening,
  Question,
  Told,
} from "./thread-messages.ts";

/*
 * The thread that reads for the home screen. Of each kind of question only the newest is answered: what was asked before
 * it is no longer wanted.
 */
const port = parentPort!;
const tell = (told: Told): void => port.postMessage(told);
const newest = new Map<Question["kind"], number>();

/**
 * How long the index is read into between two questions, and how long nothing must be typed before it is. Two
 * processors are for who types: with 5,000 sessions and no index 67 of 784 letters took longer than 20 ms if the index was
 * read into meanwhile, the longest 70 ms, and 28 of 747 with this, the longest 49 ms (both builds in turn).
 */
const stepMs = 300;
const stillMs = 250;

/** What takes less time is not spoken of. */
const quietMs = 400;

port.once("message", async ({ env, others, nowMs, keys }: Opening) => {
  for (const other of others) registerAgent(other);
  const agents = await everyAgent(() => {});
  const machine = { env, agents, nowMs };
  const finding = openFinder({ env, nowMs, freshenMs: 0 });
  port.on("message", (question: (Question & { readonly id: number }) | Closing) => {
    if (question.kind === "close") return void close(finding);
    const { id, kind } = question;
    newest.set(kind, id);
    const isWanted = (): boolean => !isClosing && newest.get(kind) === id;
    answerTo(question, { ...machine, finding, isWanted }).then(
      (value) => tell({ kind: "answer", id, value }),
      (error: unknown) => tell({ kind: "failed", id, why: whyOf(error) }),
    );
  });
  building = finding
    .then((finder) => build(finder, keys))
    .catch((error: unknown) => {
      tell({ kind: "building", text: whyOf(error) });
    });
});

let isClosing = false;

/** Ends what is under way and lets go of the index: a thread that is torn out of a database takes the program with it. */
async function close(finding: Promise<Finder>): Promise<void> {
  isClosing = true;
  try {
    await building;
    (await finding).close();
  } catch {
    // Without an index there is nothing to let go of.
  }
  port.close();
}

/** Reading into the index, as long as it goes on. */
let building: Promise<void> = Promise.resolve();

interface Machine {
  readonly env: Opening["env"];
  readonly agents: readonly Agent[];
  readonly nowMs: number;
}

interface Answering extends Machine {
  readonly finding: Promise<Finder>;
  isWanted(): boolean;
}

async function answerTo(question: Question, given: Answering): Promise<Answers[Question["kind"]]> {
  if (question.kind === "search") return contentOf(question, given);
  if (question.kind === "firstPrompts") {
    const onRead = (prompts: ReadonlyMap<string, string>): void =>
      tell({ kind: "firstPrompts", prompts });
    return readFirstPrompts(question.refs, { ...given, onRead });
  }
  const agent = given.agents.find(({ name }) => name === question.ref.agent);
  if (agent === undefined) throw new Error(`There is no agent ${question.ref.agent}.`);
  const session = { agent, ref: question.ref, head: question.head };
  switch (question.kind) {
    case "preview":
      return previewLines(session, { ...question, isWanted: given.isWanted });
    case "prompts":
      return askedIn(session, given.isWanted);
    case "losses": {
      const request = conversionRequest(session, { to: question.to }, given);
      return reportText(request, await planConversion(request), { isPlan: true });
    }
  }
}

/** The sessions whose content fits what was typed, best first. */
async function contentOf(
  { text, filters }: ContentQuestion,
  { finding, env, agents }: Answering,
): Promise<Answers["search"]> {
  const finder = await finding;
  const wanted = { sessions: limits.contentSessions, events: 1, soFar: finder.pending > 0 };
  const searched = (query: string): Promise<Found> =>
    finder.search({ text: query, mode: "words", filters }, wanted);
  const exact = allOf(text);
  const withAll = exact === undefined ? undefined : await searched(exact);
  const isAll = withAll !== undefined && withAll.totalSessions > 0;
  const found = isAll ? withAll : await searched(typedSoFar(text));
  const headOf = headReader({ env, agents });
  const hits = found.sessions.flatMap(({ ref, gone, events }) => {
    const agent = agents.find(({ name }) => name === ref.agent);
    const head = gone || agent === undefined ? undefined : headOf(agent, ref);
    const event = events.find(({ number }) => number !== "")?.number;
    return head === undefined ? [] : [{ ref, head, ...(event !== undefined && { event }) }];
  });
  const [near] = found.instead;
  if (near !== undefined) return { hits, remark: `for ${near.used}` };
  const hasSome = !isAll && hits.length > 0 && /\S\s+\S/.test(text) && !isSearchQuery(text);
  return { hits, remark: hasSome ? `${hits.length} with some of the words` : "" };
}

/** The query for what has all that was typed in one place; undefined if it is in the language of searches. */
function allOf(text: string): string | undefined {
  if (isSearchQuery(text) || text.includes('"')) return undefined;
  const words = text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  if (words.length === 0) return undefined;
  const quoted = words.map((word) => `"${word}"`).join(" ");
  return /[\p{L}\p{N}]$/u.test(text) ? `${quoted}*` : quoted;
}

/** The last word may still be growing. */
function typedSoFar(text: string): string {
  return /(?:^|\s)-?[\p{L}\p{N}]+$/u.test(text) ? `${text}*` : text;
}

/** Reads the rest into the index a little at a time: keys and questions come first. */
async function build(finder: Finder, keys: Int32Array): Promise<void> {
  if (finder.pending === 0) return;
  const told = progressText();
  const sinceMs = uptimeMs();
  let text = "";
  const onProgress = (done: IndexDone): void => {
    text = told(done, uptimeMs());
  };
  let pressed = Atomics.load(keys, 0);
  const isStill = (): boolean => pressed === Atomics.load(keys, 0);
  const step = { ms: stepMs, isWanted: isStill, onProgress };
  while (!isClosing && (await finder.goOn(step))) {
    // Once in a step, not with each session: the screen is drawn anew for it, and a key waits behind that.
    if (uptimeMs() - sinceMs > quietMs) tell({ kind: "building", text: `Indexing ${text}` });
    await new Promise((then) => setImmediate(then));
    while (!isStill() && !isClosing) {
      pressed = Atomics.load(keys, 0);
      await pause(stillMs);
    }
  }
  tell({ kind: "building", text: "" });
}

function whyOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n", 1)[0]!;
}
