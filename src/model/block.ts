/** Text a person or a model wrote. */
export interface TextBlock {
  readonly type: "text";
  readonly text: string;
  /** The block of an agent that the text stands for: the agent itself takes this instead. */
  readonly native?: { readonly from: string; readonly value: unknown };
}

/** Where the bytes of an image or file are: inline, in the blob store, or named only. */
export type Source =
  | { readonly kind: "base64"; readonly data: string }
  | { readonly kind: "blob"; readonly blob: BlobRef }
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "path"; readonly path: string };

/** An image in a prompt or a tool result. */
export interface ImageBlock {
  readonly type: "image";
  readonly mediaType: string;
  readonly source: Source;
  readonly name?: string;
}

/** A file given to the model. */
export interface FileBlock {
  readonly type: "file";
  readonly mediaType?: string;
  readonly name?: string;
  readonly source: Source;
}

/** A foreign block we do not understand, kept as it is; it never reaches another model. */
export interface OpaqueBlock {
  readonly type: "opaque";
  readonly from: string;
  readonly value: unknown;
}

/**
 * Bytes as a block: an image if the media type says so, else a file. JSON holds no bytes, so they are written in base64;
 * large ones go to the blob store like any large text.
 */
export function bytes(
  data: Uint8Array,
  about: { readonly mediaType: string; readonly name?: string },
): ImageBlock | FileBlock {
  const encoded = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("base64");
  const source: Source = { kind: "base64", data: encoded };
  const type = about.mediaType.startsWith("image/") ? "image" : "file";
  return { type, ...about, source };
}

/** The bytes of an image or file that holds them itself; undefined if it only names them. */
export function bytesOf({ source }: ImageBlock | FileBlock): Buffer | undefined {
  return source.kind === "base64" ? Buffer.from(source.data, "base64") : undefined;
}

/** A piece of content: text, an image, a file, or what only another agent knows. */
export type Block = TextBlock | ImageBlock | FileBlock | OpaqueBlock;

/** What a message says: plain text, or blocks in order. */
export type Content = string | readonly Block[];

/** A string that was moved to the blob store; `size` counts bytes of UTF-8. */
export interface BlobRef {
  readonly blob: string;
  readonly size: number;
}

/** The text of a content, with what is not text named in brackets. */
export function plainText(content: Content): string {
  if (typeof content === "string") return content;
  return content.map(blockText).join("\n");
}

function blockText(block: Block): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
      return `[image ${block.mediaType}]`;
    case "file":
      return `[file ${block.name ?? block.mediaType ?? ""}]`;
    case "opaque":
      return `[${block.from} block]`;
  }
}

/** The same content as blocks. */
export function blocksOf(content: Content): readonly Block[] {
  if (typeof content !== "string") return content;
  return content === "" ? [] : [{ type: "text", text: content }];
}

/** A text as a block. */
export function textBlock(text: string): TextBlock {
  return { type: "text", text };
}

/** What a content says that is one text; undefined if it is more, or something else. */
export function soleText(content: Content): string | undefined {
  if (typeof content === "string") return content;
  const [only] = content;
  if (content.length !== 1 || only?.type !== "text" || only.native !== undefined) return undefined;
  return only.text;
}

/** Blocks as content: the string alone where they are one text. */
export function contentOfBlocks(blocks: readonly Block[]): Content {
  return soleText(blocks) ?? blocks;
}
