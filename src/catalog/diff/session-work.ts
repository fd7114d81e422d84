import { relative, resolve } from "node:path";
import type { AgentEvent } from "../../agents/contract.ts";
import type { FoundSession } from "../../agents/newest-sessions.ts";
import { timeOf } from "../../base/clock.ts";
import { errnoOf, isRepriseError } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import { nameOfHead } from "../../model/head-name.ts";
import { oneLine } from "../../model/text.ts";
import type { ToolDialect } from "../../model/tool-dialect.ts";
import { type SessionAct, sessionActs } from "../blame/session-acts.ts";
import { shellCommand } from "../blame/shell-command.ts";
import { type UnshownCommand, UnshownCommands } from "../blame/unshown-commands.ts";

/** An edit of a session, with the path of its file as a folder has it. */
export interface PlacedAct {
  /** `agent:session@event` of the call. */
  readonly ref: string;
  /** From the folder; absolute where it lies outside. */
  readonly path: string;
  readonly movedTo?: string;
  /** The tool that was called. */
  readonly tool?: string;
  readonly act: SessionAct;
}

/** A command that a session ran. */
export interface ShellCall {
  readonly ref: string;
  /** The agent's own id of the call. */
  readonly call: string;
  readonly command: string;
  readonly askedMs: number;
  /** When its result came; undefined if it never did. */
  readonly doneMs?: number;
}

/** What sessions did that may have changed files. */
export interface Work {
  readonly acts: readonly PlacedAct[];
  readonly shells: readonly ShellCall[];
}

/** What one session did, with its commands that may have changed files unseen. */
export interface SessionWork extends Work {
  readonly unshown: readonly (Omit<UnshownCommand, "event"> & { readonly ref: string })[];
}

/** How a session's work is read. */
export interface WorkOptions {
  readonly dialects: readonly ToolDialect[];
  /** The folder paths are reported from. */
  readonly folder: string;
}

/** What some events of a session did to files, in order. */
export async function sessionWork(
  session: Pick<FoundSession, "head">,
  events: AsyncIterable<AgentEvent>,
  options: WorkOptions,
): Promise<SessionWork> {
  const { head } = session;
  const name = nameOfHead(head);
  const acts: PlacedAct[] = [];
  const shells = new Map<string, { -readonly [Key in keyof ShellCall]: ShellCall[Key] }>();
  const tools = new Map<string, string>();
  const commands = new UnshownCommands({ ...options, cwd: head.cwd });
  async function* watched(): AsyncGenerator<AgentEvent> {
    for await (const event of commands.watch(events)) {
      const { body } = event;
      if (body.type === "tool_use") {
        tools.set(event.number, body.name);
        const command = shellCommand(body, options.dialects);
        const askedMs = timeOf(event.at);
        if (command !== undefined && askedMs !== undefined) {
          const text = oneLine(command, limits.promptChars);
          const ref = `${name}@${event.number}`;
          shells.set(body.call, { ref, call: body.call, command: text, askedMs });
        }
      } else if (body.type === "tool_result") {
        const shell = shells.get(body.call);
        const doneMs = timeOf(event.at);
        if (shell !== undefined && doneMs !== undefined) shell.doneMs = doneMs;
      }
      yield event;
    }
  }
  for await (const act of sessionActs(watched(), { ...options, cwd: head.cwd })) {
    if (act.action === "read" || act.outcome === "failed") continue;
    const place = (path: string): string => placed(path, act, options.folder);
    const tool = tools.get(act.event);
    acts.push({
      act,
      ref: `${name}@${act.event}`,
      path: place(act.path),
      ...(act.movedTo !== undefined && { movedTo: place(act.movedTo) }),
      ...(tool !== undefined && { tool }),
    });
  }
  const unshown = commands.found.map(({ event, ...rest }) => ({
    ref: `${name}@${event}`,
    ...rest,
  }));
  return { acts, shells: [...shells.values()], unshown };
}

/** What every session did that was at work in a span of time, abandoned branches included: it was done. */
export async function workBetween(
  sessions: readonly FoundSession[],
  span: { readonly fromMs: number; readonly toMs: number },
  options: WorkOptions & { onEvents?(count: number): void },
): Promise<Work> {
  const acts: PlacedAct[] = [];
  const shells: ShellCall[] = [];
  for (const session of sessions) {
    const { head, ref } = session;
    const beganMs = timeOf(head.createdAt) ?? 0;
    // A file's time is never older than what was written into it, but for the coarseness of some disks.
    if (beganMs > span.toMs || ref.modifiedMs + slackMs < span.fromMs) continue;
    try {
      const work = await sessionWork(session, everyEvent(session, options.onEvents), options);
      const isWithin = (fromMs: number | undefined, toMs: number | undefined): boolean =>
        (fromMs ?? 0) <= span.toMs && (toMs ?? fromMs ?? 0) >= span.fromMs;
      acts.push(...work.acts.filter(({ act }) => isWithin(act.askedMs ?? act.atMs, act.atMs)));
      shells.push(...work.shells.filter((one) => isWithin(one.askedMs, one.doneMs ?? span.toMs)));
    } catch (error) {
      // A session that cannot be read hides no other.
      if (!isRepriseError(error) && errnoOf(error) === undefined) throw error;
    }
  }
  const timeOfAct = ({ act }: PlacedAct): number => act.atMs ?? act.askedMs ?? 0;
  return { acts: acts.sort((a, b) => timeOfAct(a) - timeOfAct(b)), shells };
}

const slackMs = 2_000;

async function* everyEvent(
  { agent, ref }: FoundSession,
  onEvents?: (count: number) => void,
): AsyncGenerator<AgentEvent> {
  for await (const batch of agent.read(ref, { allBranches: true })) {
    onEvents?.(batch.events.length);
    yield* batch.events;
  }
}

function placed(path: string, { cwd = "/", folder = "" }: SessionAct, from: string): string {
  const whole = resolve(cwd, folder, path);
  const within = relative(from, whole);
  return within === "" || within.startsWith("..") || within.startsWith("/") ? whole : within;
}
