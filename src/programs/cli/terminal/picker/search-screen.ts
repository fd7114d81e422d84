import { resolveReference } from "../../../../agents/reference.ts";
import { uptimeMs } from "../../../../base/clock.ts";
import { limits } from "../../../../base/limits.ts";
import type { Finder } from "../../../../catalog/query/finder.ts";
import type { Found, FoundInSession } from "../../../../catalog/query/found.ts";
import { openFinder } from "../../../../catalog/query/library.ts";
import { continueSession } from "../../commands/continue.ts";
import { referenceOf } from "../../render/found.ts";
import { requestFrom, searchOptions } from "../../reports/search-run.ts";
import { goOn } from "../../resume/go-on.ts";
import type { CommandContext, Invocation } from "../../run/command.ts";
import { isNative } from "../../sessions/native.ts";
import { colours as colourSet } from "../colours.ts";
import { type IndexDone, progressText } from "../index-progress.ts";
import { listenToKeys } from "./key-input.ts";
import type { Key } from "./keys.ts";
import { pressKey, type SearchState, searchLines } from "./search-state.ts";
import { drawScreen, openTerminal, screenSize } from "./terminal.ts";

/** Searches as the user types, with a preview of what was found; Enter resumes the session. */
export async function searchOnTerminal(
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  // What is not in the index at once is read while one types.
  const finder = await openFinder({ ...searchOptions(context), freshenMs: openMs });
  const terminal = openTerminal();
  let chosen: FoundInSession | undefined;
  try {
    chosen = await choose(finder, invocation, context);
  } finally {
    terminal.close();
    finder.close();
  }
  if (chosen === undefined) return;
  const session = resolveReference(referenceOf(chosen), context);
  if (isNative(session)) return continueSession(session, invocation, context);
  return goOn(session, { invocation, context });
}

function choose(
  finder: Finder,
  invocation: Invocation,
  context: CommandContext,
): Promise<FoundInSession | undefined> {
  let state: SearchState = {
    query: "",
    at: 0,
    sessions: [],
    says: "type to search",
    building: finder.pending > 0 ? "Indexing" : "",
  };
  let asked = 0;
  /** An answer is on its way, and Enter was pressed before it came. */
  let isAwaited = false;
  let isEntered = false;
  let isOpen = true;
  let building = Promise.resolve();
  const base = requestFrom(invocation);

  const draw = (): void => {
    const { colours, nowMs } = context;
    drawScreen(searchLines(state, { ...screenSize(), colours, plain: colourSet(false), nowMs }));
  };

  return new Promise((resolve) => {
    const finish = (session: FoundInSession | undefined): void => {
      // An answer that comes too late must not be drawn over what is printed next.
      asked += 1;
      isOpen = false;
      stopListening();
      process.stdout.off("resize", draw);
      // The index is let go of behind this.
      resolve(building.then(() => session));
    };
    /** Whether the screen stays after a key. */
    const stays = (key: Key): boolean => {
      const step = pressKey(state, key);
      if (step.kind === "stay") state = step.state;
      else finish(step.kind === "chosen" ? step.session : undefined);
      return step.kind === "stay";
    };
    /** Answers the newest question only: what was typed before it is forgotten. */
    const ask = async (): Promise<void> => {
      asked += 1;
      const number = asked;
      const text = state.query.trim();
      isAwaited = text !== "";
      if (!isAwaited) {
        state = { ...state, sessions: [], at: 0, says: "type to search" };
        draw();
        return;
      }
      const answer = await answerTo(finder, { ...base, text }, state.building !== "");
      if (number !== asked) return;
      isAwaited = false;
      state = { ...state, ...answer, at: 0 };
      if (!isEntered || stays({ name: "enter" })) draw();
    };
    const onKeys = (keys: readonly Key[]): void => {
      const before = state.query;
      isEntered = false;
      for (const key of keys) {
        // Enter takes what the query finds, not what an earlier one found: it waits for the answer.
        isEntered = key.name === "enter" && (isAwaited || state.query !== before);
        if (isEntered) break;
        if (!stays(key)) return;
      }
      draw();
      if (state.query !== before) void ask();
    };
    const stopListening = listenToKeys({ keys: onKeys, end: () => finish(undefined) });
    process.stdout.on("resize", draw);
    draw();
    /** Reads the rest into the index a little at a time, and shows what it finds on the way. */
    const build = async (): Promise<void> => {
      const told = progressText();
      const onProgress = (done: IndexDone): void => {
        state = { ...state, building: `Indexing ${told(done, uptimeMs())}` };
      };
      let askMs = 0;
      while (isOpen && (await finder.goOn({ ms: stepMs, onProgress }))) {
        const nowMs = uptimeMs();
        if (state.query.trim() === "" || isAwaited || nowMs < askMs) draw();
        else {
          await ask();
          // Asking again and again must not take most of the time.
          askMs = uptimeMs() + 2 * (uptimeMs() - nowMs);
        }
        // Keys come first.
        await new Promise((then) => setImmediate(then));
      }
      if (!isOpen || state.building === "") return;
      state = { ...state, building: "" };
      if (state.query.trim() === "") draw();
      else await ask();
    };
    building = build().catch((error: unknown) => {
      const says = error instanceof Error ? error.message : String(error);
      state = { ...state, building: "", says };
      if (isOpen) draw();
    });
  });
}

/** How long the screen waits for the index before it opens, and how long it reads between two keys. */
const openMs = 300;
const stepMs = 150;

async function answerTo(
  finder: Finder,
  request: Parameters<Finder["search"]>[0],
  soFar: boolean,
): Promise<Pick<SearchState, "sessions" | "says">> {
  try {
    const wanted = { sessions: limits.listedSessions, events: limits.foundEvents, soFar };
    const found = await finder.search(typedSoFar(request), wanted);
    return { sessions: found.sessions, says: saysOf(found) };
  } catch (error) {
    // A query that is being typed may be unfinished: an open quote, a filter without its value.
    const message = error instanceof Error ? error.message : String(error);
    return { sessions: [], says: message.split("\n", 1)[0]! };
  }
}

/** The last word may still be growing. */
function typedSoFar(request: Parameters<Finder["search"]>[0]): Parameters<Finder["search"]>[0] {
  const isWord = request.mode === "words" && /(?:^|\s)-?[\p{L}\p{N}]+$/u.test(request.text);
  return isWord ? { ...request, text: `${request.text}*` } : request;
}

function saysOf(found: Found): string {
  const [near] = found.instead;
  const count = `${found.totalSessions}${found.more ? "+" : ""} found`;
  return near === undefined ? count : `${count}, for ${near.used}`;
}
