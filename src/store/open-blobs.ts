import type { Disk } from "../base/disk.ts";
import type { BlobCipher } from "../blobs/cipher.ts";
import { BlobStore } from "../blobs/store.ts";
import type { Home } from "./home.ts";

const open = new Map<string, BlobStore>();

/** The blob store of a home: one for the whole process, because a process appends to one pack of its own. */
export function openBlobs(
  home: Home,
  options: { readonly disk?: Disk | undefined; readonly cipher?: BlobCipher | undefined } = {},
): BlobStore {
  const { disk, cipher } = options;
  let store = disk === undefined ? open.get(home.blobs) : undefined;
  if (store === undefined) {
    store = new BlobStore(home.blobs, { disk });
    if (disk === undefined) open.set(home.blobs, store);
  }
  return cipher === undefined ? store : store.sealedWith(cipher);
}
