import { RepriseError } from "../../base/errors.ts";
import type { BlobCipher } from "../../blobs/cipher.ts";
import { blobNameOf } from "../../blobs/name.ts";
import type { BlobRef } from "../../model/block.ts";
import type { BlobSource } from "../event-opener.ts";
import type { Database } from "./database.ts";

/** Large content by hash in the rows of a database. */
export class BlobRows implements BlobSource {
  readonly #database: Database;
  readonly #cipher: BlobCipher | undefined;

  constructor(database: Database, cipher: BlobCipher | undefined) {
    this.#database = database;
    this.#cipher = cipher;
  }

  has(name: string): boolean {
    return this.stored(name) !== undefined;
  }

  get({ blob: name }: BlobRef): Buffer {
    const stored = this.stored(name);
    if (stored === undefined) {
      throw new RepriseError("blob_missing", `There is no blob ${name}.`, {
        details: { blob: name },
      });
    }
    const content = this.#cipher === undefined ? stored : this.#cipher.open(stored);
    if (this.#nameOf(content) === name) return content;
    throw new RepriseError("damaged", `Blob ${name} is not what its name says.`);
  }

  /** Puts content a session uses, within a change. */
  put(text: string, session: number): BlobRef {
    const bytes = Buffer.from(text);
    const name = this.#nameOf(bytes);
    this.keep(name, this.#cipher?.seal(bytes) ?? bytes, session);
    return { blob: name, size: bytes.length };
  }

  /** Puts content as it is stored, sealed or not, within a change. */
  keep(name: string, stored: Uint8Array, session: number): void {
    this.#database.run("insert or ignore into blob (name, bytes) values (?, ?)", name, stored);
    this.#database.run(
      "insert or ignore into blobUse (session, name) values (?, ?)",
      session,
      name,
    );
  }

  /** The bytes of a blob as they are stored. */
  stored(name: string): Buffer | undefined {
    const row = this.#database.first<{ readonly bytes: Uint8Array }>(
      "select bytes from blob where name = ?",
      name,
    );
    return row === undefined ? undefined : Buffer.from(row.bytes);
  }

  #nameOf(bytes: Uint8Array): string {
    return this.#cipher?.nameOf(bytes) ?? blobNameOf(bytes);
  }
}
