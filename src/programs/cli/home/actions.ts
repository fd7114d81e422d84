import { existsSync } from "node:fs";
import { join } from "node:path";
import { type NamedSession, referenceTo } from "../../../agents/reference.ts";
import { continueSession } from "../commands/continue.ts";
import { showSession } from "../commands/show.ts";
import { goOn } from "../resume/go-on.ts";
import type { Invocation } from "../run/command.ts";
import { isNative } from "../sessions/native.ts";
import { hasPager } from "../terminal/pager.ts";
import { lineOf } from "../terminal/picker/typed-line.ts";
import { copySequence } from "./clipboard.ts";
import type { After, Home, HomeActions } from "./home.ts";
import type { Item } from "./item.ts";
import type { Action } from "./key-table.ts";
import { type Menu, shownChoices } from "./menu.ts";
import {
  agentMenu,
  agreeMenu,
  endingMenu,
  exportMenu,
  filterMenu,
  forkMenu,
  looking,
  startMenu,
} from "./menus.ts";
import { shownWords } from "./shown-words.ts";
import {
  type Chosen,
  type Front,
  type HomeState,
  type Purpose,
  toggled,
  withChosen,
} from "./state.ts";
import { runQuietly, runTyped } from "./typed-command.ts";

/** What the keys of the home screen do, each by the command that does it; `invocation` has how sessions are shown. */
export function homeActions(invocation: Invocation): HomeActions {
  return {
    act: ({ action, item }, home) => {
      if (action === "filter")
        return opened(home, filterMenu(home.state.items, home.state.filter), { purpose: action });
      if (action === "undo") return undoLast(home);
      if (item === undefined) return said(home, "Nothing matches. Esc clears what is typed.");
      if (!home.isThere(item))
        return stayed({ ...home.refresh(), message: `“${item.title}” is not there any more.` });
      return act(action, item, home, invocation);
    },
    chosen: (chosen, home) => carryOut(chosen, home),
  };
}

async function stayed(state: HomeState): Promise<After> {
  return { kind: "stay", state };
}

function said(home: Home, message: string): Promise<After> {
  return stayed({ ...home.state, message });
}

function opened(
  home: Home,
  menu: Menu,
  about: { readonly purpose: Purpose; readonly item?: Item },
): Promise<After> {
  return stayed({ ...home.state, front: { kind: "menu", menu, ...about } });
}

/** Asks whether the last change is to be undone, also one that was not made on this screen. */
async function undoLast(home: Home): Promise<After> {
  const { text, failed } = await quietly(["undo", "--list"], home);
  const [last = ""] = text.split("\n");
  if (failed || !/^\s*\d/.test(last)) return said(home, text);
  return opened(home, agreeMenu("Undo the last change?", last), { purpose: "undo" });
}

async function act(
  action: Exclude<Action, "filter" | "undo">,
  item: Item,
  home: Home,
  invocation: Invocation,
): Promise<After> {
  const ref = referenceTo(item.session);
  switch (action) {
    case "show":
      if (home.options.verb !== "show") return resumed(item, home, invocation);
      return { kind: "away", run: () => shown(item, home, invocation) };
    case "resume":
      return resumed(item, home, invocation);
    case "resumeIn":
      askLosses(home);
      return opened(home, agentMenu(item, home.context), { purpose: action, item });
    case "fork": {
      const { ref: place, head } = item.session;
      const prompts = await home.reader.ask({ kind: "prompts", ref: place, head });
      return opened(home, forkMenu(item, prompts), { purpose: action, item });
    }
    case "copy":
      process.stdout.write(copySequence(ref));
      return said(home, `Sent ${ref} to the terminal's clipboard.${tmuxNote(home)}`);
    case "export":
      return opened(home, exportMenu(item), { purpose: action, item });
    case "tag":
      return stayed({ ...home.state, front: tagLine(item, "") });
    case "pin": {
      const isPinned = item.session.head.pinned === true;
      const { failed, text } = await quietly(["tag", ref, isPinned ? "--unpin" : "--pin"], home);
      if (failed) return said(home, text);
      return stayed({ ...home.renewed(item), message: isPinned ? "Unpinned" : "Pinned" });
    }
    case "delete": {
      const { text, asks } = await quietly(["delete", ref], home);
      if (!asks) return said(home, text);
      return opened(home, agreeMenu(`Delete “${item.title}”?`, text), { purpose: action, item });
    }
  }
}

/** The line on which tags are typed. */
function tagLine(item: Item, text: string): Front {
  const { tags = [] } = item.session.head;
  const now = tags.length === 0 ? "" : `, now ${tags.map((tag) => `#${tag}`).join(" ")}`;
  const title = `Add tags (-word removes)${now}:`;
  return { kind: "line", title, line: lineOf(text), item };
}

/** Shows a session, with the pager of the user where there is one: then the screen comes back. */
async function shown(item: Item, home: Home, invocation: Invocation): Promise<boolean> {
  const { context } = home;
  const match = home.state.content.find(({ item: { key } }) => key === item.key);
  const named: NamedSession = item.session;
  const stays = hasPager(context);
  try {
    await showSession(named, invocation, context, {
      stays: true,
      ...(match?.event !== undefined && { at: match.event, words: shownWords(home.state.query) }),
    });
  } catch (error) {
    if (!stays) throw error;
    const message = error instanceof Error ? error.message : String(error);
    home.state = { ...home.refresh(), message };
  }
  return stays;
}

function resumed({ session }: Item, { context }: Home, invocation: Invocation): Promise<After> {
  const run = async (): Promise<boolean> => {
    await (isNative(session)
      ? continueSession(session, invocation, context)
      : goOn(session, { invocation, context }));
    return false;
  };
  return Promise.resolve({ kind: "away", run });
}

async function carryOut({ purpose, value, item }: Chosen, home: Home): Promise<After> {
  const { state, context } = home;
  if (purpose === "filter") return stayed(toggled(state, value));
  if (purpose === "undo") return value === "yes" ? changed(["undo", "--yes"], home) : stayed(state);
  if (item === undefined) return stayed(state);
  const ref = referenceTo(item.session);
  switch (purpose) {
    case "resumeIn": {
      const target = context.agents.find(({ name }) => name === value);
      if (target === undefined) return stayed(state);
      return opened(home, startMenu(target, context.env), { purpose: "start", item });
    }
    case "start": {
      const [what, name = ""] = value.split(" ");
      // What there is to agree to was said in the menu.
      const target = context.agents.find((agent) => agent.name === name);
      const agreed = target?.warning === undefined ? [] : ["--yes"];
      if (what === "write") return changed(["fork", ref, "--in", name, ...agreed], home);
      const run = async (): Promise<boolean> => {
        await runTyped(["resume", ref, "--in", name, ...agreed], context);
        return false;
      };
      return { kind: "away", run };
    }
    case "fork":
      if (value !== "") return opened(home, endingMenu(value), { purpose: "ending", item });
      return changed(["fork", ref], home);
    case "ending": {
      const [event, ...flags] = value.split(" ");
      return changed(["fork", `${ref}@${event}`, ...flags], home);
    }
    case "export": {
      const file = freeName(context.folder, item.title, value);
      const { text } = await quietly(["export", ref, "--format", value, "--output", file], home);
      return said(home, text);
    }
    case "tag": {
      const words = value.split(/[\s,]+/).filter(Boolean);
      if (words.length === 0) return stayed(state);
      const flags = words.flatMap((word) =>
        word.startsWith("-") ? ["--remove", word.slice(1)] : [word],
      );
      const { failed, text } = await quietly(["tag", ref, ...flags], home);
      // What was typed is mended, not typed again.
      if (failed) return stayed({ ...state, front: tagLine(item, value), message: text });
      const renewed = home.renewed(item);
      const { tags = [] } = renewed.items.find(({ key }) => key === item.key)?.session.head ?? {};
      const message = tags.length === 0 ? "No tags are left" : `Tags: ${tags.join(", ")}`;
      return stayed({ ...renewed, message });
    }
    case "delete":
      return value === "yes" ? changed(["delete", ref, "--yes"], home) : stayed(state);
    default:
      return stayed(state);
  }
}

/** Runs a command that changes which sessions there are; one that it made is chosen then. */
async function changed(argv: readonly string[], home: Home): Promise<After> {
  const { failed, text, result } = await quietly(argv, home);
  if (failed) return said(home, text);
  const state = home.refresh();
  const isMade = ({ session }: Item): boolean =>
    [referenceTo(session), session.head.session].includes(result);
  const made = state.items.find(isMade);
  // A reference is for programs; its session is seen.
  const message = text
    .split("\n")
    .filter((line) => line !== result)
    .join("\n");
  if (made === undefined) return stayed({ ...state, message });
  return stayed({ ...withChosen(state, made), message });
}

/** What the clipboard of a terminal within tmux needs. */
function tmuxNote({ context }: Home): string {
  const { TMUX = "" } = context.env.variables;
  return TMUX === "" ? "" : " In tmux it arrives only with `set -s set-clipboard on`.";
}

function quietly(argv: readonly string[], { context }: Home): ReturnType<typeof runQuietly> {
  return runQuietly(argv, { ...context, nowMs: Date.now() });
}

/** Finds out what would be lost in each agent of the menu, the chosen one first, while the menu is open. */
function askLosses(home: Home): void {
  const next = async (): Promise<void> => {
    const { front } = home.state;
    if (front.kind !== "menu" || front.purpose !== "resumeIn" || front.item === undefined) return;
    const shown = shownChoices(front.menu);
    const unknown = [...shown.slice(front.menu.at), ...shown].find(({ says }) => says === looking);
    if (unknown === undefined) return;
    const { ref, head } = front.item.session;
    const to = unknown.value;
    const losses = await home.reader
      .ask({ kind: "losses", ref, head, to })
      .catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
    const warning = home.context.agents.find(({ name }) => name === to)?.warning;
    const says = warning === undefined ? losses : `${warning}\n${losses}`;
    const { front: now } = home.state;
    if (now.kind !== "menu" || now.item !== front.item) return;
    const choices = now.menu.choices.map((one) => (one.value === to ? { ...one, says } : one));
    home.show({ ...home.state, front: { ...now, menu: { ...now.menu, choices } } });
    return next();
  };
  setImmediate(() => void next());
}

/** A name for a file that is not there yet, made of a title. */
function freeName(folder: string, title: string, ending: string): string {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const name = words.join("-").slice(0, 60).replace(/-$/, "") || "session";
  for (let number = 1; ; number += 1) {
    const file = `${name}${number === 1 ? "" : `-${number}`}.${ending}`;
    if (!existsSync(join(folder, file))) return file;
  }
}
