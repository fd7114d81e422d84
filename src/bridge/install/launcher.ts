import { join } from "node:path";
import type { Home } from "../../store/home.ts";
import type { HookProgram } from "./hook-command.ts";

const mark = "# Written by `reprise hooks install`; `reprise hooks uninstall` removes it.";

/** Where the launcher lies: what agents call, wherever Node and the package lie tomorrow. */
export function launcherPath(home: Home): string {
  return join(home.root, "bin", "reprise-hook");
}

/** Whether a text is a launcher of ours, of whichever version. */
export function isLauncher(text: string): boolean {
  return text.startsWith(`#!/bin/sh\n${mark}\n`);
}

/** Whether a launcher does what those do that are written today, for whichever Node and package. */
export function isNewestLauncher(text: string): boolean {
  const program = programOf(text);
  return program !== undefined && launcherText(program) === text;
}

/** The Node and the hook that a launcher tries first; undefined if it is none of ours. */
export function programOf(text: string): HookProgram | undefined {
  const [node, script] = ["node", "hook"].map((name) =>
    new RegExp(`^${name}='((?:[^']|'\\\\'')*)'$`, "m").exec(text)?.[1]?.replaceAll("'\\''", "'"),
  );
  return isLauncher(text) && node !== undefined && script !== undefined
    ? { node, script }
    : undefined;
}

/**
 * The launcher: starts the hook with the Node and the package that are known; where one of them is gone, with what is on
 * the PATH or where version managers keep theirs. It ends with 0 and says nothing, whatever happens (P9): where nothing
 * is found, where Node is too old, where a part of the package is missing. No process but Node is started.
 */
export function launcherText({ node, script }: HookProgram): string {
  return `#!/bin/sh
${mark}
# It starts the hook of reprise and ends with 0, whatever happens.
exec 2>/dev/null
node=${shellQuoted(node)}
hook=${shellQuoted(script)}
count=$# agent=\${1-} given=\${2-} left=3

# Starts the hook unless a part is missing. A Node that cannot run it fails: then the next one is tried.
try() {
  { [ -f "$node" ] && [ -x "$node" ] && [ -f "$hook" ] && [ "$left" -gt 0 ]; } || return 0
  case $node:$hook in /*:/*) left=$((left - 1)) ;; *) return 0 ;; esac
  if [ "$count" -gt 1 ]; then "$node" "$hook" "$agent" "$given"; else "$node" "$hook" "$agent"; fi
  code=$?
  { [ "$code" -gt 0 ] && [ "$code" -lt 128 ]; } || exit 0
}
try

# Folders that may hold a Node: the newest version of each manager first, those of the PATH before all.
home=\${HOME-}
set --
for bin in /usr/bin /usr/local/bin /opt/homebrew/bin "$home/.asdf/shims" "$home/.local/share/mise/shims" \\
  "$home/.volta/bin" "$home/n/bin" "$home/.local/bin" \\
  "\${ASDF_DATA_DIR:-$home/.asdf}"/installs/nodejs/[2-9][0-9].*/bin \\
  "$home"/.local/share/mise/installs/node/[2-9][0-9].*/bin \\
  "\${FNM_DIR:-$home/.local/share/fnm}"/node-versions/v[2-9][0-9].*/installation/bin \\
  "$home"/.fnm/node-versions/v[2-9][0-9].*/installation/bin \\
  "$home"/Library/Application\\ Support/fnm/node-versions/v[2-9][0-9].*/installation/bin \\
  "\${NVM_DIR:-$home/.nvm}"/versions/node/v[2-9][0-9].*/bin; do
  set -- "$bin" "$@"
done
set -f
IFS=:
set -- \${PATH-} "$@"

# The package: as it was, else installed for one of these, else where other installers keep theirs.
file=reprise/dist/bin/reprise-hook.cjs known=$hook
if [ ! -f "$hook" ]; then
  for bin in "$@"; do
    hook=$bin/../lib/node_modules/$file
    [ -f "$hook" ] && break
  done
fi
if [ ! -f "$hook" ]; then
  for modules in "$home/.volta/tools/image/packages/reprise/lib/node_modules" \\
    "\${PNPM_HOME:-$home/.local/share/pnpm}/global/5/node_modules" "$home/Library/pnpm/global/5/node_modules" \\
    "$home/.config/yarn/global/node_modules" "$home/.bun/install/global/node_modules"; do
    hook=$modules/$file
    [ -f "$hook" ] && break
  done
fi
[ "$hook" = "$known" ] || try
for bin in "$@"; do
  node=$bin/node
  try
done
exit 0
`;
}

/** A word as a POSIX shell takes it. */
function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
