import { shortIds } from "../../../agents/reference.ts";
import { dayTime } from "../../../base/local-time.ts";
import { isWithin } from "../../../base/within.ts";
import type { Checkpoint } from "../../../snapshot/checkpoint.ts";
import { isIncomplete } from "../../../snapshot/snapshot.ts";
import type { CommandContext } from "../run/command.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { padded } from "../terminal/width.ts";
import { count } from "./count.ts";
import { homely } from "./path-text.ts";
import { sizeText } from "./size.ts";
import { relativeTime } from "./time.ts";

const reasons: Readonly<Record<Checkpoint["reason"], string>> = {
  asked: "asked for",
  prompt: "at a prompt",
  tool: "before a tool",
  safety: "before going back",
  base: "first look",
};

/** What was just taken, in a few lines. */
export function takenText(checkpoint: Checkpoint): string {
  const { number, label, skipped, agent, session } = checkpoint;
  const named = label === undefined ? "" : ` ${JSON.stringify(safeLine(label))}`;
  const of = session === undefined ? "" : ` in ${agent}:${safeLine(session)}`;
  const left =
    skipped === 0
      ? ""
      : `${count(skipped, "path")} could not be kept; \`reprise checkpoint show ${number}\` names them.\n`;
  return `Checkpoint ${number}${named}: ${factsOf(checkpoint).join(", ")}${of}.\n${left}`;
}

/** Checkpoints as lines, the newest last; the folder is named of those that are not of the project one is in. */
export function checkpointLines(
  checkpoints: readonly Checkpoint[],
  {
    nowMs,
    colours,
    env,
    here,
  }: Pick<CommandContext, "nowMs" | "colours" | "env"> & { readonly here?: string },
): string {
  const ids = shortIds(checkpoints.flatMap(({ session }) => session ?? []));
  const width = Math.max(...checkpoints.map(({ number }) => String(number).length));
  return checkpoints
    .map((one) => {
      const { number, at, reason, label, agent, session = "" } = one;
      const of = agent === undefined ? "" : `${agent}:${ids.get(session) ?? session}`;
      const name = label === undefined ? reasons[reason] : JSON.stringify(label);
      const columns = [
        padded(String(number), width),
        padded(relativeTime(Date.parse(at), nowMs), 10),
        padded(safeLine(name), 20),
        padded(safeLine(of), 24),
        colours.dim(factsOf(one).join(", ")),
        ...(here === undefined || isWithin(here, one.folder)
          ? []
          : [safeLine(homely(one.folder, env))]),
      ];
      return `${columns.join("  ")}\n`;
    })
    .join("");
}

/** Everything known of one checkpoint. */
export function checkpointHeading(checkpoint: Checkpoint): string {
  const { number, label, at, reason, folder, agent, session, event, uuid, call } = checkpoint;
  const ref = session === undefined ? undefined : `${agent}:${session}`;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["label", label],
    ["taken", `${dayTime(at)}, ${reasons[reason]}`],
    ["folder", folder],
    ["session", event === undefined ? ref : `${ref}@${event}`],
    ["message", uuid],
    ["call", call],
    ["holds", factsOf(checkpoint).join(", ")],
  ];
  const lines = rows.flatMap(([name, text]) =>
    text === undefined ? [] : [`  ${padded(name, 8)}${safeLine(text)}\n`],
  );
  return `Checkpoint ${number}\n${lines.join("")}`;
}

function factsOf(checkpoint: Checkpoint): readonly string[] {
  const { files, bytes, modified, messages, tokens, missed, partial } = checkpoint;
  return [
    partial === true ? "some files alone" : `${count(files, "file")}, ${sizeText(bytes)}`,
    ...(modified === undefined || partial === true ? [] : [`${modified} modified`]),
    ...(messages === undefined ? [] : [count(messages, "message")]),
    ...(tokens === undefined ? [] : [`${tokens.toLocaleString("en")} tokens`]),
    ...(missed > 0 ? [`incomplete: ${count(missed, "path")} not looked at`] : []),
    ...(missed === 0 && isIncomplete(checkpoint) && partial !== true ? ["incomplete"] : []),
  ];
}
