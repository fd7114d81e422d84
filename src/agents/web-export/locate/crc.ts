const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** The CRC-32 of bytes, continued from what came before; Node 20 has none of its own. */
export function crcOf(bytes: Uint8Array, before = 0): number {
  let crc = ~before;
  for (let index = 0; index < bytes.length; index += 1)
    crc = (crc >>> 8) ^ table[(crc ^ bytes[index]!) & 0xff]!;
  return ~crc >>> 0;
}
