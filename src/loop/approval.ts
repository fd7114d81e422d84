import type { ApprovalEvent } from "../model/event.ts";
import type { AgentTool } from "./tool.ts";

/** A call that waits for a person. */
export interface ApprovalRequest {
  readonly call: string;
  readonly tool: AgentTool;
  readonly input: unknown;
  /** Fires when the turn is stopped: then no answer is wanted. */
  readonly signal: AbortSignal;
}

/**
 * What a person decided: `once` for this call, `session` for every call of this tool while this process has the session
 * open, `no` for neither; with a reason for the model.
 */
export type Decision =
  | "once"
  | "session"
  | "no"
  | { readonly decision: "no"; readonly reason: string };

/** Asks a person whether a tool may run. */
export type Approve = (request: ApprovalRequest) => Decision | Promise<Decision>;

/** Decides about calls, and remembers what was granted for as long as this object lives: a resume begins without. */
export class Approvals {
  readonly #approve: Approve | undefined;
  readonly #granted = new Set<string>();

  constructor(approve: Approve | undefined) {
    this.#approve = approve;
  }

  /** Decides about a call; undefined where nobody has to be asked. */
  async decide(request: ApprovalRequest): Promise<ApprovalEvent | undefined> {
    const { tool, call } = request;
    const approve = this.#approve;
    if (tool.asks === false || (approve === undefined && tool.asks !== true)) return undefined;
    const known = { type: "approval", call } as const;
    if (approve === undefined)
      return { ...known, decision: "denied", reason: "Nobody could be asked." };
    if (this.#granted.has(tool.name)) return { ...known, decision: "allowed", scope: "session" };
    const decided = await approve(request);
    if (typeof decided === "object") {
      const { reason } = decided;
      return { ...known, decision: "denied", ...(reason !== "" && { reason }) };
    }
    if (decided === "no") return { ...known, decision: "denied" };
    if (decided === "session") this.#granted.add(tool.name);
    return { ...known, decision: "allowed", scope: decided };
  }
}
