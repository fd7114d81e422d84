import { join } from "node:path";
import type { AgentHooks, HookScope } from "../../agents/hooks-contract.ts";
import { pluginText } from "../../agents/opencode/hooks/plugin-text.ts";
import type { Environment } from "../../base/env.ts";
import { RepriseError } from "../../base/errors.ts";
import { fileStat, smallFile } from "../../base/folders.ts";
import { limits } from "../../base/limits.ts";
import type { Home } from "../../store/home.ts";
import { commandLine, hookArgv } from "./hook-command.ts";
import { originalOf } from "./installed.ts";
import { foundHooks, withHooks, withoutHooks } from "./settings-file/hook-entries.ts";
import { foreignNotify, notifiesUs, withNotify, withoutNotify } from "./settings-file/notify.ts";

/** What happens to one file of an agent's settings. */
export interface SettingsChange {
  readonly agent: string;
  readonly file: string;
  /** Absent where the file is new. */
  readonly before?: string;
  /** Absent where the file goes. */
  readonly after?: string;
  /** Folders that go with it as far as they are empty, the innermost first. */
  readonly folders?: readonly string[];
}

/** Which hooks, for whom, where from. */
export interface InstallOptions {
  readonly scope: HookScope;
  readonly env: Environment;
  readonly node: string;
  readonly script: string;
}

/** The changes that make an agent call us; none where it does already. Remarks are for the user. */
export function planInstall(
  hooks: AgentHooks,
  options: InstallOptions,
): { readonly changes: readonly SettingsChange[]; readonly remarks: readonly string[] } {
  const { scope, env, node, script } = options;
  const argv = hookArgv({ node, script, agent: hooks.agent });
  const file = hooks.recipe.file(scope, env);
  const edits =
    hooks.recipe.form === "plugin"
      ? [edit(hooks.agent, file, () => pluginText(argv))]
      : [
          edit(hooks.agent, file, (text) =>
            withHooks(text, hooks.recipe, commandLine(argv, env.platform)),
          ),
        ];
  const remarks = hooks.recipe.trust === undefined ? [] : [hooks.recipe.trust];
  const notify = notifyFile(hooks, scope, env);
  if (notify !== undefined) {
    edits.push(edit(hooks.agent, notify, (text) => withNotify(text, argv)));
    if (foreignNotify(textOf(notify) ?? ""))
      remarks.push("`notify` names another program and was left alone.");
  }
  return { changes: edits.filter(({ before, after }) => before !== after), remarks };
}

/** The changes that make an agent forget us: the file as it was where nobody touched it, else without what is ours. */
export function planUninstall(
  hooks: AgentHooks,
  options: { readonly scope: HookScope; readonly env: Environment; readonly home: Home },
): readonly SettingsChange[] {
  const { scope, env, home } = options;
  const file = hooks.recipe.file(scope, env);
  const notify = notifyFile(hooks, scope, env);
  return [file, ...(notify === undefined ? [] : [notify])].flatMap((path) => {
    const before = textOf(path);
    if (before === undefined || !isOurs(hooks, path, before)) return [];
    const original = originalOf(home, path, (text) => isOurs(hooks, path, text));
    if (original !== undefined) {
      const { text, folders } = original;
      const after = text === undefined ? { folders } : { after: text };
      return [{ agent: hooks.agent, file: path, before, ...after }];
    }
    if (hooks.recipe.form === "plugin") return [{ agent: hooks.agent, file: path, before }];
    const after = path === notify ? withoutNotify(before) : withoutHooks(before);
    return [{ agent: hooks.agent, file: path, before, after }];
  });
}

/** Whether a settings text holds something of ours. */
export function isOurs(hooks: AgentHooks, path: string, text: string): boolean {
  if (hooks.recipe.form === "plugin") return text.includes("reprise hooks install");
  return path.endsWith(".toml") ? notifiesUs(text) : foundHooks(text).length > 0;
}

/** Where Codex is told whom to notify; projects have no such file. */
export function notifyFile(
  hooks: AgentHooks,
  scope: HookScope,
  env: Environment,
): string | undefined {
  if (hooks.agent !== "codex" || scope !== "user") return undefined;
  return join(env.variables["CODEX_HOME"] || join(env.home, ".codex"), "config.toml");
}

/** The text of a settings file; undefined where there is none. */
export function textOf(path: string): string | undefined {
  const text = smallFile(path, limits.settingsBytes);
  if (text === undefined && fileStat(path) !== undefined)
    throw new RepriseError("too_large", `${path} cannot be read as settings.`);
  return text;
}

function edit(agent: string, file: string, change: (text: string) => string): SettingsChange {
  const before = textOf(file);
  try {
    const after = change(before ?? "");
    return { agent, file, after, ...(before !== undefined && { before }) };
  } catch (error) {
    if (!(error instanceof RepriseError)) throw error;
    throw new RepriseError(error.code, `${file}: ${error.message}`, {
      hint: "Mend the file, then run this again; nothing was changed.",
    });
  }
}
