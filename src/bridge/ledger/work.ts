import { limits } from "../../base/limits.ts";
import type { State } from "../state/state.ts";
import type { Facts } from "./facts.ts";
import { withoutSecrets } from "./secrets.ts";
import { shortPath } from "./short-path.ts";

/** What a state says of the work itself: files that were changed, tasks; secrets hidden. */
export function workFacts({ files, tasks, cwd }: State): Facts {
  return {
    files: files
      .slice(0, limits.ledgerItems)
      .map((file) => withoutSecrets(shortPath(file, cwd)))
      .reverse(),
    ...(tasks.length > 0 && {
      tasks: tasks.map(({ name, status }) => ({ name: withoutSecrets(name), status })),
    }),
  };
}
