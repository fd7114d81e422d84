import { settingsFile } from "../../../agents/user-agents.ts";
import { RepriseError } from "../../../base/errors.ts";
import type { JsonObject } from "../../../base/json.ts";
import { parseSpan } from "../../../base/parse-time.ts";
import { userHome } from "../../../store/home.ts";
import { planPrune } from "../../../store/prune.ts";
import type { Retention } from "../../../store/retention.ts";
import { retentionIn } from "../config/retention.ts";
import {
  changedSettings,
  flatSettings,
  readSettings,
  settingIn,
  settingNamed,
  settingRows,
  writeSettings,
} from "../config/settings.ts";
import { count } from "../render/count.ts";
import { homely } from "../render/path-text.ts";
import { parseSize, sizeText } from "../render/size.ts";
import type { Command, CommandContext } from "../run/command.ts";
import { homeOf } from "../sessions/native.ts";
import { safeLine } from "../terminal/terminal-text.ts";

const dayMs = 24 * 3600_000;

/** `reprise config`: the settings of the user, and where they lie. */
export const config: Command = {
  name: "config",
  summary: "show and change settings: retention, default flags, your own agents",
  details: `Settings are kept in settings.json of the store. The store is $REPRISE_HOME; else ~/.reprise if it exists; else
$XDG_DATA_HOME/reprise if XDG_DATA_HOME is set, or on macOS ~/Library/Application Support/reprise if you made that
folder; else ~/.reprise. Settings: ${settingRows.map(({ key, says }) => `${key}: ${says}`).join("; ")}.`,
  withoutAgents: true,
  args: [
    { name: "[get|set|unset|path]", says: "what to do (default: list all settings)" },
    { name: "[key]", says: "such as retention.ttlDays" },
    { name: "[value]", says: "the new value" },
  ],
  flags: [],
  examples: [
    { line: "reprise config", says: "what is set, and where" },
    { line: "reprise config set defaults.list.limit 50", says: "lists are longer" },
    {
      line: "reprise config set retention.ttlDays 90",
      says: "with the next line, old sessions are deleted automatically",
    },
    { line: "reprise config set retention.auto yes", says: "switch it on" },
  ],
  json: "{ file: string, store: string, settings: object } or, with get, { key: string, value: unknown }",
  run: async ({ args }, context) => {
    const [verb, key, value] = args;
    const { env } = context;
    if (verb === undefined) return list(context);
    if (verb === "path") {
      if (context.json)
        return context.out.writeJson({ file: settingsFile(env), store: userHome(env).root });
      return context.out.write(`${settingsFile(env)}\n`);
    }
    if (
      !["get", "set", "unset"].includes(verb) ||
      key === undefined ||
      (verb === "set") !== (value !== undefined)
    ) {
      throw new RepriseError("usage", "Not a way to change settings.", {
        hint: "Type `reprise config get <key>`, `set <key> <value>`, `unset <key>` or `path`.",
      });
    }
    const { takes } = settingNamed(key);
    const settings = readSettings(env);
    if (verb === "get") return get(key, settingIn(settings, key), context);
    const next = verb === "set" ? read(value ?? "", { key, takes }) : undefined;
    const changed = changedSettings(settings, key, next);
    writeSettings(env, changed);
    if (context.json) return context.out.writeJson({ key, value: next ?? null });
    context.out.note(
      next === undefined ? `${key} is not set any more.` : `${key} is ${shown(next)} now.`,
    );
    if (key.startsWith("retention.")) context.out.note(retentionNote(key, changed, context));
  },
};

/** What the rules of retention do as they are set now. */
function retentionNote(key: string, settings: JsonObject, context: CommandContext): string {
  const policy = retentionIn(settings);
  const isOn = settingIn(settings, "retention.auto") === true;
  if (!isOn && (key === "retention.auto" || policy === undefined))
    return "Nothing is deleted by itself any more.";
  if (policy === undefined)
    return "No rule is set: nothing is deleted. Set one with `reprise config set retention.ttlDays 90`.";
  if (!isOn)
    return "Nothing is deleted by itself until `reprise config set retention.auto yes`. `reprise prune` shows what would be.";
  const matching = planPrune(homeOf(context), policy, context.nowMs).length;
  return `Sessions of Reprise's own store that ${rulesText(policy)} are deleted once a day: now ${count(matching, "session")}. \`reprise prune\` shows which.`;
}

/** Which sessions a policy deletes, as the rest of a sentence. */
function rulesText({ ttlDays, maxSessions, maxBytes }: Retention): string {
  const rules = [
    ...(ttlDays === undefined ? [] : [`were not used for ${count(ttlDays, "day")}`]),
    ...(maxSessions === undefined ? [] : [`are not among the newest ${maxSessions}`]),
    ...(maxBytes === undefined ? [] : [`are beyond the newest ${sizeText(maxBytes)}`]),
  ];
  return rules.join(" or ");
}

function read(
  text: string,
  { key, takes }: { readonly key: string; readonly takes: string },
): unknown {
  switch (takes) {
    case "yes or no":
      if (/^(?:yes|true|on)$/.test(text)) return true;
      if (/^(?:no|false|off)$/.test(text)) return false;
      break;
    case "a whole number":
      if (/^\d{1,9}$/.test(text)) return Number(text);
      break;
    case "days": {
      const days = wholeDays(text);
      if (days !== undefined) return days;
      throw new RepriseError("usage", `${key} takes days, not ${JSON.stringify(text)}.`, {
        hint: "Write 90, 90d, 3 months or 1 year.",
      });
    }
    case "a size":
      return parseSize(text);
    default:
      return text;
  }
  throw new RepriseError("usage", `${key} takes ${takes}, not ${JSON.stringify(text)}.`);
}

/** A number of days, or an age of whole days as `--since` takes it. */
function wholeDays(text: string): number | undefined {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const days = (parseSpan(text) ?? Number.NaN) / dayMs;
  return Number.isInteger(days) ? days : undefined;
}

async function list(context: CommandContext): Promise<void> {
  const { env, out, colours } = context;
  const settings = readSettings(env);
  const file = settingsFile(env);
  if (context.json) return out.writeJson({ file, store: userHome(env).root, settings });
  const rows = flatSettings(settings).map(([key, value]) => `${safeLine(key)} = ${shown(value)}\n`);
  await out.write(rows.length === 0 ? "Nothing is set.\n" : rows.join(""));
  out.note(
    colours.dim(
      `In ${safeLine(homely(file, env))}; see \`reprise config --help\` for what can be set.`,
    ),
  );
}

async function get(key: string, value: unknown, context: CommandContext): Promise<void> {
  if (context.json) return context.out.writeJson({ key, value: value ?? null });
  if (value === undefined)
    throw new RepriseError("failed", `${key} is not set.`, {
      hint: "Set it with `reprise config set`.",
    });
  await context.out.write(`${shown(value)}\n`);
}

/** A value as people type it: a text without quotes. */
function shown(value: unknown): string {
  return safeLine(typeof value === "string" ? value : JSON.stringify(value));
}
