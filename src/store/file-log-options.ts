import { limitDescriptors } from "../base/descriptors.ts";
import { type Disk, disk as realDisk } from "../base/disk.ts";
import { RepriseError } from "../base/errors.ts";
import type { SyncPolicy } from "../log/durability.ts";
import type { LeaseTimes } from "../log/lease-keeper.ts";
import type { Seal, Secret } from "../log/seal.ts";
import type { WriterOptions } from "../log/writer-options.ts";

/** How a session's file is opened. */
export interface FileLogOptions extends LeaseTimes {
  readonly sync?: SyncPolicy | undefined;
  readonly waitMs?: number | undefined;
  readonly leasePerAppend?: boolean | undefined;
  /** How many session files this process keeps open at most, whichever store they belong to. */
  readonly maxOpenFiles?: number | undefined;
  /** Opens or makes a sealed session. */
  readonly secret?: Secret | undefined;
  readonly disk?: Disk | undefined;
  readonly createdAt?: string | undefined;
}

/** Throws where options contradict each other; sets what holds for the whole process. */
export function applyOptions({ exclusive, leasePerAppend, maxOpenFiles }: FileLogOptions): void {
  if (maxOpenFiles !== undefined) limitDescriptors(maxOpenFiles);
  if (!exclusive || !leasePerAppend) return;
  throw new RepriseError("bad_input", "A session is held, or given back after each append.", {
    hint: "Leave out `exclusive` or `leasePerAppend`.",
  });
}

/** How the writer of such a session is made. */
export function writerOptions(options: FileLogOptions, seal: Seal | undefined): WriterOptions {
  const {
    secret: _secret,
    maxOpenFiles: _most,
    disk = realDisk,
    sync = "turn",
    ...times
  } = options;
  return { ...times, disk, sync, seal };
}
