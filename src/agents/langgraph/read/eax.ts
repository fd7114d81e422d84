import { createCipheriv, createDecipheriv, timingSafeEqual } from "node:crypto";

const blockBytes = 16;

/**
 * What LangGraph's Python encrypted with AES in EAX mode: a nonce and a tag of 16 bytes each, then the bytes. Undefined
 * where the key is not the one, or none at all: nothing is returned that is not authentic.
 */
export function decryptEax(sealed: Uint8Array, key: Buffer): Buffer | undefined {
  if (![16, 24, 32].includes(key.length) || sealed.length < 2 * blockBytes) return undefined;
  const bytes = Buffer.from(sealed);
  const nonce = bytes.subarray(0, blockBytes);
  const tag = bytes.subarray(blockBytes, 2 * blockBytes);
  const hidden = bytes.subarray(2 * blockBytes);
  const start = omac(key, 0, nonce);
  const sum = xor(xor(start, omac(key, 1, Buffer.alloc(0))), omac(key, 2, hidden));
  if (!timingSafeEqual(sum, tag)) return undefined;
  const decipher = createDecipheriv(`aes-${key.length * 8}-ctr`, key, start);
  return Buffer.concat([decipher.update(hidden), decipher.final()]);
}

/** OMAC of RFC 4493, over a block that says its use and the bytes. */
function omac(key: Buffer, use: number, bytes: Buffer): Buffer {
  const prefix = Buffer.alloc(blockBytes);
  prefix[blockBytes - 1] = use;
  const message = Buffer.concat([prefix, bytes]);
  const once = doubled(encrypted(key, Buffer.alloc(blockBytes)));
  const rest = message.length % blockBytes;
  const blocks = Math.ceil(message.length / blockBytes);
  const head = message.subarray(0, (blocks - 1) * blockBytes);
  const tail = Buffer.alloc(blockBytes);
  message.copy(tail, 0, head.length);
  if (rest !== 0) tail[rest] = 0x80;
  const last = xor(tail, rest === 0 ? once : doubled(once));
  const cipher = createCipheriv(`aes-${key.length * 8}-cbc`, key, Buffer.alloc(blockBytes));
  cipher.setAutoPadding(false);
  return Buffer.concat([cipher.update(Buffer.concat([head, last])), cipher.final()]).subarray(
    -blockBytes,
  );
}

function encrypted(key: Buffer, block: Buffer): Buffer {
  const cipher = createCipheriv(`aes-${key.length * 8}-ecb`, key, null);
  cipher.setAutoPadding(false);
  return Buffer.concat([cipher.update(block), cipher.final()]);
}

/** Twice a block in the field the sum is made in. */
function doubled(block: Buffer): Buffer {
  const result = Buffer.alloc(blockBytes);
  for (let at = 0; at < blockBytes; at += 1) {
    result[at] = ((block[at]! << 1) | ((block[at + 1] ?? 0) >> 7)) & 0xff;
  }
  if ((block[0]! & 0x80) !== 0) result[blockBytes - 1]! ^= 0x87;
  return result;
}

function xor(a: Buffer, b: Buffer): Buffer {
  return Buffer.from(a.map((byte, at) => byte ^ b[at]!));
}
