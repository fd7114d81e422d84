import { join, relative, sep } from "node:path";
import { isWithin } from "../base/within.ts";
import { gitCommonFolder, readGit } from "../store/project.ts";
import type { RuleFileState } from "./folder-state.ts";
import type { RuleFacts, RuleSource } from "./ignore/rules.ts";
import { readRuleFile, readRuleFiles, ruleFileNames } from "./rule-files.ts";

/**
 * The rules that count in a folder before those that lie in it: the repository's own excludes, and the files of rules
 * between the top of the working tree and the folder. A working tree that holds the user's home has no say.
 */
export function rulesAbove(
  folder: string,
  options: { readonly userHome: string; readonly outside: readonly string[] },
): RuleFacts {
  const { outside } = options;
  const top = readGit(folder)?.top ?? folder;
  const alone = { prefix: "", sources: [], outside };
  if (isWithin(options.userHome, top)) return alone;
  const prefix = relative(top, folder).split(sep).join("/");
  const excludes = excludesOf(top);
  const between = prefix === "" ? [] : prefix.split("/");
  const files: RuleFileState[] = [];
  for (let depth = 0; depth < between.length; depth += 1) {
    const path = between.slice(0, depth).join("/");
    const names = new Set(ruleFileNames);
    files.push(...readRuleFiles(join(top, path), { folder: path, before: [], names }));
  }
  return { prefix, sources: [...excludes, ...files.map(({ source }) => source)], outside };
}

function excludesOf(top: string): readonly RuleSource[] {
  const common = gitCommonFolder(top);
  const text = common === undefined ? undefined : readRuleFile(join(common, "info", "exclude"));
  return text === undefined ? [] : [{ folder: "", kind: "ignore", text }];
}
