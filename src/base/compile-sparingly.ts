/** The engine of the Node versions this was measured with; another one may not know the setting, and says so. */
const triedEngine = /^11\.3\./;

/**
 * Has V8 compile every function by itself from now on instead of drawing into it what it calls. Code that runs for
 * minutes is slower that way. But of a run of half a second that keeps every core busy, a tenth goes into compiling
 * it so thoroughly.
 */
export function compileSparingly(): void {
  if (!triedEngine.test(process.versions.v8)) return;
  process
    .getBuiltinModule("node:v8")
    .setFlagsFromString("--max-inlined-bytecode-size-cumulative=0");
}
