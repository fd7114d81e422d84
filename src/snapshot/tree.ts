import { RepriseError } from "../base/errors.ts";
import { bytesOfName, nameOfBytes } from "./file-name.ts";

/** A file, by its content. */
export interface FileEntry {
  readonly kind: "file";
  readonly mode: number;
  readonly size: number;
  /** The name of its content in the blob store. */
  readonly blob: string;
}

/** A symbolic link; it is never followed. */
export interface LinkEntry {
  readonly kind: "link";
  readonly target: string;
}

/** A folder, by the tree of what is in it. */
export interface FolderEntry {
  readonly kind: "folder";
  readonly mode: number;
  readonly tree: string;
}

/** What a tree has under a name. */
export type TreeEntry = FileEntry | LinkEntry | FolderEntry;

/** The entries of one folder by name. */
export type Tree = ReadonlyMap<string, TreeEntry>;

/*
 * A tree is content like any other: [magic 8] and for each entry, in the order of the names,
 * [kind 1][mode 2][size 6][hash 32, or of a link the length of its target 2][name length 2][name][target].
 * Trees name trees, so that what did not change is stored once.
 */
const magic = "REPRTRE1";
const kinds = ["file", "link", "folder"] as const;
const fixedBytes = 1 + 2 + 6;
const hashBytes = 32;
const noBytes = Buffer.alloc(0);

/** The bytes of a tree; equal trees have equal bytes. */
export function encodeTree(tree: Tree): Buffer {
  const rows = [...tree]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, entry]) => ({
      entry,
      name: bytesOfName(name),
      target: entry.kind === "link" ? bytesOfName(entry.target) : noBytes,
    }));
  const bytes = Buffer.allocUnsafe(rows.reduce((sum, row) => sum + rowBytes(row), magic.length));
  let at = bytes.write(magic, "latin1");
  for (const row of rows) {
    writeRow(bytes, at, row);
    at += rowBytes(row);
  }
  return bytes;
}

interface Row {
  readonly entry: TreeEntry;
  readonly name: Buffer;
  readonly target: Buffer;
}

function middleBytes(entry: TreeEntry): number {
  return entry.kind === "link" ? 2 : hashBytes;
}

function rowBytes({ entry, name, target }: Row): number {
  return fixedBytes + middleBytes(entry) + 2 + name.length + target.length;
}

function writeRow(bytes: Buffer, at: number, { entry, name, target }: Row): void {
  const isLink = entry.kind === "link";
  const middleAt = at + fixedBytes;
  const nameAt = middleAt + middleBytes(entry) + 2;
  bytes[at] = kinds.indexOf(entry.kind);
  bytes.writeUInt16LE(isLink ? 0 : entry.mode, at + 1);
  bytes.writeUIntLE(entry.kind === "file" ? entry.size : 0, at + 3, 6);
  if (isLink) bytes.writeUInt16LE(target.length, middleAt);
  else bytes.write(hashOf(entry), middleAt, "hex");
  bytes.writeUInt16LE(name.length, nameAt - 2);
  name.copy(bytes, nameAt);
  target.copy(bytes, nameAt + name.length);
}

/** The tree that bytes stand for; throws `damaged` where they stand for none. */
export function decodeTree(bytes: Buffer): Tree {
  const tree = new Map<string, TreeEntry>();
  if (bytes.toString("latin1", 0, magic.length) !== magic) throw notATree();
  for (let at = magic.length; at < bytes.length; ) {
    if (at + fixedBytes > bytes.length) throw notATree();
    const kind = kinds[bytes[at]!];
    if (kind === undefined) throw notATree();
    const mode = bytes.readUInt16LE(at + 1);
    const size = bytes.readUIntLE(at + 3, 6);
    const middleAt = at + fixedBytes;
    const nameAt = middleAt + (kind === "link" ? 2 : hashBytes) + 2;
    if (nameAt > bytes.length) throw notATree();
    const targetLength = kind === "link" ? bytes.readUInt16LE(middleAt) : 0;
    const targetAt = nameAt + bytes.readUInt16LE(nameAt - 2);
    const end = targetAt + targetLength;
    if (end > bytes.length) throw notATree();
    const name = nameOfBytes(bytes.subarray(nameAt, targetAt));
    // A name from a damaged or forged tree must not lead out of its folder.
    if (name === "" || name === "." || name === ".." || /[/\0]/.test(name)) throw notATree();
    const hash = kind === "link" ? "" : bytes.toString("hex", middleAt, middleAt + hashBytes);
    if (kind === "file") tree.set(name, { kind, mode, size, blob: hash });
    else if (kind === "folder") tree.set(name, { kind, mode, tree: hash });
    else tree.set(name, { kind, target: nameOfBytes(bytes.subarray(targetAt, end)) });
    at = end;
  }
  return tree;
}

/** Whether two entries are the same in everything that is kept. */
export function sameEntry(a: TreeEntry | undefined, b: TreeEntry | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.kind === "link" || b.kind === "link")
    return a.kind === "link" && b.kind === "link" && a.target === b.target;
  return a.kind === b.kind && a.mode === b.mode && hashOf(a) === hashOf(b);
}

function hashOf(entry: FileEntry | FolderEntry): string {
  return entry.kind === "file" ? entry.blob : entry.tree;
}

function notATree(): RepriseError {
  return new RepriseError("damaged", "The content is not the tree of a folder.");
}
