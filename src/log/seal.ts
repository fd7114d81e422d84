import { isRepriseError, RepriseError } from "../base/errors.ts";
import type { BlobCipher } from "../blobs/cipher.ts";
import type { EventBody, SealHeader, SessionEvent, SessionStart } from "../model/event.ts";
import type { LineFrame } from "./line.ts";
import { newSeal, openSeal } from "./make-seal.ts";
import { sealedFields } from "./sealed-line.ts";

/** What opens a sealed session. */
export type Secret = { readonly passphrase: string } | { readonly key: Uint8Array };

/** Seals and opens the lines and blobs of one session. */
export interface Seal {
  /** What the session's first line says about the key. */
  readonly header: SealHeader;
  /** The body as JSON text in which only the readable fields can be read, for a line after one with the given sum. */
  sealBody(frame: LineFrame, body: EventBody, previousSum: string): string;
  /** The event as its author gave it; throws `damaged` if it was changed or moved. */
  openEvent(event: SessionEvent): SessionEvent;
  readonly blobs: BlobCipher;
}

/** The seal a new session is written with: a fork has that of its base, which its first line repeats. */
export function sealFor(start: SessionStart, secret: Secret): Seal {
  return start.seal === undefined ? newSeal(secret) : openSeal(start.seal, secret);
}

/** The seal of an existing session; undefined if it has none, or nobody has the key. */
export function sealOf(start: SessionStart, secret: Secret | undefined): Seal | undefined {
  return start.seal === undefined || secret === undefined
    ? undefined
    : openSeal(start.seal, secret);
}

/** The event opened, or as it is where neither it nor the session is sealed; undefined if it does not open. */
export function tryOpen(seal: Seal | undefined, event: SessionEvent): SessionEvent | undefined {
  if (seal === undefined) return sealedFields(event).sealed === undefined ? event : undefined;
  try {
    return seal.openEvent(event);
  } catch (error) {
    if (isRepriseError(error, "damaged")) return undefined;
    throw error;
  }
}

/**
 * The secret in REPRISE_KEY, or undefined if it is not set: 64 hex digits or base64 of 32 bytes are
 * the key itself, anything else is a passphrase.
 */
export function secretFrom(
  variables: Readonly<Record<string, string | undefined>>,
): Secret | undefined {
  const text = variables["REPRISE_KEY"];
  if (text === undefined || text === "") return undefined;
  if (/^[0-9a-fA-F]{64}$/.test(text)) return { key: Buffer.from(text, "hex") };
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return { key: Buffer.from(text, "base64") };
  return { passphrase: text };
}

/** The secret in REPRISE_KEY, for what is made of a sealed session and so must be sealed too. */
export function neededSecret(variables: Readonly<Record<string, string | undefined>>): Secret {
  const secret = secretFrom(variables);
  if (secret === undefined) throw new RepriseError("sealed", "A sealed session needs a key.");
  return secret;
}
