import { asArray, asString, type JsonObject } from "../../../base/json.ts";
import type { EventBody } from "../../../model/event.ts";

/** An event before it has its number. */
export interface Draft {
  readonly body: EventBody;
  readonly live: boolean;
  readonly atMs?: number;
}

/** Collects the events of one message and what its parts were that nobody knows. */
export class Drafts {
  readonly events: Draft[] = [];
  readonly unknown: Record<string, number> = {};
  readonly #isLive: boolean;
  readonly #revertedPart: string | undefined;
  #isReverted = false;

  constructor(options: { readonly isLive: boolean; readonly revertedPart?: string | undefined }) {
    this.#isLive = options.isLive;
    this.#revertedPart = options.revertedPart;
  }

  /** Begins a part; a revert may begin in the middle of a message. */
  enter(part: JsonObject): void {
    if (this.#revertedPart !== undefined && part["id"] === this.#revertedPart) {
      this.#isReverted = true;
    }
  }

  /** Whether what is added now can be live. */
  get isLive(): boolean {
    return this.#isLive && !this.#isReverted;
  }

  add(
    body: EventBody,
    options: { readonly live?: boolean; readonly atMs?: number | undefined } = {},
  ): void {
    const { atMs, live = this.isLive } = options;
    this.events.push(atMs === undefined ? { body, live } : { body, live, atMs });
  }

  /** A part that is neither said by anybody nor a tool: files changed, retries, and the unknown. */
  other(part: JsonObject): void {
    const type = asString(part["type"]) ?? "none";
    switch (type) {
      case "step-start":
      case "step-finish":
        return;
      case "patch":
        for (const path of asArray(part["files"])) {
          if (typeof path !== "string") continue;
          const data = { snapshot: part["hash"] };
          this.add({ type: "file", path, action: "modified", data });
        }
        return;
      case "snapshot":
      case "retry":
      case "text":
      case "reasoning":
      case "file":
      case "tool":
      case "agent":
      case "subtask":
      case "compaction":
        this.add({ type: "custom", name: `opencode.${type}`, data: part }, { live: false });
        return;
      default: {
        const known = type.slice(0, 64);
        this.unknown[known] = (Object.hasOwn(this.unknown, known) ? this.unknown[known]! : 0) + 1;
        this.add({ type: "custom", name: `opencode.${known}`, data: part }, { live: false });
      }
    }
  }
}
