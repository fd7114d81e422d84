import { isRepriseError } from "../base/errors.ts";
import { asArray, isObject } from "../base/json.ts";
import { restoreStrings } from "../blobs/spill.ts";
import type { BlobStore } from "../blobs/store.ts";
import { type Seal, tryOpen } from "../log/seal.ts";
import { sealedFields } from "../log/sealed-line.ts";
import type { Damage } from "../model/damage.ts";
import type { SessionEvent } from "../model/event.ts";
import { soundEvent } from "../model/event-shape.ts";

/** Where large content is found, whatever holds it. */
export type BlobSource = Pick<BlobStore, "has" | "get">;

/** Makes of a line's event what its author gave; the one way for all who read a session, and for verifying it. */
export class EventOpener {
  readonly #seal: Seal | undefined;
  readonly #blobs: () => BlobSource;

  constructor(seal: Seal | undefined, blobs: () => BlobSource) {
    this.#seal = seal;
    this.#blobs = blobs;
  }

  /** The event opened, with its large strings, in the shape of its type. What cannot be had of it is reported, and costs nothing else (P2). */
  open(
    event: SessionEvent,
    offset: number,
    onDamage: (damage: Damage) => void,
  ): SessionEvent | undefined {
    const opened = tryOpen(this.#seal, event);
    if (opened === undefined) {
      const detail = `event ${event.id} ${this.#seal === undefined ? "is sealed, the session is not" : "does not open with the key"}`;
      onDamage({ kind: "bad_record", offset, recovered: 0, detail });
      return undefined;
    }
    const whole = opened.blobs === undefined ? opened : this.#restored(opened, offset, onDamage);
    let why: string | undefined;
    const sound = soundEvent(whole, (wrong) => {
      why = wrong;
    });
    if (why !== undefined) {
      const detail = `event ${event.id}: ${why}`;
      onDamage({ kind: "bad_record", offset, recovered: sound === undefined ? 0 : 1, detail });
    }
    return sound;
  }

  /** Reports what can be reported a sealed event without the key: the blobs it names that are not there. */
  inspect(event: SessionEvent, offset: number, onDamage: (damage: Damage) => void): void {
    for (const named of asArray(sealedFields(event).sealedBlobs)) {
      const blob = isObject(named) ? named["blob"] : undefined;
      if (typeof blob === "string" && this.#blobs().has(blob)) continue;
      const detail = `event ${event.id}: There is no blob ${String(blob).slice(0, 80)}.`;
      onDamage({ kind: "missing_file", offset, recovered: 1, detail });
    }
  }

  #restored(event: SessionEvent, offset: number, onDamage: (damage: Damage) => void): SessionEvent {
    const { blobs, ...rest } = event;
    return restoreStrings(rest as SessionEvent, (ref) => {
      try {
        return this.#blobs().get(ref).toString("utf8");
      } catch (error) {
        if (!isRepriseError(error)) throw error;
        const kind = error.code === "blob_missing" ? "missing_file" : "bad_record";
        onDamage({ kind, offset, recovered: 1, detail: `event ${event.id}: ${error.message}` });
        return `[${ref.size} bytes are missing: blob ${ref.blob}]`;
      }
    });
  }
}
