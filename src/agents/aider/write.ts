import { statSync } from "node:fs";
import { join } from "node:path";
import { appendPiece, pieceIn, removePiece, stagePiece } from "../../additions/added-piece.ts";
import { timeOf } from "../../base/clock.ts";
import type { Environment } from "../../base/env.ts";
import { RepriseError } from "../../base/errors.ts";
import { gitRootOf } from "../../base/git-root.ts";
import { limits } from "../../base/limits.ts";
import { plainText } from "../../model/block.ts";
import type { OutgoingAbout, OutgoingMessage } from "../../model/outgoing.ts";
import { oneLine } from "../../model/text.ts";
import type { AgentWriter, WriteOptions, Written } from "../contract.ts";
import { kindOfLine, splitLine } from "./line-kind.ts";
import { chosenHistory, historyName } from "./roots.ts";
import { runsOf } from "./runs.ts";
import { startMark } from "./start-line.ts";

/** Adds a run to the history of a project, by one append, so that restoring it gives back every word. */
export const writer: AgentWriter = {
  holds: {
    thinking: "never",
    images: [],
    resultImages: true,
    files: false,
    tools: false,
  },
  unmarked,
  write,
  takeBack,
};

async function write(
  messages: AsyncIterable<OutgoingMessage>,
  { about, env, staging, intend }: WriteOptions,
): Promise<Written> {
  const path = historyOf(env, about.cwd);
  const pieces = [opening(about)];
  let chars = 0;
  for await (const message of messages) {
    const piece = pieceOf(message);
    chars += piece.length;
    if (chars > limits.appendedHistoryBytes) throw tooLong();
    pieces.push(piece);
  }
  const piece = stagePiece(path, pieces.join(""), { staging });
  const history = piece.print;
  const losses = lossesOf(about);
  const place = { agent: "aider", path, modifiedMs: Date.now() };
  const planned = { ...place, session: "", sizeBytes: history.sizeBytes };
  intend?.({ ref: planned, files: [], rows: { history }, losses });
  appendPiece(piece);
  const run = runsOf(path).findLast(({ offset }) => offset >= history.offset);
  if (run === undefined) {
    removePiece(history);
    throw new RepriseError("damaged", `${path} does not show the run that was added to it.`);
  }
  const ref = {
    ...place,
    session: run.session,
    sizeBytes: run.end - run.offset,
    modifiedMs: statSync(path).mtimeMs,
    part: `${run.ordinal}`,
  };
  return { ref, files: [], rows: { history }, losses };
}

async function takeBack({ rows }: Written): Promise<readonly never[]> {
  const history = pieceIn(rows?.["history"]);
  if (history === undefined) throw new RepriseError("bad_input", "Nothing was written here.");
  removePiece(history);
  return [];
}

/** The history the program would use in a folder. */
function historyOf(env: Environment, cwd: string): string {
  return chosenHistory(env, cwd) ?? join(gitRootOf(cwd) ?? cwd, historyName);
}

/** A start line, and where the run comes from in a line the model is never shown. */
function opening({ createdAt, title, from }: OutgoingAbout): string {
  const date = new Date(timeOf(createdAt) ?? Date.now());
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");
  const name = title === undefined ? "" : `${oneLine(title, limits.titleChars)}: `;
  const origin = oneLine(`${from.agent}:${from.session}`, limits.titleChars);
  return `\n${startMark}${day} ${time}\n\n> ${name}continued from ${origin}  \n`;
}

function pieceOf(message: OutgoingMessage): string {
  switch (message.role) {
    case "summary":
      return userPiece(message.text);
    case "user":
      return userPiece(plainText(message.content));
    case "assistant":
      return answerPiece(
        message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n"),
      );
    case "results":
      return answerPiece(message.results.map(({ content }) => plainText(content)).join("\n\n"));
  }
}

/** Every line is marked, also where only Python sees that one begins. */
function userPiece(text: string): string {
  const lines = splitLine(text.trim(), true);
  return `\n${lines.map((line) => `#### ${line.text}  ${line.end}`).join("")}\n`;
}

/** A line that would be taken for something else is moved by one space; blank text would be nothing at all. */
function answerPiece(text: string): string {
  const lines = splitLine(text.trim(), true);
  return `\n${lines
    .map((line) => `${kindOfLine(line.text) === "assistant" ? "" : " "}${line.text}${line.end}`)
    .join("")}\n`;
}

/** Without the space before a line that looks marked, and without blanks at the ends of lines. */
function unmarked(text: string): string {
  // Half a character becomes the sign for an unknown one on the way to the file.
  return splitLine(text.toWellFormed(), true)
    .map((line) => line.text.trimEnd().replace(/^ (?=(?:#|>|####)(?: |$))/, ""))
    .join("\n");
}

function lossesOf({ title }: OutgoingAbout): Written["losses"] {
  const reason = "kept in a line that the model is not shown: the target has no titles";
  return title === undefined ? [] : [{ field: "title", effect: "rewritten", count: 1, reason }];
}

function tooLong(): RepriseError {
  return new RepriseError("too_large", "The session is too long for one append to a history.", {
    hint: "Give a budget, so that only the newest turns are carried over.",
  });
}
