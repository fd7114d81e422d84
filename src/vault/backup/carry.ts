import { chmodSync, copyFileSync, lstatSync, utimesSync } from "node:fs";
import { join, parse, relative } from "node:path";
import type { FilePrint } from "../../additions/added-file.ts";
import type { Staging } from "../../additions/running.ts";
import { StagedFile } from "../../additions/staged-file.ts";
import type { Agent } from "../../agents/contract.ts";
import type { FoundSession } from "../../agents/find-sessions.ts";
import { exists } from "../../base/disk.ts";
import type { Environment } from "../../base/env.ts";
import { isRepriseError, RepriseError } from "../../base/errors.ts";
import { isWithin } from "../../base/within.ts";
import { below } from "../kept-files.ts";

/** A file of a session, and where it lies in another home. */
export interface CarriedFile {
  readonly from: string;
  readonly to: string;
}

/** What of a session can be carried to another home; without files, why not. */
export type Carried =
  | { readonly files: readonly CarriedFile[] }
  | { readonly files: readonly []; readonly why: string };

/** The two homes that sessions are carried between. */
export interface Homes {
  readonly from: Environment;
  readonly to: Environment;
}

/** The files of a session and their places in another home, where its agent keeps sessions as whole files in the user's home. */
export async function carriedOf({ agent, ref }: FoundSession, homes: Homes): Promise<Carried> {
  const stays = (why: string): Carried => ({ files: [], why });
  const files = await ownFiles(agent, ref, homes.from);
  if (files === undefined || !files.includes(ref.path))
    return stays("they share a file or database with other data; copy it yourself");
  const placed = files.map((from) => ({ from, to: placeIn(from, agent, homes) }));
  const main = placed.find(({ from }) => from === ref.path);
  if (main?.to === undefined)
    return stays("they lie in a project or a folder of your own; they move with it");
  return { files: placed.flatMap(({ from, to }) => (to === undefined ? [] : [{ from, to }])) };
}

/** The whole files of a session, its folders looked through; links are left out, undefined if nobody knows them. */
async function ownFiles(
  { belongings }: Agent,
  ref: FoundSession["ref"],
  env: Environment,
): Promise<readonly string[] | undefined> {
  try {
    const own = await belongings?.(ref, env);
    if (own === undefined) return undefined;
    const inFolders = (own.folders ?? []).filter(isFolder).flatMap((folder) => below(folder).files);
    return [...new Set([...own.files, ...inFolders])].filter(isFile);
  } catch (error) {
    if (isRepriseError(error, "unsupported")) return undefined;
    throw error;
  }
}

/** The place of a file in the other home; undefined if it lies outside of its agent's own folders. */
function placeIn(path: string, agent: Agent, { from, to }: Homes): string | undefined {
  const there = fixedRoots(agent, to);
  for (const [at, root] of fixedRoots(agent, from).entries()) {
    const other = there[at] ?? there[0];
    if (isWithin(path, root) && other !== undefined) return join(other, relative(root, path));
  }
  return undefined;
}

/** The folders of an agent that do not depend on the folder one stands in: those are projects, and move by themselves. */
function fixedRoots(agent: Agent, env: Environment): readonly string[] {
  const anywhere = new Set(agent.roots({ ...env, cwd: parse(env.home).root }));
  return agent.roots(env).filter((root) => anywhere.has(root));
}

/** Copies a file with its time to where nothing is yet, for its owner alone; `damaged` if it is not what was expected. */
export function copyFile(
  { from, to }: CarriedFile,
  options: {
    readonly modifiedMs: number;
    readonly sha256?: string;
    readonly staging?: Staging;
  },
): FilePrint {
  const { modifiedMs, sha256, staging } = options;
  const file = new StagedFile(to, { staging });
  file.fillBy((temporary) => {
    copyFileSync(from, temporary);
    chmodSync(temporary, 0o600);
    utimesSync(temporary, modifiedMs / 1000, modifiedMs / 1000);
  });
  const print = file.finish();
  if (sha256 !== undefined && print.sha256 !== sha256) {
    file.abandon();
    throw new RepriseError("damaged", `${from} is not what the backup says; it was not restored.`);
  }
  return file.publish();
}

function isFile(path: string): boolean {
  return exists(path) && lstatSync(path).isFile();
}

function isFolder(path: string): boolean {
  return exists(path) && lstatSync(path).isDirectory();
}
