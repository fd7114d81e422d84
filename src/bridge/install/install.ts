import { isUtf8 } from "node:buffer";
import { dirname } from "node:path";
import type { HookScope } from "../../agents/hooks-contract.ts";
import type { Environment } from "../../base/env.ts";
import { RepriseError } from "../../base/errors.ts";
import { smallFile, statOf } from "../../base/folders.ts";
import { limits } from "../../base/limits.ts";
import { readRegular } from "../../base/open-file.ts";
import type { Home } from "../../store/home.ts";
import { ownAgent } from "../../store/own-agent.ts";
import { checkLasting, type HookProgram, hookLine } from "./hook-command.ts";
import type { Installable } from "./installable.ts";
import { changedFiles, originalOf } from "./installed.ts";
import { isLauncher, launcherPath, launcherText } from "./launcher.ts";
import { foundHooks, withHooks, withoutHooks } from "./settings-file/hook-entries.ts";

/** What of ours a change of settings is about: each is installed and removed by itself. */
export type SettingsAbout = "hooks" | "mcp" | "memories";

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
  /** What it is about, as the journal says it; hooks if absent. */
  readonly about?: SettingsAbout;
  /** Whether it puts ours there or takes it out, as the journal says it. */
  readonly change?: "added" | "removed";
  /** The file's mode; its own if absent, or for the user alone to read and write where it is made. */
  readonly mode?: number;
}

const launcherMode = 0o700;

/** Which hooks, for whom, where from. */
export interface InstallOptions {
  readonly scope: HookScope;
  readonly env: Environment;
  readonly home: Home;
  readonly program: HookProgram;
}

/**
 * The change that puts the launcher into our home, which comes before any other; none where it is there. Windows has no
 * shell of its own to run it: agents call Node there.
 */
export function planLauncher({ env, home, program }: InstallOptions): readonly SettingsChange[] {
  checkLasting(program);
  if (env.platform === "win32") return [];
  const launcher = edit(ownAgent, launcherPath(home), () => launcherText(program));
  const isThere = launcher.before === launcher.after && isExecutable(launcher.file);
  return isThere ? [] : [{ ...launcher, mode: launcherMode }];
}

function isExecutable(file: string): boolean {
  return ((statOf(file)?.mode ?? 0) & 0o100) !== 0;
}

/** The change that removes the launcher after others, where no settings that we ever changed name it then. */
export function planLauncherRemoval(
  home: Home,
  changes: readonly SettingsChange[],
): readonly SettingsChange[] {
  const file = launcherPath(home);
  const before = textOf(file);
  if (before === undefined || !isLauncher(before)) return [];
  const after = new Map(changes.map((change) => [change.file, change.after]));
  const textAfter = (path: string): string | undefined =>
    after.has(path) ? after.get(path) : smallFile(path, limits.settingsBytes);
  const isCalled = [...changedFiles(home).keys()].some(
    (path) => path !== file && textAfter(path)?.includes("reprise-hook") === true,
  );
  return isCalled
    ? []
    : [
        {
          agent: ownAgent,
          file,
          before,
          folders: [dirname(file)],
          mode: launcherMode,
          change: "removed",
        },
      ];
}

/** The changes that make an agent call us; none where it does already. Remarks are for the user. */
export function planInstall(
  { agent, install }: Installable,
  options: InstallOptions,
): { readonly changes: readonly SettingsChange[]; readonly remarks: readonly string[] } {
  const { scope, env, home, program } = options;
  const { node, script } = program;
  const argv = env.platform === "win32" ? [node, script, agent] : [launcherPath(home), agent];
  const { recipe, notice, trust } = install;
  const hooked = (text: string): string =>
    recipe.form === "plugin"
      ? recipe.text(argv)
      : withHooks(text, recipe.entries, hookLine(argv, env.platform));
  const edits = [edit(agent, recipe.file(scope, env), hooked)];
  const remarks = trust === undefined ? [] : [trust];
  const noticeFile = notice?.file(scope, env);
  if (notice !== undefined && noticeFile !== undefined) {
    edits.push(edit(agent, noticeFile, (text) => notice.with(text, argv)));
    const taken = notice.takenRemark(textOf(noticeFile) ?? "");
    if (taken !== undefined) remarks.push(taken);
  }
  return { changes: edits.filter(({ before, after }) => before !== after), remarks };
}

/** The changes that make an agent forget us: the file as it was where nobody touched it, else without what is ours. */
export function planUninstall(
  { agent, install: { recipe, notice } }: Installable,
  options: { readonly scope: HookScope; readonly env: Environment; readonly home: Home },
): readonly SettingsChange[] {
  const { scope, env, home } = options;
  const noticeFile = notice?.file(scope, env);
  const own =
    recipe.form === "plugin"
      ? { isOurs: isOurPlugin }
      : { isOurs: (text: string) => foundHooks(text).length > 0, without: withoutHooks };
  return [
    ...forgetting({ agent, file: recipe.file(scope, env), home }, own),
    ...(notice === undefined || noticeFile === undefined
      ? []
      : forgetting(
          { agent, file: noticeFile, home },
          { isOurs: notice.namesUs, without: notice.without },
        )),
  ];
}

/** The change that makes one file forget us, if it knows us: the file as it was, else without what is ours. */
export function forgetting(
  {
    agent,
    file,
    home,
    about = "hooks",
  }: {
    readonly agent: string;
    readonly file: string;
    readonly home: Home;
    readonly about?: SettingsAbout;
  },
  how: {
    isOurs(text: string): boolean;
    /** Absent where the whole file is ours; undefined if nothing of others is left in it. */
    without?(text: string): string | undefined;
  },
): readonly SettingsChange[] {
  const before = textOf(file);
  if (before === undefined || !how.isOurs(before)) return [];
  const change = { agent, file, before, about, change: "removed" } as const;
  const original = originalOf(home, file, { isOurs: how.isOurs, about });
  if (original !== undefined) {
    const { text, folders } = original;
    return [{ ...change, ...(text === undefined ? { folders } : { after: text }) }];
  }
  const after = namingFile(file, () => how.without?.(before));
  return [{ ...change, ...(after !== undefined && { after }) }];
}

/** Whether a plugin is the one we write. */
export function isOurPlugin(text: string): boolean {
  return text.includes("reprise hooks install");
}

/** The text of a settings file; undefined if there is none. Throws for one that cannot be changed without loss. */
export function textOf(path: string): string | undefined {
  // A folder or a pipe is there too: to read it throws, and a file in its place would end it.
  if (statOf(path) === undefined) return undefined;
  const bytes = readRegular(path, limits.settingsBytes);
  if (isUtf8(bytes)) return bytes.toString("utf8");
  throw new RepriseError("bad_input", `${path} is not text in UTF-8.`, {
    hint: "Save it as UTF-8, then run this again; nothing was changed.",
  });
}

/** The change that an edit of a file's text makes; before and after are equal if it changes nothing. */
export function edit(
  agent: string,
  file: string,
  change: (text: string) => string,
): SettingsChange {
  const before = textOf(file);
  const after = namingFile(file, () => change(before ?? ""));
  return { agent, file, after, change: "added", ...(before !== undefined && { before }) };
}

/** What an edit of a text makes; an error of it names the file. */
function namingFile<T>(file: string, change: () => T): T {
  try {
    return change();
  } catch (error) {
    if (!(error instanceof RepriseError)) throw error;
    throw new RepriseError(error.code, `${file}: ${error.message}`, {
      hint: "Fix the file, then run this again; nothing was changed.",
    });
  }
}
