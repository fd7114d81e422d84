import { bytesOfName } from "../file-name.ts";
import { type Pattern, parsePatterns } from "./pattern.ts";

/** A file of rules as it was read; its text has a character for each byte. */
export interface RuleSource {
  /** The folder whose content it judges, from the top the rules begin at; "" is the top. */
  readonly folder: string;
  readonly kind: "ignore" | "include";
  readonly text: string;
}

/** Everything that decides which paths a snapshot looks at, as it is kept with the snapshot. */
export interface RuleFacts {
  /** Where the snapshot's folder lies below the top of the rules; "" where it is the top. */
  readonly prefix: string;
  readonly sources: readonly RuleSource[];
  /** Paths that are never looked at, such as the store itself where it lies in the folder. */
  readonly outside: readonly string[];
}

/** Whether what lies in a folder is looked at: all that is not ignored, all, or what is included by name. */
export type Reach = "usual" | "all" | "named";

interface Level {
  readonly prefixLength: number;
  readonly ignore: readonly Pattern[];
  readonly include: readonly Pattern[];
}

/** Judges paths by rules of the kind git has. Held because the sources come while a folder is walked. */
export class Rules {
  readonly #prefix: string;
  readonly #outside: ReadonlySet<string>;
  readonly #sources: RuleSource[] = [];
  readonly #levels = new Map<string, Level>();
  readonly #parsed: (text: string) => readonly Pattern[];
  #hasIncludes = false;

  constructor(facts: RuleFacts, parsed: (text: string) => readonly Pattern[] = parsePatterns) {
    this.#prefix = facts.prefix === "" ? "" : `${byteText(facts.prefix)}/`;
    this.#outside = new Set(facts.outside);
    this.#parsed = parsed;
    for (const source of facts.sources) this.add(source);
  }

  /** Adds a file of rules; what is added later for the same folder counts more. */
  add(source: RuleSource): void {
    const folder = byteText(source.folder);
    const patterns = this.#parsed(source.text);
    this.#sources.push(source);
    const { ignore = [], include = [] } = this.#levels.get(folder) ?? {};
    const prefixLength = folder === "" ? 0 : folder.length + 1;
    const isInclude = source.kind === "include";
    if (isInclude) this.#hasIncludes = true;
    this.#levels.set(folder, {
      prefixLength,
      ignore: isInclude ? ignore : [...ignore, ...patterns],
      include: isInclude ? [...include, ...patterns] : include,
    });
  }

  /** Every source that was added. */
  get sources(): readonly RuleSource[] {
    return this.#sources;
  }

  /** How far an entry of a folder that is looked at is itself looked at; undefined if it is not. */
  reachOf(
    path: string,
    entry: { readonly isFolder: boolean; readonly within: Reach },
  ): Reach | undefined {
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (name === ".git" || this.#outside.has(path)) return undefined;
    if (entry.within === "all") return "all";
    const full = this.#prefix + byteText(path);
    if (entry.within === "usual" && !this.#says(full, entry.isFolder, "ignore")) return "usual";
    if (!this.#hasIncludes) return undefined;
    if (this.#says(full, entry.isFolder, "include")) return "all";
    return entry.isFolder && this.#mayInclude(full) ? "named" : undefined;
  }

  /** Whether a path below the snapshot's folder is looked at, by all the folders above it. */
  covers(path: string, entry: { readonly isFolder: boolean }): boolean {
    let reach: Reach | undefined = "usual";
    for (let at = path.indexOf("/"); at >= 0 && reach !== undefined; at = path.indexOf("/", at + 1))
      reach = this.reachOf(path.slice(0, at), { isFolder: true, within: reach });
    if (reach === undefined) return false;
    const own = this.reachOf(path, { ...entry, within: reach });
    return own !== undefined && own !== "named";
  }

  /** The last matching pattern of the nearest folder decides. */
  #says(full: string, isFolder: boolean, kind: "ignore" | "include"): boolean {
    for (
      let folder: string | undefined = above(full);
      folder !== undefined;
      folder = above(folder)
    ) {
      const level = this.#levels.get(folder);
      if (level === undefined) continue;
      const found = lastMatch(level[kind], full.slice(level.prefixLength), isFolder);
      if (found !== undefined) return !found.negated;
    }
    return false;
  }

  /** Whether an included path may lie in a folder that is ignored: one that a pattern leads through by name. */
  #mayInclude(full: string): boolean {
    for (const [folder, { include }] of this.#levels) {
      if (folder !== "" && !full.startsWith(`${folder}/`)) continue;
      const parts = full.slice(folder === "" ? 0 : folder.length + 1).split("/");
      const leads = include.some(({ literalFolders, negated }) => {
        if (negated || literalFolders.length === 0) return false;
        const shared = Math.min(parts.length, literalFolders.length);
        return parts.slice(0, shared).every((part, at) => part === literalFolders[at]);
      });
      if (leads) return true;
    }
    return false;
  }
}

/** The folder a path lies in; undefined above the top. */
function above(path: string): string | undefined {
  if (path === "") return undefined;
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function lastMatch(
  patterns: readonly Pattern[],
  path: string,
  isFolder: boolean,
): Pattern | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  for (let at = patterns.length - 1; at >= 0; at -= 1) {
    const pattern = patterns[at]!;
    if (pattern.foldersOnly && !isFolder) continue;
    if (pattern.matches(pattern.anchored ? path : name)) return pattern;
  }
  return undefined;
}

/** Every byte of a path as one character, so that `?` is a byte as it is for git. */
function byteText(path: string): string {
  return /^[\x00-\x7f]*$/.test(path) ? path : bytesOfName(path).toString("latin1");
}
