import { limits } from "../../base/limits.ts";
import type { LoopEvent } from "../../loop/loop-event.ts";
import { plainText } from "../../model/block.ts";
import { count } from "../cli/render/count.ts";
import type { Colours } from "../cli/terminal/colours.ts";
import { safeText } from "../cli/terminal/terminal-text.ts";
import { previewLines } from "./preview.ts";
import type { AnswerWriter } from "./terminal/answer-writer.ts";

/** Where a turn is shown. */
export interface TurnScreen {
  readonly answer: AnswerWriter;
  readonly colours: Colours;
  readonly cwd: string;
  /** What a person sees besides the answer. */
  note(text: string): void;
}

/** Shows what happens in a turn. */
export function showTurn({ answer, colours, cwd, note }: TurnScreen): (event: LoopEvent) => void {
  return (event) => {
    switch (event.type) {
      case "message_update": {
        const { type, delta } = event.assistantMessageEvent;
        if (type === "text_delta") answer.text(delta);
        break;
      }
      case "message_end":
        answer.end();
        if (cutReasons.has(event.stopReason ?? ""))
          note(colours.yellow("The answer was cut: it is as long as the model may say at once."));
        break;
      case "tool_start":
        note(previewLines(event.name, event.input, { cwd, colours }).join("\n"));
        break;
      case "tool_end":
        note(resultText(event, colours));
        break;
      case "resumed":
        note(
          colours.yellow(
            `${count(event.openCalls.length, "call")} had no result when the last process ended; the model knows.`,
          ),
        );
        break;
      case "compacted":
        note(
          colours.dim(
            event.strategy === "rotate"
              ? `The conversation continues in a new session, ${event.session}.`
              : event.strategy === "truncate"
                ? "Earlier turns were left out to make room."
                : "Earlier turns were summarised to make room.",
          ),
        );
        break;
      case "turn_end":
        if (event.reason === "aborted") note(colours.dim("Stopped."));
        if (event.reason === "steps")
          note(colours.yellow(`Stopped after ${event.steps} steps. Say "continue" to continue.`));
        break;
      case "turn_start":
      case "usage":
        break;
    }
  };
}

/** Why models stop that had more to say, in the words of the APIs. */
const cutReasons: ReadonlySet<string> = new Set(["max_tokens", "length", "MAX_TOKENS"]);

function resultText(
  { content, isError }: Extract<LoopEvent, { type: "tool_end" }>,
  colours: Colours,
): string {
  const lines = safeText(plainText(content)).trimEnd().split("\n");
  const shown = lines
    .slice(0, limits.shortToolLines)
    .map((line) => (line.length > 200 ? `${line.slice(0, 200).toWellFormed()}…` : line));
  const rest = lines.length - shown.length;
  if (rest > 0) shown.push(`… ${count(rest, "more line")}`);
  const paint = isError ? colours.red : colours.dim;
  return shown.map((line) => `    ${paint(line)}`).join("\n");
}
