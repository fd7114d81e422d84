import type { FileBlock, ImageBlock } from "../model/block.ts";

/** The bytes of an image or file inline, or where an API can fetch them. */
export type Attachment =
  | {
      readonly kind: "base64";
      readonly mediaType: string;
      readonly data: string;
      readonly name: string;
    }
  | {
      readonly kind: "url";
      readonly mediaType: string | undefined;
      readonly url: string;
      readonly name: string;
    };

/** What can be sent of an image or file; undefined where its bytes are not at hand. */
export function attachmentOf(block: ImageBlock | FileBlock): Attachment | undefined {
  const { source, mediaType } = block;
  const name = block.name ?? block.type;
  if (source.kind === "url") return { kind: "url", mediaType, url: source.url, name };
  if (source.kind !== "base64") return undefined;
  return {
    kind: "base64",
    mediaType: mediaType ?? "application/octet-stream",
    data: source.data,
    name,
  };
}

/** What is said in place of something that cannot be sent. */
export function mention(block: ImageBlock | FileBlock): string {
  return `[${block.type} ${block.name ?? block.mediaType ?? ""}]`.replace(" ]", "]");
}

/** The address of bytes that are in the address itself. */
export function dataUrl({
  mediaType,
  data,
}: {
  readonly mediaType: string;
  readonly data: string;
}): string {
  return `data:${mediaType};base64,${data}`;
}
