import { asString, isObject, type JsonObject } from "../../../base/json.ts";
import { type IdHash, idOf } from "./id-table.ts";
import { emptyShape, noteType, type RecordShape, toolToken, words } from "./record-shape.ts";

const boundary = words.boundary.toString("latin1");
const snapshot = words.snapshot.toString("latin1");
const synthetic = words.synthetic.toString("latin1");

/**
 * The shape of a record that was parsed anyway, as `scanRecord` finds it in the bytes; undefined where calls or
 * results may be in it, which only the bytes tell as they must be told.
 */
export function shapeIn(record: JsonObject, bytes: Buffer): RecordShape | undefined {
  if (bytes.includes(toolToken)) return undefined;
  const shape = emptyShape();
  const { type, parentUuid, message, attachment } = record;
  if (typeof type === "string") noteType(type.slice(0, 64), shape);
  shape.uuid = hashOf(record["uuid"]);
  shape.parent = hashOf(parentUuid);
  shape.hasParent =
    parentUuid === null || (parentUuid !== undefined && typeof parentUuid !== "object");
  shape.sidechain = record["isSidechain"] === true;
  shape.boundary = record["subtype"] === boundary;
  shape.apiError = record["isApiErrorMessage"] === true;
  shape.source = hashOf(record["sourceToolAssistantUUID"]);
  shape.leaf = hashOf(record["leafUuid"]);
  shape.cwd = hashOf(record["cwd"]);
  shape.branch = hashOf(record["gitBranch"]);
  if (isObject(message)) {
    shape.message = hashOf(message["id"]);
    shape.synthetic = message["model"] === synthetic;
  }
  if (isObject(attachment)) {
    shape.snapshot = attachment["type"] === snapshot;
  }
  return shape;
}

function hashOf(value: unknown): IdHash | undefined {
  const text = asString(value);
  return text === undefined ? undefined : idOf(text);
}
