import { basename } from "node:path";
import { folderExists } from "../../../base/folders.ts";
import { limits } from "../../../base/limits.ts";
import type { SessionHead } from "../../../model/head.ts";
import { oneLine } from "../../../model/text.ts";
import { momentIn } from "../../../model/usage-counts.ts";
import type { SessionRef } from "../../contract.ts";

/** What a store reports a conversation, as it is written there. */
export interface Told {
  readonly title?: string | undefined;
  /** Whether a person or the program set the title. */
  readonly titled?: boolean;
  readonly created?: unknown;
  readonly updated?: unknown;
  readonly cwd?: string | undefined;
  readonly model?: string | undefined;
}

/** A head of a ref and what its store says. */
export function headOf(
  ref: SessionRef,
  told: Told,
  more: Partial<Pick<SessionHead, "kind" | "state" | "problem" | "relation" | "usage">> = {},
): SessionHead {
  const { agent, session, path, sizeBytes, modifiedMs } = ref;
  const createdMs = momentIn(told.created);
  const cwd = told.cwd || ref.root || undefined;
  const title = oneLine(told.title ?? "", limits.titleChars);
  const times = [momentIn(told.updated), momentIn(modifiedMs), createdMs, 0];
  const updatedMs = times.find((ms) => !Number.isNaN(ms)) ?? 0;
  return {
    ...{ agent, session, path, sizeBytes },
    ...(!Number.isNaN(createdMs) && { createdAt: new Date(createdMs).toISOString() }),
    updatedAt: new Date(updatedMs).toISOString(),
    ...(title !== "" && { title, titled: told.titled ?? true }),
    ...(cwd !== undefined && {
      cwd,
      cwdExists: folderExists(cwd),
      project: { name: basename(cwd), path: cwd },
    }),
    ...(told.model !== undefined && { model: told.model }),
    state: "unknown",
    ...more,
  };
}
