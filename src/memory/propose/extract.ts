import type { AgentEvent } from "../../agents/contract.ts";
import { isObject } from "../../base/json.ts";
import { eventText } from "../../catalog/index/event-text.ts";
import type { Proposal, ProposalKind } from "./proposal.ts";
import { type SaidSentence, saidSentences } from "./said-sentences.ts";

/*
 * What a session may teach, by rules alone: what the user asked to remember, prefers, decided, corrected or stated, and
 * which commands worked again and again. What a tool printed and what a model said is never taken for a fact.
 */

const asked =
  /^(?:please[, ]+)?(?:remember|note|keep in mind|don't forget|do not forget)(?: that| this|:|,)?\s+(?!to me\b|when\b|how\b|the time\b)(\S.+)$/i;
const lasting =
  /^(?:from now on|for the future|in (?:the )?future|going forward)\b[,:]?\s*(\S.+)$/i;
/** Asks for it: that something always runs somewhere says how things are. */
const told =
  /(?:^|[,;:(—–]\s*|\b(?:should|must|you)\s+|^(?:in|for|on|at|with|when|whenever|if|before|after)\b.*\s)(?:always (?:use|run|write|add|keep|put|ask)|never (?:use|run|write|add|commit|push|touch|edit))\b/i;
const rules: readonly (readonly [kind: ProposalKind, pattern: RegExp])[] = [
  [
    "preference",
    /\b(?:i (?:always |usually )?(?:prefer|like to|want you to always|want you to never)|please (?:always|never|don't ever)|we (?:always|never)|our (?:convention|style|standard) is)\b/i,
  ],
  ["preference", told],
  [
    "decision",
    /\b(?:let'?s (?:use|go with|switch to|stick with|keep)|we(?:'ll| will)? (?:decided|agreed|settled|go with|use|switched)|i(?:'ve)? decided|decision:|we chose|go with)\b/i,
  ],
  [
    "correction",
    /^(?:(?:no|nope|wrong)[,:.!;—-]+|(?:not quite|actually|that'?s (?:wrong|not right|incorrect))\b[,:.!;—-]*)\s+\S.{8,}/i,
  ],
  [
    "fact",
    /^(?:the|our|this|we|production|staging)\b.{2,80}?\b(?:is|are|lives?|runs?|uses?|listens?|must|needs?|requires?|deploys?|belongs?)\b\s+\S/i,
  ],
];

const mostOfKind = 12;
/** A command that worked so often is worth knowing. */
const workedTimes = 2;
const commandShape =
  /^(?:npm|npx|pnpm|yarn|bun|make|cargo|go|pytest|python3? -m|uv|poetry|mvn|gradle|\.\/gradlew|dotnet|rake|bundle|just|tox|ruff|deno|composer|mix|swift|bazel) [\w@:./=+ -]{1,100}$/;

/** Gathers what the events of one session propose, in the order they come. */
export class Extraction {
  readonly #found: Proposal[] = [];
  readonly #calls = new Map<string, string>();
  readonly #worked = new Map<string, { count: number; event: string }>();

  /** Looks at one event. */
  take({ number, body }: AgentEvent): void {
    if (body.type === "tool_use") {
      const command = isObject(body.input) ? body.input["command"] : undefined;
      if (typeof command === "string" && commandShape.test(command.trim()))
        this.#calls.set(body.call, command.trim());
      return;
    }
    if (body.type === "tool_result") {
      const command = this.#calls.get(body.call);
      this.#calls.delete(body.call);
      if (command === undefined || body.isError === true) return;
      const count = (this.#worked.get(command)?.count ?? 0) + 1;
      this.#worked.set(command, { count, event: number });
      return;
    }
    if (body.type !== "user" || body.injected === true || body.ran === true) return;
    const text = eventText(body)?.text ?? "";
    for (const sentence of saidSentences(text)) {
      const proposal = proposalOf(sentence);
      if (proposal !== undefined) this.#found.push({ ...proposal, event: number });
    }
  }

  /** What was found, of each kind the newest. */
  proposals(): readonly Proposal[] {
    const commands = [...this.#worked]
      .filter(([, { count }]) => count >= workedTimes)
      .map(([text, { event }]): Proposal => {
        return { kind: "command", text, provenance: "tool", event, stated: false };
      });
    const all = [...this.#found, ...commands];
    const kinds = new Set(all.map(({ kind }) => kind));
    return [...kinds].flatMap((kind) => all.filter((one) => one.kind === kind).slice(-mostOfKind));
  }
}

function proposalOf({ text, isOwn }: SaidSentence): Omit<Proposal, "event"> | undefined {
  if (text.endsWith("?")) return undefined;
  const wanted = asked.exec(text)?.[1] ?? lasting.exec(text)?.[1];
  if (wanted !== undefined) {
    const kind = rules.find(([, pattern]) => pattern.test(wanted))?.[0] ?? "preference";
    return { kind, text: wanted, provenance: "user", stated: isOwn };
  }
  const kind = rules.find(([, pattern]) => pattern.test(text))?.[0];
  // Plans and reports that were pasted are full of statements; those a person typed are meant.
  if (!isOwn && (kind === "fact" || kind === "correction")) return undefined;
  return kind && { kind, text, provenance: "user", stated: false };
}
