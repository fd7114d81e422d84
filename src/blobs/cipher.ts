/** Hides the content and the names of blobs from those without the key. */
export interface BlobCipher {
  /** The name of some content: 64 hex digits that tell nothing about it. */
  nameOf(bytes: Uint8Array): string;
  seal(bytes: Uint8Array): Buffer;
  /** The content of sealed bytes; throws `damaged` where they were changed. */
  open(bytes: Uint8Array): Buffer;
}
