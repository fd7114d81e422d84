/**
 * 128 bits of a text as hex, for names and for telling texts apart. Not against a forger: anyone who uses it
 * as a name writes the text down too. Node's own hashes cost a hook more to load than all its other work.
 */
export function fingerprint(text: string): string {
  let a = 0x9e3779b9;
  let b = 0x243f6a88;
  let c = 0xb7e15162;
  let d = 0xdeadbeef;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    a = b ^ Math.imul(a ^ unit, 0x239b961b);
    b = c ^ Math.imul(b ^ unit, 0xab0e9789);
    c = d ^ Math.imul(c ^ unit, 0x38b34ae5);
    d = a ^ Math.imul(d ^ unit, 0xa1e38b93);
  }
  const first = mixed(c ^ (a >>> 18), 0x239b961b);
  const second = mixed(d ^ (b >>> 22), 0xab0e9789);
  const third = mixed(first ^ (c >>> 17), 0x38b34ae5);
  const fourth = mixed(second ^ (d >>> 19), 0xa1e38b93);
  return [first ^ second ^ third ^ fourth, second ^ first, third ^ first, fourth ^ first]
    .map((lane) => (lane >>> 0).toString(16).padStart(8, "0"))
    .join("");
}

function mixed(lane: number, factor: number): number {
  const once = Math.imul(lane ^ (lane >>> 15), factor);
  return once ^ (once >>> 13);
}
