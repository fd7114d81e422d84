import { asArray, asString, isObject, type JsonObject } from "../../../base/json.ts";
import type { SessionState } from "../../../model/head.ts";
import { titleOfPrompt } from "../../../model/title.ts";
import type { Usage } from "../../../model/usage.ts";
import { partsOf } from "../../gemini-parts.ts";
import { usageOf } from "../read/bodies.ts";
import { shownText, textOfParts } from "../read/content.ts";
import { isCommand, typedText } from "../typed-text.ts";

/** What a few messages of a session tell a head; filled from the start and from the end. */
export class HeadFacts {
  prompt: string | undefined;
  /** Whether there is a prompt, title or not. */
  asked = false;
  /** The first command, which names a session that has no prompt. */
  command: string | undefined;
  answered = false;
  summary: string | undefined;
  updatedAt: string | undefined;
  model: string | undefined;
  usage: Usage | undefined;
  state: SessionState | undefined;

  /** A message near the start; true once a prompt is known. */
  early(message: JsonObject): boolean {
    if (message["type"] === "gemini") this.answered = true;
    if (message["type"] === "user" && this.prompt === undefined) {
      const typed = promptOf(message);
      if (typed !== "" && isCommand(typed)) this.command ??= typed;
      else if (typed !== "") {
        this.asked = true;
        this.prompt = titleOfPrompt(typed) || undefined;
      }
    }
    return this.prompt !== undefined;
  }

  /** A message near the end, the later ones first; true once the end is known. */
  late(message: JsonObject): boolean {
    this.updatedAt ??= asString(message["timestamp"]);
    if (message["type"] === "gemini") {
      this.answered = true;
      this.model ??= asString(message["model"]);
      this.usage ??= usageOf(message["tokens"]);
    }
    this.state ??= stateAfter(message);
    return this.state !== undefined && this.model !== undefined && this.usage !== undefined;
  }

  /** What a `$set` near the end says. */
  set(fields: JsonObject): void {
    this.summary ??= asString(fields["summary"]);
    this.updatedAt ??= asString(fields["lastUpdated"]);
  }

  /** Whether anybody asked or answered anything: a file without is not a session. */
  get isSession(): boolean {
    return this.answered || this.asked;
  }
}

/** What a person typed in a message, as the screen showed it; empty where a program wrote it. */
export function promptOf(message: JsonObject): string {
  const shown = typedText(shownText(message)).trim();
  if (shown !== "") return shown;
  const parts = partsOf(message["content"]).filter(
    (part) => part["functionResponse"] === undefined,
  );
  return parts
    .map((part) => typedText(asString(part["text"]) ?? ""))
    .join(" ")
    .trim();
}

/** How a session stands if this is its last message; undefined if the message does not tell. */
function stateAfter(message: JsonObject): SessionState | undefined {
  switch (message["type"]) {
    case "gemini": {
      const calls =
        asArray(message["toolCalls"]).length > 0 ||
        partsOf(message["content"]).some((part) => isObject(part["functionCall"]));
      return calls || textOfParts(partsOf(message["content"])) === "" ? "interrupted" : "waiting";
    }
    case "user": {
      const answersTool = partsOf(message["content"]).some((part) =>
        isObject(part["functionResponse"]),
      );
      const typed = promptOf(message);
      return answersTool || (typed !== "" && !isCommand(typed)) ? "interrupted" : undefined;
    }
    default:
      return undefined;
  }
}
