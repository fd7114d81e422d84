import type { Environment } from "../../../base/env.ts";
import { dayTime } from "../../../base/local-time.ts";
import type { SessionHead } from "../../../model/head.ts";
import { nameOfHead } from "../../../model/head-name.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { truncated } from "../terminal/width.ts";
import { homely } from "./path-text.ts";
import { sizeText } from "./size.ts";

/** A session's title, or what stands for it: why it cannot be read, where that is so. */
export function titleOf({ title, sealed, problem }: SessionHead): string {
  if (sealed) return "(sealed)";
  return title === undefined || title.trim() === "" ? (problem ?? "(no title)") : title;
}

const shortTitleColumns = 60;

/** The title in the middle of a sentence or a plan: the beginning of it, in one line that acts on no terminal. */
export function shortTitleOf(head: SessionHead): string {
  return truncated(safeLine(titleOf(head)), shortTitleColumns);
}

const documentTitleChars = 80;

/** The title above a document: of a first prompt that is long, its first words. */
export function documentTitleOf(head: SessionHead): string {
  const title = titleOf(head);
  if (head.titled === true || title.length <= documentTitleChars) return title;
  const words = title
    .slice(0, documentTitleChars + 1)
    .replace(/\s+\S*$/u, "")
    .replace(/[.,;:…-]+$/u, "");
  return `${words.slice(0, documentTitleChars).toWellFormed()}…`;
}

/** What a transcript says about its session above everything else, as labelled facts; here its folder is short. */
export function factsOf(
  head: SessionHead,
  env?: Environment,
): readonly (readonly [string, string])[] {
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["session", nameOfHead(head)],
    ["kind", head.kind],
    ["folder", head.cwd === undefined ? undefined : folderText(head, env)],
    ["branch", head.git?.branch],
    ["model", head.model],
    ["from", dayTime(head.createdAt) || undefined],
    ["to", dayTime(head.updatedAt) || undefined],
    // A session that is rows of a database has no size of its own.
    ["size", head.sizeBytes === 0 ? undefined : sizeText(head.sizeBytes)],
    ["state", head.state === "unknown" ? undefined : head.state],
    ["tags", head.tags === undefined || head.tags.length === 0 ? undefined : head.tags.join(", ")],
    ["copy of", head.copyOf],
    ["comes from", relationText(head)],
    ["problem", head.problem],
  ];
  return facts.flatMap(([label, value]) => (value === undefined ? [] : [[label, value] as const]));
}

function folderText(head: SessionHead, env: Environment | undefined): string {
  const { cwd = "" } = head;
  return `${env === undefined ? cwd : homely(cwd, env)}${head.cwdExists === false ? " (gone)" : ""}`;
}

function relationText(head: SessionHead): string | undefined {
  if (head.relation === undefined) return undefined;
  const { kind, session, event } = head.relation;
  const place = event === undefined ? session : `${session}@${event}`;
  return kind === "continues" ? `continues ${place}` : `${kind} of ${place}`;
}
