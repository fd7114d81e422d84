import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import type { HookScope } from "../../../agents/hooks-contract.ts";
import { pageBehind, pagesOf } from "../../../agents/kept-notes.ts";
import type { PublishPlace } from "../../../agents/memories-contract.ts";
import { loadMemories } from "../../../agents/registry.ts";
import type { Environment } from "../../../base/env.ts";
import { RepriseError } from "../../../base/errors.ts";
import { statOf } from "../../../base/folders.ts";

/** A page that memories are published to. */
export interface Place {
  /** The agents that were named for it. */
  readonly names: readonly string[];
  readonly file: string;
  readonly front?: string;
  /** Every page that one of these agents reads by itself: what stands there is not said twice. */
  readonly read: readonly string[];
}

/** The pages of some agents in a scope; agents that read the same file share it. Throws if one has none there. */
export async function placesOf(
  names: readonly string[],
  { scope, env }: { readonly scope: HookScope; readonly env: Environment },
): Promise<readonly Place[]> {
  const places = new Map<string, Place>();
  for (const name of new Set(names)) {
    const memories = await loadMemories(name);
    const file = memories?.publish?.page(scope, env);
    if (memories?.publish === undefined || file === undefined) throw noPlace(name, scope);
    const real = checkedFile(file, { env, scope });
    const same = places.get(real);
    places.set(real, {
      names: [...(same?.names ?? []), name],
      file: same?.file ?? file,
      read: [...(same?.read ?? []), ...pagesOf(memories, env)],
      ...frontOf(memories.publish),
    });
  }
  return [...places.values()];
}

function frontOf({ front }: PublishPlace): Pick<Place, "front"> {
  return front === undefined ? {} : { front };
}

/** The file behind a page, or the page if it is new; throws if a project leads it out of the project. */
function checkedFile(
  file: string,
  { env, scope }: { readonly env: Environment; readonly scope: HookScope },
): string {
  if (scope === "user") return statOf(file) === undefined ? file : realpathSync(file);
  // A new page lies in a folder; the innermost that is there must be in the project too.
  for (let at = file; ; at = dirname(at)) {
    if (statOf(at) === undefined && dirname(at) !== at) continue;
    const real = pageBehind(at, env);
    if (real !== undefined) return real + file.slice(at.length);
    throw new RepriseError("bad_input", `${file} leads out of this project.`, {
      hint: "Remove the link, or publish for the user with --user; nothing was changed.",
    });
  }
}

function noPlace(name: string, scope: HookScope): RepriseError {
  return new RepriseError("unsupported", `${name} has no page for memories of a ${scope}.`, {
    hint:
      scope === "user"
        ? "Leave --user out to publish those of this project."
        : "Publish those of the user with --user.",
  });
}
