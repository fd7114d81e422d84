import { join } from "node:path";
import type { Environment } from "../../../base/env.ts";
import { asString, isObject, parseObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import { readRegular } from "../../../base/open-file.ts";
import type { Connection } from "../../../sqlite/connection.ts";
import type { ModelName } from "./message-rows.ts";

/** A model the user has: what the newest session ran with, else what the settings name. */
export function modelOf(database: Connection, env: Environment): ModelName | undefined {
  const newest = latestModel(database);
  if (newest !== undefined) return newest;
  const folder = env.variables["XDG_CONFIG_HOME"] || join(env.home, ".config");
  const set = asString(settingsIn(join(folder, "opencode", "opencode.json"))?.["model"]);
  const [providerID, ...rest] = set?.split("/") ?? [];
  return providerID === undefined || rest.length === 0
    ? undefined
    : { providerID, modelID: rest.join("/") };
}

function latestModel(database: Connection): ModelName | undefined {
  const rows = database
    .prepare(
      "SELECT data FROM message WHERE json_extract(data, '$.role') = 'user' ORDER BY time_created DESC LIMIT 20",
    )
    .iterate();
  for (const row of rows) {
    const model = parseObject(asString(isObject(row) ? row["data"] : undefined) ?? "")?.["model"];
    if (!isObject(model)) continue;
    const providerID = asString(model["providerID"]);
    const modelID = asString(model["modelID"]);
    if (providerID !== undefined && modelID !== undefined && providerID !== "imported")
      return { providerID, modelID };
  }
  return undefined;
}

function settingsIn(path: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return parseObject(readRegular(path, limits.settingsBytes).toString("utf8"));
  } catch {
    return undefined;
  }
}
