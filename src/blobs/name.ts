import { hash } from "node:crypto";

const nameShape = /^[0-9a-f]{64}$/;

/** Whether a text from outside is safe to become a file name in the blob store. */
export function isBlobName(text: unknown): text is string {
  return typeof text === "string" && nameShape.test(text);
}

/** The name of content: its SHA-256 in hex. */
export function blobNameOf(bytes: Uint8Array): string {
  return hash("sha256", bytes, "hex");
}
