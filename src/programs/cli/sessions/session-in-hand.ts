import { findSessions } from "../../../agents/find-sessions.ts";
import { type NamedSession, noSession, resolveReference } from "../../../agents/reference.ts";
import { type LedgerPlaces, ledgerPlaces, projectPlaces } from "../../../bridge/ledger/places.ts";
import type { CommandContext } from "../run/command.ts";
import { homeOf } from "./native.ts";

/** The session a command is about: named, told by the agent it runs in, or the newest of this project. */
export interface SessionInHand {
  readonly agent: string;
  readonly session: string;
  /** The folder its ledger belongs to. */
  readonly cwd: string;
  /** Where it is kept; absent while its agent has not written it yet. */
  readonly found?: NamedSession;
  /** Nothing is written of it that could be read. */
  readonly isSealed: boolean;
  readonly ledger: LedgerPlaces;
}

/** Finds the session in hand; a reference goes before everything else. */
export function sessionInHand(
  reference: string | undefined,
  context: CommandContext,
): SessionInHand {
  if (reference !== undefined && reference !== "") {
    return ofFound(resolveReference(reference, context), context);
  }
  const named = toldByAgent(context);
  if (named !== undefined) {
    try {
      return ofFound(resolveReference(`${named.agent}:${named.session}`, context), context);
    } catch {
      // The agent writes its first lines later than it starts programs.
      return inHand({ ...named, cwd: context.env.cwd }, context);
    }
  }
  const [newest] = findSessions(context, { here: context.env.cwd, kind: "conversation" });
  if (newest === undefined) throw noSession("This project has no session yet.", context);
  return ofFound(newest, context);
}

/** What agents tell the programs they start; what our own hook told goes before it. */
function toldByAgent({
  env,
  agents,
}: CommandContext): { readonly agent: string; readonly session: string } | undefined {
  const ours = env.variables["REPRISE_SESSION"] ?? "";
  const colon = Math.max(0, ours.indexOf(":"));
  const told = [{ agent: ours.slice(0, colon), session: ours.slice(colon + 1) }];
  for (const { name, sessionVariable } of agents) {
    const session = sessionVariable === undefined ? "" : (env.variables[sessionVariable] ?? "");
    told.push({ agent: name, session });
  }
  const isSound = (session: string): boolean => session !== "" && session.length <= 256;
  return told.find(({ agent, session }) => agent !== "" && isSound(session));
}

function ofFound(found: NamedSession, context: CommandContext): SessionInHand {
  const { agent, session, cwd = context.env.cwd } = found.head;
  return {
    ...inHand({ agent, session, cwd }, context),
    found,
    isSealed: found.head.sealed === true,
  };
}

function inHand(
  of: { readonly agent: string; readonly session: string; readonly cwd: string },
  context: CommandContext,
): SessionInHand {
  return {
    ...of,
    isSealed: false,
    ledger: ledgerPlaces(projectPlaces(homeOf(context).root, of.cwd), of),
  };
}
