/**
 * A name beside a path for what is not finished yet. Nobody else has it, in this process or another; it is no
 * secret, because such a file is only ever made where none is.
 */
export function temporaryName(path: string): string {
  return `${path}.${process.pid}.${Math.random().toString(36).slice(2)}.tmp`;
}
