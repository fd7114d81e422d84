import type { Atom } from "../real/wire.mjs";

/** A request as the server saw it. */
export interface SeenRequest {
  readonly protocol: "anthropic" | "openai" | "gemini";
  readonly url: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly atoms: readonly Atom[];
}

/** What the server answers. */
export interface ServedStep {
  readonly text?: string;
  readonly calls?: readonly {
    readonly name: string;
    readonly input: object;
    readonly id?: string;
  }[];
  readonly paceMs?: number;
  readonly pieceChars?: number;
  readonly usage?: { readonly input?: number; readonly output?: number };
  readonly status?: number;
  readonly body?: object;
  /** Said before the connection breaks. */
  readonly cut?: string;
  /** The body of the answer as it is. */
  readonly raw?: string;
  readonly hang?: true;
}

/** A running server. */
export interface ModelServer {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  stop(): Promise<void>;
}

export function startModel(
  next: (request: SeenRequest, count: number) => ServedStep,
): Promise<ModelServer>;

/** Every rule of the API that a request breaks. */
export function brokenRules(request: SeenRequest): readonly string[];
