import { isAbsolute } from "node:path";
import type { HookScope } from "../../../agents/hooks-contract.ts";
import type { Environment } from "../../../base/env.ts";
import { isRepriseError } from "../../../base/errors.ts";
import { fileStat } from "../../../base/folders.ts";
import { textOf } from "../install.ts";
import { type McpClient, serverArgv, startsOurs } from "./server.ts";

/** Our server in the settings of one program and one scope. */
export interface InstalledServer {
  readonly scope: HookScope;
  readonly file: string;
  /** The words that start it. */
  readonly argv: readonly string[];
  /** Whether it may write: memories are kept at once, and the other changes are made. */
  readonly write: boolean;
  /** Files that are not there any more. */
  readonly dead: readonly string[];
  /** What is wrong with the file. */
  readonly remark?: string;
}

/** Our server in a program's settings of a scope; undefined if it is not there. */
export function installedServer(
  { mcp }: McpClient,
  scope: HookScope,
  env: Environment,
): InstalledServer | undefined {
  const file = mcp.file(scope, env);
  if (file === undefined || fileStat(file) === undefined) return undefined;
  try {
    const argv = serverArgv(mcp, textOf(file) ?? "") ?? [];
    if (!startsOurs(argv)) return undefined;
    const dead = argv.filter((word) => isAbsolute(word) && fileStat(word) === undefined);
    return { scope, file, argv, write: argv.includes("--write"), dead };
  } catch (error) {
    if (!isRepriseError(error)) throw error;
    return { scope, file, argv: [], write: false, dead: [], remark: error.message };
  }
}
