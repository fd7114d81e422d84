import { lstatSync, utimesSync } from "node:fs";
import { dirname } from "node:path";
import { writeFully } from "../base/atomic-write.ts";
import { type Disk, exists, disk as realDisk, whenSynced } from "../base/disk.ts";
import { makeDurableDirectory } from "../base/durable-directory.ts";
import { errnoOf, isRepriseError, RepriseError } from "../base/errors.ts";
import { failpoint, isArmed, tearAndCrash } from "../base/failpoint.ts";
import { limits } from "../base/limits.ts";
import { temporaryName } from "../base/temporary-name.ts";
import type { BlobRef } from "../model/block.ts";
import { damaged, missing, refused, unsettled } from "./blob-errors.ts";
import type { BlobCipher } from "./cipher.ts";
import { blobNameOf, isBlobName } from "./name.ts";
import { openIfThere, recordHeaderBytes } from "./pack.ts";
import { PackIndex } from "./pack-index.ts";
import { PackWriter } from "./pack-writer.ts";
import { type BlobPlaces, blobPlaces } from "./places.ts";
import { readStored, streamFile } from "./read.ts";

/** Content that is written but not yet durable; settle it before the line that names it is synced. */
export interface StagedBlob {
  readonly ref: BlobRef;
  /** What must be synced first, if anything. */
  readonly fd: number | undefined;
  /** By how much the store grows; 0 where it has the content already. */
  readonly addedBytes: number;
  /** Publishes the synced content and makes its name durable. */
  finish(): void;
  /** Gives up what was staged; content that is already there stays. */
  abandon(): void;
}

/** Content by hash in one folder. Held open because a process appends to one pack of its own. */
export class BlobStore {
  readonly #places: BlobPlaces;
  readonly #disk: Disk;
  readonly #cipher: BlobCipher | undefined;
  readonly #index: PackIndex;
  readonly #packs: PackWriter;
  readonly #gathers: boolean;
  /** Names this process has seen whole and synced. */
  readonly #durable: Set<string>;
  /** How far packs of others were synced by this process. */
  readonly #syncedTo = new Map<string, number>();
  /** What was settled already: a blocking append may overtake one that waits for the same content. */
  readonly #settled = new WeakSet<StagedBlob>();

  constructor(
    folder: string,
    options: {
      readonly disk?: Disk | undefined;
      readonly cipher?: BlobCipher | undefined;
      readonly sharing?: BlobStore | undefined;
      /** Small content waits in memory until it is settled or read; who stages bytes may use their buffer again. */
      readonly gathers?: boolean | undefined;
    } = {},
  ) {
    const { disk = realDisk, cipher, sharing, gathers = false } = options;
    this.#places = blobPlaces(folder);
    this.#cipher = cipher;
    this.#disk = sharing ? sharing.#disk : disk;
    this.#index = sharing ? sharing.#index : new PackIndex(this.#places.packs, disk);
    this.#packs = sharing ? sharing.#packs : new PackWriter(this.#places.packs, disk, { gathers });
    this.#gathers = sharing ? sharing.#gathers : gathers;
    this.#durable = sharing ? sharing.#durable : new Set();
  }

  get folder(): string {
    return this.#places.root;
  }

  /** The same store and the same open pack, for content that is sealed with a key. */
  sealedWith(cipher: BlobCipher): BlobStore {
    return new BlobStore(this.#places.root, { cipher, sharing: this });
  }

  /** Writes content and returns once it is durable. */
  putSync(content: string | Uint8Array): BlobRef {
    const staged = this.stage(content);
    this.settleSync([staged]);
    return staged.ref;
  }

  /** Writes content and resolves once it is durable, without blocking for the data's sync. */
  async put(content: string | Uint8Array): Promise<BlobRef> {
    const staged = this.stage(content);
    await this.settle([staged]);
    return staged.ref;
  }

  /** Keeps bytes as another store held them under a name, sealed or not; anyone who reads them proves them by it. */
  keepSync(name: string, stored: Uint8Array): void {
    if (!isBlobName(name)) throw missing(String(name).slice(0, 80));
    if (this.stored(name)?.equals(stored)) return;
    const ref = { blob: name, size: stored.length };
    const isSmall = stored.length <= limits.packedBlobBytes;
    this.settleSync([isSmall ? this.#stageRecord(ref, stored) : this.#stageFile(ref, stored)]);
  }

  /** The bytes that are stored under a name, as they are. */
  stored(name: string): Buffer | undefined {
    if (!isBlobName(name)) return undefined;
    this.flush();
    for (let round = 0; round < 2; round += 1) {
      for (const stored of readStored(this.#disk, this.#places, this.#index, name)) return stored;
      this.#index.refresh();
    }
    return undefined;
  }

  /** Writes content without waiting for the disk. Whatever is staged must be settled. */
  stage(content: string | Uint8Array): StagedBlob {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    if (bytes.length > limits.blobBytes) {
      throw new RepriseError("too_large", `A blob of ${bytes.length} bytes is over the limit.`);
    }
    const name = this.#nameOf(bytes);
    const ref = { blob: name, size: bytes.length };
    try {
      const found = this.#stageExisting(ref);
      if (found !== undefined) return found;
      const stored = this.#cipher?.seal(bytes) ?? bytes;
      if (stored.length <= limits.packedBlobBytes) return this.#stageRecord(ref, stored);
      return this.#stageFile(ref, stored);
    } catch (error) {
      throw refused(error);
    }
  }

  /** Makes staged content durable: the data with one sync for each file, then the names. */
  settleSync(staged: readonly StagedBlob[]): void {
    const open = this.#unsettled(staged);
    this.flush();
    try {
      for (const fd of descriptors(open)) this.#disk.syncNow(fd);
    } catch (error) {
      throw this.#unsynced(open, error);
    }
    this.#finish(open);
  }

  /** Writes what was staged and waits in memory; throws where the disk has no room. */
  flush(): void {
    try {
      this.#packs.flush();
    } catch (error) {
      throw refused(error);
    }
  }

  /** As `settleSync`, waiting for the data without blocking. */
  async settle(staged: readonly StagedBlob[]): Promise<void> {
    this.flush();
    const syncs = [...descriptors(staged)].map((fd) => whenSynced(this.#disk, fd));
    const failed = (await Promise.allSettled(syncs)).find((sync) => sync.status === "rejected");
    const open = this.#unsettled(staged);
    if (failed !== undefined && open.length > 0) throw this.#unsynced(open, failed.reason);
    this.#finish(open);
  }

  #unsettled(staged: readonly StagedBlob[]): readonly StagedBlob[] {
    return staged.filter((blob) => !this.#settled.has(blob));
  }

  /** Whether the store has the content, which then is safe from collection for the time of grace. */
  renew(name: string): boolean {
    return isBlobName(name) && this.#renewed(name) !== undefined;
  }

  /** Whether content of this name is there. */
  has(name: string): boolean {
    if (!isBlobName(name)) return false;
    const packed = this.#index.known(name)?.path;
    if (exists(this.#places.file(name)) || (packed !== undefined && exists(packed))) return true;
    return this.#read(name) !== "missing";
  }

  /** How many bytes content takes in the store; undefined if it is not there. */
  sizeOf(name: string): number | undefined {
    if (!isBlobName(name)) return undefined;
    const packed = this.#index.known(name);
    if (packed !== undefined) return packed.length + recordHeaderBytes;
    return lstatSync(this.#places.file(name), { throwIfNoEntry: false })?.size;
  }

  /** Gives up content that was staged and is not wanted after all. */
  abandon(staged: readonly StagedBlob[]): void {
    for (const blob of this.#unsettled(staged)) {
      this.#settled.add(blob);
      blob.abandon();
    }
  }

  /** The content, proven by its name; throws `blob_missing` or `damaged`. */
  get(ref: BlobRef): Buffer {
    const name = ref.blob;
    if (!isBlobName(name)) throw missing(String(name).slice(0, 80));
    const content = this.#read(name);
    if (content === "missing") throw missing(name);
    if (content === "damaged") throw damaged(name);
    return content;
  }

  /** The content in pieces; a mismatch with its name throws `damaged` after the last one. */
  *stream(ref: BlobRef): Generator<Buffer> {
    // Sealed bytes are proven as a whole, so nothing of them may be given out before.
    const isPlainFile = this.#cipher === undefined && isBlobName(ref.blob);
    const fd = isPlainFile ? openIfThere(this.#disk, this.#places.file(ref.blob)) : undefined;
    if (fd === undefined) yield this.get(ref);
    else if (!(yield* streamFile(this.#disk, fd, ref.blob))) throw damaged(ref.blob);
  }

  /** Ends the open pack. Content that is staged can still be settled. */
  close(): void {
    this.#packs.retire();
  }

  #nameOf(bytes: Uint8Array): string {
    return this.#cipher?.nameOf(bytes) ?? blobNameOf(bytes);
  }

  #read(name: string): Buffer | "missing" | "damaged" {
    let outcome: "missing" | "damaged" = "missing";
    this.flush();
    // A collection may move content between two looks; what is there is found in the second round.
    for (let round = 0; round < 2; round += 1) {
      for (const stored of readStored(this.#disk, this.#places, this.#index, name)) {
        const content = this.#proven(stored, name);
        if (content !== undefined) return content;
        outcome = "damaged";
      }
      this.#index.refresh();
    }
    return outcome;
  }

  /** The content of stored bytes, if it is what the name says. */
  #proven(stored: Buffer, name: string): Buffer | undefined {
    try {
      const content = this.#cipher === undefined ? stored : this.#cipher.open(stored);
      return this.#nameOf(content) === name ? content : undefined;
    } catch (error) {
      if (isRepriseError(error, "damaged")) return undefined;
      throw error;
    }
  }

  /**
   * Touches content that is already there and returns the file it lies in. A collection judges by this
   * time and looks at it again after it has moved the file: either the touch came before, and the file
   * comes back, or the touch fails here, and the content is written anew.
   */
  #renewed(name: string, size = Number.POSITIVE_INFINITY): string | undefined {
    const packed = this.#index.known(name)?.path;
    // Small content lies in packs alone; sealed it is a little larger.
    const mayBeFile = size > limits.packedBlobBytes / 2;
    if (packed === undefined && !mayBeFile) return undefined;
    const now = new Date();
    for (const path of [mayBeFile ? this.#places.file(name) : undefined, packed]) {
      // A link would lend its name to something that others may change.
      if (path === undefined || !lstatSync(path, { throwIfNoEntry: false })?.isFile()) continue;
      try {
        utimesSync(path, now, now);
        return path;
      } catch (error) {
        if (errnoOf(error) !== "ENOENT") throw error;
      }
    }
    return undefined;
  }

  #stageExisting(ref: BlobRef): StagedBlob | undefined {
    const name = ref.blob;
    const path = this.#renewed(name, ref.size);
    if (path === undefined) {
      this.#index.forget(name);
      return undefined;
    }
    const nothing = {
      ref,
      fd: undefined,
      addedBytes: 0,
      finish: () => undefined,
      abandon: () => undefined,
    };
    if (this.#durable.has(name)) return nothing;
    // Another process may have been cut off before its sync: trust only what can be read there.
    this.flush();
    const [stored] = readStored(this.#disk, this.#places, this.#index, name);
    if (stored === undefined || this.#proven(stored, name) === undefined) {
      this.#index.forget(name);
      return undefined;
    }
    // Content of a pack that was synced since is as durable as the pack.
    const place = this.#index.known(name);
    const isSynced =
      place?.path === path && place.offset + place.length <= (this.#syncedTo.get(path) ?? 0);
    if (isSynced) {
      this.#durable.add(name);
      return nothing;
    }
    const fd = this.#disk.openRead(path);
    const { size } = this.#disk.sizeOf(fd);
    return {
      ref,
      fd,
      addedBytes: 0,
      finish: () => {
        this.#disk.close(fd);
        this.#disk.syncDirectory(dirname(path));
        if (place?.path === path) this.#syncedTo.set(path, size);
      },
      abandon: () => this.#disk.close(fd),
    };
  }

  #stageRecord(ref: BlobRef, stored: Uint8Array): StagedBlob {
    const { pack, place } = this.#packs.append(ref.blob, stored);
    this.#index.add(place);
    return {
      ref,
      fd: pack.fd,
      addedBytes: stored.length + recordHeaderBytes,
      finish: () => {
        if (this.#packs.settle(pack, place)) return;
        this.#index.forget(ref.blob);
        if (this.#gathers) throw unsettled();
        this.settleSync([this.#stageRecord(ref, stored)]);
      },
      abandon: () => {
        this.#index.forget(ref.blob);
        this.#packs.abandon(pack);
      },
    };
  }

  #stageFile(ref: BlobRef, stored: Uint8Array): StagedBlob {
    const path = this.#places.file(ref.blob);
    makeDurableDirectory(dirname(path), this.#disk);
    const temporary = temporaryName(path);
    failpoint("blob.before-write");
    const fd = this.#disk.openAppend(temporary, { create: true });
    const abandon = () => {
      this.#disk.close(fd);
      this.#disk.remove(temporary);
    };
    try {
      if (isArmed("blob.half-written")) tearAndCrash(this.#disk, fd, stored);
      writeFully(this.#disk, fd, stored);
    } catch (error) {
      abandon();
      throw error;
    }
    failpoint("blob.after-write");
    return {
      ref,
      fd,
      addedBytes: stored.length,
      finish: () => {
        this.#disk.close(fd);
        // Whatever has the name is this content or a damaged copy of it; replacing serves both.
        this.#disk.rename(temporary, path);
        this.#disk.syncDirectory(dirname(path));
      },
      abandon,
    };
  }

  #finish(staged: readonly StagedBlob[]): void {
    failpoint("blob.after-sync");
    this.#packs.settling(() => {
      for (const blob of staged) {
        this.#settled.add(blob);
        blob.finish();
        this.#durable.add(blob.ref.blob);
      }
    });
  }

  #unsynced(staged: readonly StagedBlob[], error: unknown): RepriseError {
    this.abandon(staged);
    return unsettled(error);
  }
}

function descriptors(staged: readonly StagedBlob[]): ReadonlySet<number> {
  return new Set(staged.map((blob) => blob.fd).filter((fd) => fd !== undefined));
}
