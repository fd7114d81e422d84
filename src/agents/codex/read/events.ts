import { asString, isObject, type JsonObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import type { EventBody, MetaEvent } from "../../../model/event.ts";
import { eventNumber } from "../../../model/event-number.ts";
import type { AgentEvent } from "../../contract.ts";
import { gitOf, type RolloutRecord } from "../record-types.ts";
import { addedTokens, type TokenTotals, tokenReport, usageOf } from "../token-usage.ts";
import { agentBody, callOf, itemBodies } from "./bodies.ts";
import { endsTurn, eventMessage } from "./event-messages.ts";
import { isReplayable } from "./replayable.ts";
import { replacementItems, rewritesHistory, summaryIndex } from "./rewritten-history.ts";

/** What making the events of one record needs from the records before it; safe to keep as JSON. */
export interface EventMakerState {
  readonly totals?: TokenTotals;
  readonly model?: string;
  readonly cwd?: string;
  /** Calls without output yet, with their kind. */
  readonly calls: readonly (readonly [call: string, kind: string])[];
  /** The response that is being written: the number of its first event. */
  readonly message?: string;
  /** The last response's tokens have not been reported yet. */
  readonly awaitsUsage?: boolean;
  /** Reading began in the middle: a call may lie before. */
  readonly partial?: boolean;
}

/** Where a record stands, and which of its events are live. */
export interface RecordPlace {
  readonly number: string;
  /** `copy` as in the live path: part of a compaction. */
  readonly isLive: (copy?: number) => boolean;
  /** For a compaction: whether its k-th item repeats an earlier record, which then stands for it. */
  readonly repeats?: (index: number) => boolean;
}

/** Turns records into events, holding a response back until its tokens are known. */
export interface EventMaker {
  take(record: RolloutRecord, place: RecordPlace): void;
  /** Passes on everything held back; for the end of the file. */
  end(): void;
  /** Events that are ready, emptied by the process that takes them. */
  readonly ready: AgentEvent[];
  /** Whether nothing is held back, so that a cursor may stand here. */
  readonly settled: boolean;
  /** Tokens arrived for a response that was already passed on. */
  readonly late: boolean;
  /** A record was taken that changes what is live of the events before it. */
  readonly rewrote: boolean;
  readonly unknown: Map<string, number>;
  state(): EventMakerState;
}

/** More events than this are not held back for the sake of one number. */
const heldMax = 64;

/** An event maker that goes on from a state. */
export function eventMaker(from: EventMakerState = { calls: [] }): EventMaker {
  let { totals, model, cwd, message } = from;
  let awaitsUsage = from.awaitsUsage ?? false;
  // The response was begun, and passed on, by an earlier read.
  let inherited = awaitsUsage;
  let late = false;
  let rewrote = false;
  const calls = new Map(from.calls);
  const held: AgentEvent[] = [];
  let target = -1;
  const ready: AgentEvent[] = [];
  const unknown = new Map<string, number>();

  const release = (): void => {
    for (const event of held) ready.push(event);
    held.length = 0;
    target = -1;
  };
  const endResponse = (): void => {
    release();
    message = undefined;
    awaitsUsage = false;
    inherited = false;
  };
  const emit = (event: AgentEvent): void => {
    if (target < 0) ready.push(event);
    else {
      held.push(event);
      if (held.length > heldMax) {
        release();
        awaitsUsage = false;
      }
    }
  };
  const emitBodies = (
    record: RolloutRecord,
    place: RecordPlace,
    bodies: readonly EventBody[],
    options: { readonly live?: boolean; readonly uuid?: string } = {},
  ): void => {
    for (const [index, body] of bodies.entries()) {
      emit({
        number: eventNumber(place.number, index + 1),
        ...(index === 0 && options.uuid !== undefined && { uuid: options.uuid }),
        ...(record.at !== undefined && { at: record.at }),
        live: options.live ?? place.isLive(),
        body,
        native: record.native,
      });
    }
  };
  const count = (name: string): void => void unknown.set(name, (unknown.get(name) ?? 0) + 1);
  const keep = (record: RolloutRecord, place: RecordPlace, name: string): void =>
    emitBodies(record, place, [{ type: "custom", name, data: record.payload }]);

  const item = (record: RolloutRecord, place: RecordPlace): void => {
    const { payload } = record;
    const bodies = itemBodies(payload);
    const uuid = asString(payload["id"]);
    const first = bodies[0];
    if (first === undefined) {
      count(`response_item/${record.inner}`);
      emitBodies(record, place, [custom(`response_item/${record.inner}`, payload)], {
        live: false,
      });
      return;
    }
    const live = place.isLive() && isReplayable(payload) && isPaired(payload, place);
    const options = { live, ...(uuid !== undefined && { uuid }) };
    if (first.type === "user" || first.type === "agent") endResponse();
    if (first.type === "tool_result") message = undefined;
    if (first.type !== "assistant" && first.type !== "thinking" && first.type !== "tool_use") {
      emitBodies(record, place, bodies, options);
      return;
    }
    if (message === undefined) {
      endResponse();
      message = place.number;
      awaitsUsage = true;
    }
    const said = { ...first, message, ...(model !== undefined && { model }) };
    // The tokens go to what the model said; to its last call where it said nothing.
    if (awaitsUsage && !(heldBody(held[target]) === "assistant" && said.type !== "assistant")) {
      target = held.length;
    }
    emitBodies(record, place, [said, ...bodies.slice(1)], options);
  };

  /** Codex sends no output without its call, nor one of another kind. */
  const isPaired = (payload: JsonObject, place: RecordPlace): boolean => {
    const kind = callKinds[String(payload["type"])];
    if (kind === undefined) return true;
    const call = callOf(payload);
    if (kind.opens) {
      if (!place.isLive()) return true;
      if (calls.size >= limits.openToolCalls) calls.delete(calls.keys().next().value!);
      calls.set(call, kind.name);
      return true;
    }
    const open = calls.get(call);
    calls.delete(call);
    return open === undefined ? from.partial === true : open === kind.name;
  };

  const compacted = (record: RolloutRecord, place: RecordPlace): void => {
    endResponse();
    calls.clear();
    const summary = asString(record.payload["message"]) ?? "";
    const items = replacementItems(record);
    const at = summaryIndex(items, summary);
    const events: AgentEvent[] = [];
    const base = { ...(record.at !== undefined && { at: record.at }), native: record.native };
    const live = place.isLive(0);
    const body: EventBody = { type: "compaction", summary };
    const own: AgentEvent = { number: place.number, ...base, live, body };
    for (const [index, one] of items.entries()) {
      if (index === at) events.push(own);
      if (index === at || place.repeats?.(index)) continue;
      const [copied = custom(`response_item/${asString(one["type"])}`, one)] = itemBodies(one);
      const isLive = place.isLive(index + 1) && isReplayable(one);
      const number = eventNumber(place.number, index + 2);
      events.push({ number, ...base, live: isLive, body: copied });
    }
    if (at === undefined) events.unshift(own);
    for (const event of events) emit(event);
  };

  const tokens = (type: string, payload: JsonObject): void => {
    const report = tokenReport(type, payload);
    if (report === undefined) return;
    const added = addedTokens(totals, report);
    totals = report.total;
    if (added === undefined || !awaitsUsage) return;
    const event = held[target];
    if (event === undefined || inherited) late = true;
    else held[target] = { ...event, body: withUsage(event.body, added) };
    endResponse();
  };

  const settings = (payload: JsonObject): MetaEvent | undefined => {
    const nextModel = asString(payload["model"]);
    const nextCwd = asString(payload["cwd"]);
    const changed: MetaEvent = {
      type: "meta",
      ...(nextModel !== undefined && nextModel !== model && { model: nextModel }),
      ...(nextCwd !== undefined && nextCwd !== cwd && { cwd: nextCwd }),
    };
    model = nextModel ?? model;
    cwd = nextCwd ?? cwd;
    return Object.keys(changed).length > 1 ? changed : undefined;
  };

  return {
    take(record, place) {
      const { type, inner, payload } = record;
      rewrote ||= rewritesHistory(record);
      switch (type) {
        case "response_item":
          return item(record, place);
        case "compacted":
          return compacted(record, place);
        case "token_usage_record":
          return tokens(type, payload);
        case "turn_context": {
          const changed = settings(payload);
          return changed === undefined ? undefined : emitBodies(record, place, [changed]);
        }
        case "session_meta":
          cwd = asString(payload["cwd"]) ?? cwd;
          return emitBodies(record, place, [metaBody(payload)]);
        case "inter_agent_communication":
          endResponse();
          return emitBodies(record, place, [agentBody(payload)]);
        case "world_state":
        case "security_risk_score":
        case "inter_agent_communication_metadata":
          return keep(record, place, type);
        case "event_msg": {
          if (endsTurn(inner)) endResponse();
          if (inner === "token_count") return tokens(inner, payload);
          const body = eventMessage(inner, payload);
          if (body === "nothing") return undefined;
          if (body !== undefined) return emitBodies(record, place, [body]);
          break;
        }
        default:
      }
      const name = inner === "" ? type : `${type}/${inner}`;
      count(name);
      return keep(record, place, name);
    },
    end: release,
    ready,
    get settled() {
      return held.length === 0;
    },
    get late() {
      return late;
    },
    get rewrote() {
      return rewrote;
    },
    unknown,
    state: () => ({
      ...(totals !== undefined && { totals }),
      ...(model !== undefined && { model }),
      ...(cwd !== undefined && { cwd }),
      calls: [...calls],
      ...(message !== undefined && { message }),
      ...(awaitsUsage && { awaitsUsage }),
      ...(from.partial && { partial: true }),
    }),
  };
}

const callKinds: Readonly<Record<string, { readonly name: string; readonly opens: boolean }>> = {
  function_call: { name: "function", opens: true },
  local_shell_call: { name: "function", opens: true },
  function_call_output: { name: "function", opens: false },
  custom_tool_call: { name: "custom", opens: true },
  custom_tool_call_output: { name: "custom", opens: false },
};

function custom(name: string, data: unknown): EventBody {
  return { type: "custom", name, data };
}

function heldBody(event: AgentEvent | undefined): EventBody["type"] | undefined {
  return event?.body.type;
}

function withUsage(body: EventBody, added: TokenTotals): EventBody {
  if (body.type !== "assistant" && body.type !== "thinking" && body.type !== "tool_use")
    return body;
  return { ...body, usage: usageOf(added) };
}

/** What the first record says about the session, as a change of what is known. */
function metaBody(payload: JsonObject): MetaEvent {
  const cwd = asString(payload["cwd"]);
  const git = isObject(payload["git"]) ? gitOf(payload["git"]) : undefined;
  const data: Record<string, unknown> = {};
  for (const key of metaFields) if (payload[key] !== undefined) data[key] = payload[key];
  return {
    type: "meta",
    ...(cwd !== undefined && { cwd }),
    ...(git !== undefined && { git }),
    data,
  };
}

const metaFields = [
  "id",
  "originator",
  "cli_version",
  "source",
  "model_provider",
  "forked_from_id",
  "parent_thread_id",
  "agent_nickname",
] as const;
