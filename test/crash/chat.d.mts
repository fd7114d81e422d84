export interface ChatKills {
  readonly rounds: number;
  /** Killed while the turn was under way. */
  readonly midTurn: number;
  /** Calls that had no result when the process was killed. */
  readonly openCalls: number;
  /** Rounds in which words had to be there. */
  readonly owed: number;
  readonly problems: readonly string[];
}

export function chatKills(options: {
  readonly rounds: number;
  readonly seed: number;
  readonly atOnce?: number;
  readonly tell?: (totals: ChatKills) => void;
}): Promise<ChatKills>;
