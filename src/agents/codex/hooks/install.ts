import { join } from "node:path";
import type { Environment } from "../../../base/env.ts";
import { smallFile } from "../../../base/folders.ts";
import { limits } from "../../../base/limits.ts";
import type { AgentInstall } from "../../hooks-contract.ts";
import { codexHome } from "../roots.ts";
import { foreignNotify, notifiesUs, withNotify, withoutNotify } from "./notify.ts";

/** Seconds. */
const timeout = 5;

const trust =
  'Codex skips hooks, without a word, until you trust them: start `codex` once and choose "Trust all".';

/** How hooks are put into Codex's folder. */
export const install: AgentInstall = {
  recipe: {
    form: "json-hooks",
    file: (scope, env) =>
      join(scope === "project" ? join(env.cwd, ".codex") : codexHome(env), "hooks.json"),
    entries: [
      { event: "SessionStart", timeout },
      { event: "UserPromptSubmit", timeout },
      { event: "PreToolUse", timeout },
      { event: "PostToolUse", timeout },
      { event: "PreCompact", timeout },
      { event: "SubagentStart", timeout },
      { event: "SubagentStop", timeout },
      { event: "Stop", timeout },
      { event: "SessionEnd", timeout },
    ],
  },
  // What it is reported after each turn, whether hooks are trusted or not; projects have no such file.
  notice: {
    file: (scope, env) => (scope === "user" ? configFile(env) : undefined),
    with: withNotify,
    without: withoutNotify,
    namesUs: notifiesUs,
    takenRemark: (text) =>
      foreignNotify(text) ? "`notify` names another program and was left alone." : undefined,
  },
  trust,
  remark: untrusted,
};

function configFile(env: Environment): string {
  return join(codexHome(env), "config.toml");
}

/** Codex runs only hooks it was reported to trust, and says nothing about the others. */
function untrusted(file: string, count: number, env: Environment): string | undefined {
  const text = smallFile(configFile(env), limits.settingsBytes) ?? "";
  const keys = [...text.matchAll(/^\[hooks\.state\.(?:"((?:[^"\\]|\\.)*)"|'([^']*)')\]/gm)];
  const trusted = keys.filter(([, double, single]) =>
    (double ?? single ?? "").startsWith(`${file}:`),
  );
  return trusted.length >= count ? undefined : trust;
}
