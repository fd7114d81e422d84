import { homedir } from "node:os";

/** What the outside says: injected everywhere, so that other platforms can be tested here. */
export interface Environment {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly cwd: string;
}

/** The environment of this process. */
export function processEnvironment(): Environment {
  return {
    variables: process.env,
    platform: process.platform,
    home: process.env["HOME"] ?? process.env["USERPROFILE"] ?? homedir(),
    cwd: process.cwd(),
  };
}
