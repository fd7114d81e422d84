import { join } from "node:path";
import { RepriseError } from "../base/errors.ts";
import { isBlobName } from "./name.ts";

/** Where things lie in a blob folder. */
export interface BlobPlaces {
  readonly root: string;
  readonly packs: string;
  readonly trash: string;
  /** The file of one large blob; refuses what is not a blob name. */
  file(name: string): string;
  /** Where a collection puts that file before it deletes it. */
  trashed(name: string): string;
}

/** The places of a blob folder. */
export function blobPlaces(root: string): BlobPlaces {
  const trash = join(root, "trash");
  return {
    root,
    packs: join(root, "packs"),
    trash,
    file: (name) => join(root, checked(name).slice(0, 2), name),
    trashed: (name) => join(trash, checked(name)),
  };
}

function checked(name: string): string {
  if (isBlobName(name)) return name;
  throw new RepriseError("blob_missing", "This is not the name of a blob.");
}
