import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  scryptSync,
} from "node:crypto";
import { RepriseError } from "../base/errors.ts";
import { isObject, parseObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import { blobNamesIn } from "../blobs/names-in.ts";
import type { EventBody, SealHeader, SessionEvent } from "../model/event.ts";
import { encodeBody, type LineFrame } from "./line.ts";
import type { Seal, Secret } from "./seal.ts";
import { sealedFields } from "./sealed-line.ts";

/*
 * A sealed line keeps id, parent, at, type and sum readable, and holds the whole body in `sealed`:
 * base64 of nonce, AES-256-GCM ciphertext and tag. The names of its blobs, which are keyed hashes, stay
 * readable as `sealedBlobs`, so that a collection without the key spares them. Everything readable but the
 * sum is associated data, so a line that was changed, or moved to another number, does not open. Each
 * session has a salt and so a key of its own, so neither does a line moved to another session. From version 2 on a
 * line also has the sum of the line before it as `after`: it opens wherever it stands, and verifying says where it
 * belongs. A session keeps the version it was begun with, and so do its forks.
 */

/** The version that new sessions are sealed with, and the newest that is opened. */
const sealVersion = 2;
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const saltShape = /^[0-9a-f]{32}$/;
// 2^15 rounds of 1 KiB: 32 MiB and about a tenth of a second for each guess.
const scryptOptions = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

/** A seal for a new session, with a fresh salt. */
export function newSeal(secret: Secret): Seal {
  const salt = randomBytes(16).toString("hex");
  const kdf = kdfOf(secret);
  const master = masterKey(secret, salt);
  return sealWith(master, { version: sealVersion, kdf, salt, check: checkOf(master) });
}

/** The seal of an existing session; throws `wrong_key` if the secret is not the one it was made with. */
export function openSeal(header: SealHeader, secret: Secret): Seal {
  const { version, salt, check } = header;
  if (version !== undefined && version > sealVersion) {
    throw new RepriseError("newer_format", `The session's seal has version ${version}.`);
  }
  const isKnown = version === undefined || version === sealVersion;
  if (!isKnown || !saltShape.test(salt) || (header.kdf !== "raw" && header.kdf !== "scrypt")) {
    throw new RepriseError("damaged", "The session's seal cannot be read.");
  }
  const kdf = kdfOf(secret);
  const master = kdf === header.kdf ? masterKey(secret, salt) : undefined;
  if (master === undefined || checkOf(master) !== check) {
    throw new RepriseError("wrong_key", "The key does not open this session.");
  }
  return sealWith(master, header);
}

/** How the key is made of a secret; throws `bad_input` if it is not one. */
function kdfOf(secret: Secret): SealHeader["kdf"] {
  if (isObject(secret)) {
    if ("key" in secret && secret.key instanceof Uint8Array) return "raw";
    if ("passphrase" in secret && typeof secret.passphrase === "string") return "scrypt";
  }
  throw new RepriseError("bad_input", `A secret is { passphrase: text } or { key: bytes }.`, {
    hint: `Give a passphrase, or a key of ${keyBytes} bytes.`,
  });
}

function masterKey(secret: Secret, salt: string): Buffer {
  if (!("key" in secret)) {
    return scryptSync(secret.passphrase.normalize("NFC"), salt, keyBytes, scryptOptions);
  }
  if (secret.key.length !== keyBytes) {
    throw new RepriseError("bad_input", `A key has ${keyBytes} bytes, not ${secret.key.length}.`);
  }
  return Buffer.from(hkdfSync("sha256", secret.key, salt, "reprise session", keyBytes));
}

function derived(master: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", master, "", `reprise ${purpose}`, keyBytes));
}

function checkOf(master: Buffer): string {
  return derived(master, "check").toString("hex", 0, 16);
}

function sealWith(master: Buffer, header: SealHeader): Seal {
  const { version } = header;
  const lineKey = derived(master, "lines");
  const blobKey = derived(master, "blobs");
  const nameKey = derived(master, "blob names");
  return {
    header,
    sealBody(frame, body, previousSum) {
      const json = Buffer.from(encodeBody(body));
      const names = [...blobNamesIn([json])].map((blob) => ({ blob }));
      const readable = readableFields(body, {
        sealedBlobs: names.length > 0 ? names : undefined,
        after: version === undefined || previousSum === "" ? undefined : previousSum,
      });
      const sealed = encrypt(lineKey, json, associated(version, frame, readable));
      const { type, ...rest } = readable;
      return JSON.stringify({ type, sealed: sealed.toString("base64"), ...rest });
    },
    openEvent: (event) => openEvent(lineKey, version, event),
    blobs: {
      nameOf: (bytes) => createHmac("sha256", nameKey).update(bytes).digest("hex"),
      seal: (bytes) => encrypt(blobKey, bytes),
      open: (bytes) => decrypt(blobKey, bytes) ?? fail("A sealed blob was changed."),
    },
  };
}

function openEvent(key: Buffer, version: number | undefined, event: SessionEvent): SessionEvent {
  const { id, parent, at, recoveredFrom, metaAt, sum } = event;
  const frame = { id, parent, at, recoveredFrom, metaAt };
  const { sealed, sealedBlobs, after } = sealedFields(event);
  const readable = readableFields(event, {
    sealedBlobs,
    after: version === undefined ? undefined : after,
  });
  const plain =
    sealed === undefined || (version !== undefined && hasFurther(event, readable))
      ? undefined
      : decrypt(key, Buffer.from(sealed, "base64"), associated(version, frame, readable));
  const body =
    plain === undefined ? undefined : parseObject(plain.toString("utf8"), limits.ownUnweighedChars);
  if (body === undefined) return fail(`Event ${id} of a sealed session was changed or moved.`);
  // The body was sealed from an event body under this very frame, as its tag proves.
  return {
    id,
    ...(parent !== undefined && { parent }),
    at,
    ...(body as unknown as EventBody),
    ...(recoveredFrom !== undefined && { recoveredFrom }),
    ...(metaAt !== undefined && { metaAt }),
    ...(sum !== undefined && { sum }),
  };
}

const frameFields: ReadonlySet<string> = new Set([
  "id",
  "parent",
  "at",
  "recoveredFrom",
  "metaAt",
  "sealed",
  "sum",
]);

/** Whether a line has fields that nothing proves. */
function hasFurther(event: SessionEvent, readable: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(event).some((field) => !frameFields.has(field) && !(field in readable));
}

/** What is left readable: the type, of the first line what finding and opening need, and what the line says of itself. */
function readableFields(
  body: EventBody,
  { sealedBlobs, after }: { readonly sealedBlobs: unknown; readonly after: unknown },
): Readonly<Record<string, unknown>> & { readonly type: string } {
  const own = {
    ...(sealedBlobs !== undefined && { sealedBlobs }),
    ...(after !== undefined && { after }),
  };
  if (body.type !== "session_start") return { type: body.type, ...own };
  const { type, format, session, base, seal } = body;
  return { type, format, session, ...(base && { base }), ...(seal && { seal }), ...own };
}

function associated(
  version: number | undefined,
  { id, parent, at, recoveredFrom, metaAt }: LineFrame,
  readable: Readonly<Record<string, unknown>>,
): Buffer {
  const place = [id, parent, at, recoveredFrom, metaAt, readable];
  return Buffer.from(JSON.stringify(version === undefined ? place : [version, ...place]));
}

function encrypt(key: Buffer, plain: Uint8Array, associatedData?: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key, nonce, {
    authTagLength: tagBytes,
  });
  if (associatedData !== undefined) cipher.setAAD(associatedData);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Buffer, sealed: Uint8Array, associatedData?: Buffer): Buffer | undefined {
  const end = sealed.length - tagBytes;
  if (end < nonceBytes) return undefined;
  const nonce = sealed.subarray(0, nonceBytes);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, {
    authTagLength: tagBytes,
  });
  if (associatedData !== undefined) decipher.setAAD(associatedData);
  decipher.setAuthTag(sealed.subarray(end));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, end)), decipher.final()]);
  } catch {
    return undefined;
  }
}

function fail(message: string): never {
  throw new RepriseError("damaged", message);
}
