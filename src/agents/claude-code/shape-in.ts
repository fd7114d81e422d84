import { asString, isObject, type JsonObject } from "../../base/json.ts";
import { type IdHash, idOf } from "./id-table.ts";
import { emptyShape, noteType, type RecordShape, toolToken, words } from "./scan.ts";

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
  shape.hasParent = parentUuid !== undefined && (parentUuid === null || !isNested(parentUuid));
  shape.sidechain = record["isSidechain"] === true;
  shape.boundary = record["subtype"] === words.boundary.toString("latin1");
  shape.apiError = record["isApiErrorMessage"] === true;
  shape.source = hashOf(record["sourceToolAssistantUUID"]);
  shape.leaf = hashOf(record["leafUuid"]);
  shape.cwd = hashOf(record["cwd"]);
  shape.branch = hashOf(record["gitBranch"]);
  if (isObject(message)) {
    shape.message = hashOf(message["id"]);
    shape.synthetic = message["model"] === words.synthetic.toString("latin1");
  }
  if (isObject(attachment)) {
    shape.snapshot = attachment["type"] === words.snapshot.toString("latin1");
  }
  return shape;
}

function isNested(value: unknown): boolean {
  return typeof value === "object";
}

function hashOf(value: unknown): IdHash | undefined {
  const text = asString(value);
  return text === undefined ? undefined : idOf(text);
}
