export interface Takeovers {
  readonly namespaces: boolean;
  readonly takeovers: number;
  readonly acknowledged: number;
  readonly lost: number;
  readonly recovered: number;
  readonly refused: number;
  readonly problems: readonly string[];
}

export function takeovers(options: {
  readonly rounds: number;
  readonly seed: number;
  readonly writers?: number;
  readonly namespaces?: boolean | undefined;
  readonly tell?: (totals: Takeovers) => void;
}): Promise<Takeovers>;
