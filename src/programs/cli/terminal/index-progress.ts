import { uptimeMs } from "../../../base/clock.ts";
import { sizeText } from "../render/size.ts";
import type { CommandContext } from "../run/command.ts";
import { isScreen } from "./output.ts";
import { tellStatus, wipeStatus } from "./status-line.ts";

const quietMs = 500;
const betweenMs = 100;
const barColumns = 24;

/** Tells how far indexing is. */
export interface IndexProgress {
  tell(done: { readonly bytes: number; readonly ofBytes: number }): void;
  /** Takes the bar off the screen. */
  end(): void;
}

/** A bar on the terminal, once the work takes longer than half a second; nothing where nobody looks. */
export function indexProgress(context: Pick<CommandContext, "json">): IndexProgress {
  const isSeen = !context.json && isScreen(2);
  let nextMs = uptimeMs() + quietMs;
  let isShown = false;
  return {
    tell: ({ bytes, ofBytes }) => {
      if (!isSeen || uptimeMs() < nextMs) return;
      nextMs = uptimeMs() + betweenMs;
      isShown = true;
      const share = ofBytes === 0 ? 1 : bytes / ofBytes;
      const full = Math.round(share * barColumns);
      const bar = "█".repeat(full) + "░".repeat(barColumns - full);
      tellStatus(`Indexing ${bar} ${Math.floor(share * 100)} % of ${sizeText(ofBytes)}`);
    },
    end: () => {
      if (isShown) wipeStatus();
      isShown = false;
    },
  };
}
