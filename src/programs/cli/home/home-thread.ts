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
import { wordsOf } from "../../../catalog/query/words.ts";
import { planConversion } from "../../../convert/convert.ts";
import { conversionRequest } from "../../../convert/request.ts";
import { reportText } from "../resume/report-text.ts";
import { type IndexDone, progressText } from "../terminal/index-progress.ts";
import { readFirstPrompts } from "./first-prompts.ts";
import { askedIn, previewLines } from "./preview.ts";
import type {
  Answers,
  Command,
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
  const look = (): Promise<Finder> => openFinder({ env, nowMs, freshenMs: 0 });
  lookThrough(look, keys);
  port.on("message", (question: (Question & { readonly id: number }) | Command) => {
    if (question.kind === "close") return void close();
    if (question.kind === "look") return lookThrough(look, keys);
    const { id, kind } = question;
    newest.set(kind, id);
    const isWanted = (): boolean => !isClosing && newest.get(kind) === id;
    const answer = answerTo(question, { ...machine, finding, isWanted });
    if (kind === "search") answering = Promise.allSettled([answering, answer]);
    answer.then(
      (value) => tell({ kind: "answer", id, value }),
      (error: unknown) => tell({ kind: "failed", id, why: whyOf(error) }),
    );
  });
});

/** The index, and reading into it as long as it goes on. */
let finding: Promise<Finder>;
let building: Promise<void> = Promise.resolve();

/** What is being searched for: until it is answered the index stays open. */
let answering: Promise<unknown> = Promise.resolve();

/** How often it was looked what there is; what belongs to an earlier time stops. */
let looks = 0;

/** Opens the index as it is now, after what is open ended, and reads the rest into it. */
function lookThrough(look: () => Promise<Finder>, keys: Int32Array): void {
  looks += 1;
  const own = looks;
  const before = own === 1 ? undefined : { finding, building, answering };
  finding = (async () => {
    await before?.building;
    await before?.answering;
    await before?.finding.then((finder) => finder.close()).catch(() => {});
    return look();
  })();
  building = finding
    .then((finder) => build(finder, { keys, isOver: () => isClosing || own !== looks }))
    .catch((error: unknown) => tell({ kind: "building", text: whyOf(error) }));
}

let isClosing = false;

/** Ends what is under way and lets go of the index: a thread that is torn out of a database takes the program with it. */
async function close(): Promise<void> {
  isClosing = true;
  try {
    await building;
    (await finding).close();
  } catch {
    // Without an index there is nothing to let go of.
  }
  port.close();
}

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
  const hasSome = !isAll && exact !== undefined && hits.length > 0 && wordsOf(text).length > 1;
  return { hits, remark: hasSome ? `${hits.length} with some of the words` : "" };
}

/** The query for what has all words in one place, with its operators; undefined if it has no words or asks for one of some. */
function allOf(text: string): string | undefined {
  const pieces: readonly string[] = text.match(/-?"[^"]*"?|\S+/g) ?? [];
  const isOperator = (piece: string): boolean => /^-|^"|^[a-z]+:\S/.test(piece);
  const isWord = (piece: string): boolean => !isOperator(piece) && wordsOf(piece).length > 0;
  if (pieces.includes("OR") || !pieces.some(isWord)) return undefined;
  const last = pieces.findLastIndex(isWord);
  const isGrowing = last === pieces.length - 1 && /[\p{L}\p{N}]$/u.test(text);
  return pieces
    .map((piece, at) =>
      isWord(piece)
        ? `"${piece.replaceAll('"', "")}"${isGrowing && at === last ? "*" : ""}`
        : piece,
    )
    .filter((piece) => isOperator(piece) || /[\p{L}\p{N}]/u.test(piece))
    .join(" ");
}

/** The last word may still be growing. */
function typedSoFar(text: string): string {
  return /(?:^|\s)-?[\p{L}\p{N}]+$/u.test(text) ? `${text}*` : text;
}

/** Reads the rest into the index a little at a time: keys and questions come first. */
async function build(
  finder: Finder,
  { keys, isOver }: { readonly keys: Int32Array; isOver(): boolean },
): Promise<void> {
  if (finder.pending === 0) return;
  const told = progressText();
  const sinceMs = uptimeMs();
  let text = "";
  const onProgress = (done: IndexDone): void => {
    text = told(done, uptimeMs());
  };
  let pressed = Atomics.load(keys, 0);
  const isStill = (): boolean => !isOver() && pressed === Atomics.load(keys, 0);
  const step = { ms: stepMs, isWanted: isStill, onProgress };
  while (!isOver() && (await finder.goOn(step))) {
    // Once in a step, not with each session: the screen is drawn anew for it, and a key waits behind that.
    if (uptimeMs() - sinceMs > quietMs) tell({ kind: "building", text: `Indexing ${text}` });
    await new Promise((then) => setImmediate(then));
    while (!isStill() && !isOver()) {
      pressed = Atomics.load(keys, 0);
      await pause(stillMs);
    }
  }
  tell({ kind: "building", text: "" });
}

function whyOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n", 1)[0]!;
}
