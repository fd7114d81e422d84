import { uptimeMs } from "../../../base/clock.ts";
import { sizeText } from "../render/size.ts";
import type { CommandContext } from "../run/command.ts";
import { isScreen } from "./output.ts";
import { tellStatus, wipeStatus } from "./status-line.ts";

const quietMs = 500;
const betweenMs = 100;
const barColumns = 24;
/** A rate measured for less time says little. */
const rateMs = 300;

/** Bytes that were read, of those that were to be read when this part of the work began. */
export interface IndexDone {
  readonly bytes: number;
  readonly ofBytes: number;
}

/** Says how far indexing is. */
export interface IndexProgress {
  tell(done: IndexDone): void;
  /** Takes the bar off the screen. */
  end(): void;
}

/** A bar on the terminal, once the work takes longer than half a second; nothing where nobody looks. */
export function indexProgress(context: Pick<CommandContext, "json">): IndexProgress {
  const isSeen = !context.json && isScreen(2);
  const told = progressText();
  let nextMs = uptimeMs() + quietMs;
  let isShown = false;
  return {
    tell: (done) => {
      if (!isSeen) return;
      const text = told(done, uptimeMs());
      if (uptimeMs() < nextMs) return;
      nextMs = uptimeMs() + betweenMs;
      isShown = true;
      tellStatus(`Indexing ${text}`);
    },
    end: () => {
      if (isShown) wipeStatus();
      isShown = false;
    },
  };
}

/** Says how far indexing is, how quick and how long it takes; the parts of the work are reported one after the other. */
export function progressText(): (done: IndexDone, nowMs: number) => string {
  let began: number | undefined;
  let total = 0;
  return ({ bytes, ofBytes }, nowMs) => {
    began ??= nowMs;
    total = Math.max(total, ofBytes);
    // What earlier parts read is no longer to be read.
    const done = total - (ofBytes - bytes);
    const share = total === 0 ? 1 : done / total;
    const full = Math.round(share * barColumns);
    const bar = "█".repeat(full) + "░".repeat(barColumns - full);
    const parts = [`${bar} ${Math.floor(share * 100)} % of ${sizeText(total)}`];
    const ms = nowMs - began;
    if (ms >= rateMs && done > 0) {
      const perSecond = (done / ms) * 1000;
      const left = Math.ceil((total - done) / perSecond);
      parts.push(`${sizeText(perSecond)}/s`, `${timeText(left)} left`);
    }
    return parts.join(", ");
  };
}

function timeText(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
