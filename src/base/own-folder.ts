import { isAbsolute, join } from "node:path";
import { exists } from "./disk.ts";

/** What says where our own folder is. */
export interface FolderPlace {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
}

/**
 * Our own folder: `$REPRISE_HOME`, else `~/.reprise` where that exists, else `$XDG_DATA_HOME/reprise` where that is set, or on
 * macOS the folder in `Library` where the user made it, else `~/.reprise`. A store never moves by itself.
 */
export function ownFolder({ variables, platform, home }: FolderPlace): string {
  const given = variables["REPRISE_HOME"];
  if (given) return given;
  const usual = join(home, ".reprise");
  const data = variables["XDG_DATA_HOME"] ?? "";
  if (isAbsolute(data)) return exists(usual) ? usual : join(data, "reprise");
  if (platform !== "darwin") return usual;
  const library = join(home, "Library", "Application Support", "reprise");
  return !exists(usual) && exists(library) ? library : usual;
}
