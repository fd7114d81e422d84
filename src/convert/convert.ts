import type { Agent, AgentWriter, Holds, Written } from "../agents/contract.ts";
import { type Source, sourceBatches, sourceEvents } from "../agents/source.ts";
import type { Environment } from "../base/env.ts";
import { RepriseError } from "../base/errors.ts";
import { failpoint } from "../base/failpoint.ts";
import type { JsonObject } from "../base/json.ts";
import { estimateTokens } from "../context/estimate.ts";
import { summarise } from "../context/summarise.ts";
import { type Damage, damageSentence } from "../model/damage.ts";
import type { EventId, SessionEvent } from "../model/event.ts";
import type { SessionHead } from "../model/head.ts";
import { idOfHead, nameOfHead } from "../model/head-name.ts";
import { type Loss, mayBeLost } from "../model/loss.ts";
import type { OutgoingAbout, OutgoingAssistant, OutgoingMessage } from "../model/outgoing.ts";
import { Addition } from "../store/addition.ts";
import { conversionKind } from "../store/copies.ts";
import { userHome } from "../store/home.ts";
import { ownAgent } from "../store/own-agent.ts";
import { budgetFor, type Cut, cutFor } from "./budget.ts";
import { flattened } from "./flatten.ts";
import { Normaliser } from "./normalise.ts";
import { mapPath, type PathMapping } from "./path-map.ts";
import { refuseKind } from "./refuse-kind.ts";
import { Losses, losesConversation } from "./report.ts";
import type { ConvertedSize } from "./size.ts";
import { difference, Expectation } from "./verify.ts";

/** What to convert, and how. */
export interface ConvertRequest {
  readonly source: Source;
  readonly head: SessionHead;
  readonly target: Agent;
  readonly env: Environment;
  /** Where the target shall run; the session's own folder, mapped, if absent. */
  readonly cwd?: string | undefined;
  readonly mappings?: readonly PathMapping[];
  /** Keep the newest turns within this many tokens; the target model's window where it is known. */
  readonly budgetTokens?: number | undefined;
  readonly title?: string | undefined;
  /** Refuse where anything of the conversation would be lost. */
  readonly strict?: boolean | undefined;
  /** Write what a sealed session says where it can be read. */
  readonly unseal?: boolean | undefined;
  /** What the journal's entry says besides. */
  readonly journal?: JsonObject | undefined;
}

/** What a conversion carries over, and what it does not. */
export interface ConvertReport {
  readonly messages: number;
  readonly losses: readonly Loss[];
  /** Losses that the table of allowed losses does not name; none in a sound conversion. */
  readonly unexpected: readonly Loss[];
  readonly damage: string | undefined;
  /** Where the last step alone is longer than the budget: it is kept whole all the same. */
  readonly overBudget?: { readonly tokens: number; readonly budgetTokens: number };
  /** Where a budget was given, or the window of the target's model is known. */
  readonly size?: ConvertedSize;
}

/** A session in its new home. */
export interface Converted extends ConvertReport {
  readonly written: Written;
  /** The journal entry that undoes it. */
  readonly entry: EventId;
}

/** Says what a conversion would do, without writing anything. */
export async function planConversion(request: ConvertRequest): Promise<ConvertReport> {
  const conversation = await open(request, await writerFor(request));
  let messages = 0;
  for await (const _message of conversation.messages()) messages += 1;
  if (messages === 0) throw empty(request);
  return conversation.report(messages);
}

/**
 * Writes a session into another agent's store. Order: read and plan, stage, write down in the journal what will be added,
 * publish, read back with the target's reader and compare, write down that it was added; a difference removes what was
 * written.
 */
export async function convert(request: ConvertRequest): Promise<Converted> {
  const { env } = request;
  const writer = await allowedWriter(request);
  if (request.strict) {
    const { losses, overBudget } = await planConversion(request);
    if (overBudget !== undefined) {
      throw new RepriseError(
        "conflict",
        `The last step alone is about ${inWords(overBudget.tokens)} tokens, over the budget of ${inWords(overBudget.budgetTokens)}; nothing was written.`,
        { details: { overBudget } },
      );
    }
    if (losesConversation(losses)) {
      throw new RepriseError(
        "conflict",
        "Something of the conversation would be lost; nothing was written.",
        {
          details: { losses },
        },
      );
    }
  }
  const conversation = await open(request, writer);
  const expectation = new Expectation(writer);
  const watched = async function* (): AsyncGenerator<OutgoingMessage> {
    for await (const message of conversation.messages()) {
      expectation.add(message);
      yield message;
    }
    if (expectation.messages === 0) throw empty(request);
  };
  const { agent } = request.head;
  const told = (written: Written): JsonObject => {
    const { ref } = written;
    const to = { agent: ref.agent, session: ref.session };
    const { at: event } = request.source;
    const from = { agent, session: idOfHead(request.head), ...(event !== undefined && { event }) };
    return { ...request.journal, from, to, written };
  };
  let made: Written | undefined;
  const intend = (written: Written): void => {
    made = written;
    addition.intend(told(written));
  };
  const takeBack = async (): Promise<unknown> => made && writer.takeBack(made, env);
  const addition = new Addition(userHome(env), conversionKind, takeBack);
  return addition.during(async () => {
    const { staging } = addition;
    const about = aboutOf(request, conversation.isShortened);
    const written = await writer.write(watched(), { env, about, staging, intend });
    // A writer of others may not know of intentions: late is better than never.
    intend(written);
    await compare(request, { writer, written, expectation });
    for (const loss of written.losses)
      conversation.losses.add(loss.field, loss.effect, loss.reason, loss.count);
    const report = conversation.report(expectation.messages);
    const entry = addition.record({ ...told(written), losses: report.losses });
    return { ...report, written, entry };
  });
}

/** The target's writer; throws where the session may not be written for it. */
export async function allowedWriter(request: ConvertRequest): Promise<AgentWriter> {
  const writer = await writerFor(request);
  refuseUnsealing(request, writer);
  return writer;
}

/** What is made of a sealed session is sealed, unless the user said otherwise (P10). */
function refuseUnsealing({ head, target, unseal }: ConvertRequest, { seals }: AgentWriter): void {
  if (head.sealed !== true || seals === true || unseal === true) return;
  throw new RepriseError(
    "sealed",
    `Session ${head.session} is sealed, and ${target.title} would hold it so that anybody can read it.`,
    { hint: "Nothing was written. Give --unseal if that is what you want." },
  );
}

async function writerFor({ target, head }: ConvertRequest): Promise<AgentWriter> {
  refuseKind(head);
  if (target.writer !== undefined) return target.writer();
  throw new RepriseError("unsupported", `Sessions cannot be written for ${target.title}.`);
}

/** Throws `damaged` where what was written is not read back as it was meant. */
async function compare(
  { target }: ConvertRequest,
  at: {
    readonly writer: AgentWriter;
    readonly written: Written;
    readonly expectation: Expectation;
  },
): Promise<void> {
  const { writer, written, expectation } = at;
  const found = await difference({ agent: target, ref: written.ref }, writer, expectation);
  failpoint("addition.compared");
  if (found === undefined) return;
  throw new RepriseError(
    "damaged",
    `The written session did not read back correctly: ${found}. It was removed.`,
  );
}

interface Conversation {
  readonly losses: Losses;
  /** Its first turns are left out, and with them the prompt that may be its title. */
  readonly isShortened: boolean;
  messages(): AsyncGenerator<OutgoingMessage>;
  report(messages: number): ConvertReport;
}

/** Reads the source as often as it is asked for; a budget needs one pass to measure before the real one. */
async function open(request: ConvertRequest, { holds }: AgentWriter): Promise<Conversation> {
  const losses = new Losses();
  const damage: Damage[] = [];
  const whole = (): AsyncGenerator<OutgoingMessage> =>
    normalised({ request, holds }, new Losses(), () => undefined);
  const budget = request.budgetTokens ?? budgetFor(request.head.model);
  const measured = budget === undefined ? undefined : await cutFor(whole(), budget);
  const over =
    budget !== undefined && measured !== undefined && measured.keptTokens > budget
      ? { overBudget: { tokens: measured.keptTokens, budgetTokens: budget } }
      : {};
  const cut = measured?.from === 0 ? undefined : measured;
  const summary = cut === undefined ? undefined : await summaryBefore({ request, holds }, cut);
  if (cut !== undefined) {
    const unseen = summary?.unseenEvents ?? 0;
    const seen =
      unseen === 0 ? "" : `; the summary looks past ${inWords(unseen)} events in the middle`;
    const room =
      request.budgetTokens === undefined
        ? "the target's window"
        : `the budget of ${inWords(request.budgetTokens)}`;
    const reason = `all ${inWords(cut.tokens)} tokens do not fit ${room}${seen}`;
    losses.add("earlier turns", "summarised", reason, cut.from);
  }
  return {
    losses,
    isShortened: cut !== undefined,
    messages() {
      damage.length = 0;
      const all = normalised({ request, holds }, losses, (found) => damage.push(found));
      const kept = cut === undefined ? all : after(all, { cut, summary: summary?.text ?? "" });
      return holds.tools === false ? flattened(kept, losses) : kept;
    },
    report: (messages) => ({
      messages,
      losses: losses.list(),
      unexpected: losses
        .list()
        .filter((loss) => losesConversation([loss]) && !mayBeLost(loss, request.target.losses)),
      damage: damageSentence(damage),
      ...over,
      ...(measured !== undefined && {
        size: sizeOf(measured, { budget: budget!, summary: summary?.text }),
      }),
    }),
  };
}

function sizeOf(
  { tokens, keptTokens }: Cut,
  { budget, summary }: { readonly budget: number; readonly summary: string | undefined },
): ConvertedSize {
  const whole = { wholeTokens: tokens, budgetTokens: budget };
  if (summary === undefined) return { tokens, ...whole };
  const summaryTokens = estimateTokens(summary);
  return { tokens: keptTokens + summaryTokens, ...whole, summaryTokens };
}

function inWords(number: number): string {
  return number.toLocaleString("en");
}

/** The messages from the cut on, behind the summary of those before it. */
async function* after(
  messages: AsyncIterable<OutgoingMessage>,
  { cut, summary }: { readonly cut: Cut; readonly summary: string },
): AsyncGenerator<OutgoingMessage> {
  let index = 0;
  for await (const message of messages) {
    if (index === cut.from) yield { role: "summary", text: summary, at: message.at };
    if (index >= cut.from) yield message.role === "assistant" ? withoutUsage(message) : message;
    index += 1;
  }
}

/** What was counted with the earlier turns says nothing about a context without them. */
function withoutUsage({ usage: _usage, ...message }: OutgoingAssistant): OutgoingAssistant {
  return message;
}

/** A request, and what its target takes. */
interface Planned {
  readonly request: ConvertRequest;
  readonly holds: Holds;
}

function normalised(
  planned: Planned,
  losses: Losses,
  onDamage: (damage: Damage) => void,
): AsyncGenerator<OutgoingMessage> {
  const { source } = planned.request;
  return normaliserFor(planned, losses).all(sourceBatches(source, onDamage));
}

function normaliserFor({ request, holds }: Planned, losses: Losses): Normaliser {
  const { source, head, target, mappings = [] } = request;
  return new Normaliser({
    holds,
    sameAgent: source.agent.name === target.name,
    keepsNative: source.agent.name === target.name || target.name === ownAgent,
    from: source.agent.tools,
    to: target.tools,
    mappings,
    losses,
    beganAt: head.createdAt ?? head.updatedAt,
  });
}

/** Events a summary looks at: the first quarter of them from the beginning, the rest from the end. */
const summarisedEvents = 4_000;

/** What the model is reported the turns that do not fit: the session's own summary and what followed it. */
async function summaryBefore(
  planned: Planned,
  cut: Cut,
): Promise<{ readonly text: string; readonly unseenEvents: number }> {
  const normaliser = normaliserFor(planned, new Losses());
  const events: SessionEvent[] = [];
  let messages = 0;
  let id = 0;
  for await (const { at, body } of sourceEvents(planned.request.source)) {
    for (const _message of normaliser.next({ at, body })) messages += 1;
    if (messages > cut.from) break;
    id += 1;
    events.push({ id, at: at ?? "", ...body });
    if (events.length > summarisedEvents) events.splice(summarisedEvents / 4, 1);
  }
  const text = summarise(events, { budgetTokens: 4_000 });
  return { text, unseenEvents: id - events.length };
}

function aboutOf(request: ConvertRequest, isShortened: boolean): OutgoingAbout {
  const { head, env } = request;
  const title = request.title ?? (head.titled || isShortened ? head.title : undefined);
  const own = head.cwd === undefined ? undefined : mapPath(head.cwd, request.mappings ?? []);
  const { git, model, createdAt, updatedAt } = head;
  return {
    cwd: request.cwd ?? own ?? env.cwd,
    ...(title !== undefined && { title }),
    ...(git !== undefined && { git }),
    ...(model !== undefined && { model }),
    createdAt: createdAt ?? updatedAt,
    updatedAt,
    from: { agent: head.agent, session: idOfHead(head) },
    ...(head.sealed === true && { sealed: true }),
  };
}

function empty(request: ConvertRequest): RepriseError {
  return new RepriseError(
    "bad_input",
    `${nameOfHead(request.head)} holds no conversation to convert.`,
  );
}
