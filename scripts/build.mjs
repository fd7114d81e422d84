// Builds dist: the library's entries (library.mjs) and, with esbuild, the programs; what is imported when it is needed lies
// in chunks of its own. The library's types are made with tsc.
// Nothing is done while no source is newer than the last build. The new tree is made aside and then
// takes the place of the old one, so that a program running from dist never sees half of it.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";
import { bundleLibrary, finishTypes, threadsIn } from "./library.mjs";
import { noticesOf, packagesOf } from "./notices.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "dist");
const stamp = ".built";
const inputs = [
  "src",
  "scripts",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "tsconfig.lib.json",
  "tsconfig.rooms.json",
];
const target = "node20.19";
const platform = "node";

/** Every file that became a part of an output. */
const bundled = new Set();

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const before = fingerprint();
/** What the library and the programs know of themselves; the build is the same for both. */
const define = {
  REPRISE_VERSION: JSON.stringify(version),
  REPRISE_BUILD: JSON.stringify(createHash("sha256").update(before).digest("hex").slice(0, 12)),
};
const isForced = process.argv.includes("--force");
if (isForced || !existsSync(join(dist, stamp)) || readStamp() !== before) await buildAll();

function readStamp() {
  return readFileSync(join(dist, stamp), "utf8");
}

/** Names, sizes and times of everything the build reads; a removed file changes it too. */
function fingerprint() {
  const lines = [];
  const visit = (path) => {
    const stat = statSync(path);
    if (stat.isDirectory()) for (const name of readdirSync(path).sort()) visit(join(path, name));
    else lines.push(`${path} ${stat.size} ${stat.mtimeMs}`);
  };
  for (const input of inputs) visit(join(root, input));
  return lines.join("\n");
}

async function buildAll() {
  const fresh = join(root, ".cache", `dist-${process.pid}`);
  const old = join(root, ".cache", `dist-old-${process.pid}`);
  try {
    await buildLibrary(fresh);
    await buildPrograms(join(fresh, "bin"));
    // Beside what they are about, in the package that is passed on.
    const notices = noticesOf(packagesOf([...bundled]), root);
    writeFileSync(join(fresh, "THIRD-PARTY-NOTICES.txt"), notices);
    // Every room below the programs, a file for each module: for tests and measurements alone.
    runTsc("tsconfig.rooms.json", join(fresh, "rooms"));
    writeFileSync(join(fresh, stamp), before);
    if (existsSync(dist)) renameSync(dist, old);
    renameSync(fresh, dist);
  } finally {
    for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true });
  }
}

/** The library's entries and what they share, and the types that these lead to. */
async function buildLibrary(folder) {
  const { files } = JSON.parse(readFileSync(join(root, "tsconfig.lib.json"), "utf8"));
  for (const file of await bundleLibrary(folder, { root, files, define })) bundled.add(file);
  runTsc("tsconfig.lib.json", folder);
  finishTypes(folder, files);
}

function runTsc(config, folder) {
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const args = [tsc, "-p", config, "--outDir", folder];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new Error(`tsc -p ${config} ended with ${status}`);
}

/** Both programs and their threads. Only modules can be split, but Node starts CommonJS in three quarters of the time. */
async function buildPrograms(folder) {
  const options = {
    outdir: folder,
    chunkNames: "program/[name]-[hash]",
    define: {
      ...define,
      "import.meta.url": "__filename",
      "import.meta.filename": "__filename",
      "import.meta.dirname": "__dirname",
    },
    // Less to read at every start; names stay, so that a stack can be read.
    minifyWhitespace: true,
    minifySyntax: true,
  };
  const supported = { "dynamic-import": false };
  const commonJs = { format: "cjs", platform, target, supported, minifyWhitespace: true };
  const finish = async (text) => (await transform(text, commonJs)).code;
  // Threads are started by their file names, beside the chunks that start them, and share these chunks.
  const threads = Object.fromEntries(threadsIn(root, "program"));
  const entryPoints = { reprise: "src/programs/cli/main.ts", ...threads };
  await bundle({ ...options, entryPoints }, finish);
  await buildHook(options);
  writeFileSync(join(folder, "package.json"), '{ "type": "commonjs" }\n');
  for (const name of ["reprise.js", "reprise-hook.cjs"]) chmodSync(join(folder, name), 0o755);
}

/**
 * The hook, and a file for each thing that it imports when it is needed, whole by itself: opening one more file costs a
 * hook more than reading a few lines twice.
 */
async function buildHook(options) {
  const parts = new Map([["reprise-hook", "src/programs/hook/main.ts"]]);
  const asParts = {
    name: "parts",
    setup({ onResolve }) {
      onResolve({ filter: /^\./ }, ({ kind, path, importer, resolveDir }) => {
        if (kind !== "dynamic-import") return undefined;
        // A hook needs an agent's hooks and nothing else of it.
        if (/\/(?:index|install)\.ts$/.test(path)) return { path, external: true };
        const source = relative(root, join(resolveDir, path));
        const part = `hook/${basename(source.split(sep).slice(1).join("-"), ".ts")}`;
        parts.set(part, source);
        const isFirst = importer.endsWith(join("programs", "hook", "main.ts"));
        return { path: `./${isFirst ? part : basename(part)}.cjs`, external: true };
      });
    },
  };
  // What a part imports when it is needed comes after it.
  for (const [part, source] of parts)
    await bundle({
      ...options,
      entryPoints: { [part]: source },
      outExtension: { ".js": ".cjs" },
      splitting: false,
      format: "cjs",
      supported: { "dynamic-import": false },
      // Nobody ever sees a stack of it, and its bytes are read at every event.
      minifyIdentifiers: true,
      plugins: [asParts],
    });
}

/** Bundles entries, and in chunks of their own what several share or what is imported when it is needed. */
async function bundle(options, finish = (text) => text) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    format: "esm",
    platform,
    target,
    external: ["@photostructure/sqlite"],
    write: false,
    metafile: true,
    logLevel: "warning",
    ...options,
  });
  for (const { inputs } of Object.values(metafile.outputs)) {
    for (const [input, { bytesInOutput }] of Object.entries(inputs))
      if (bytesInOutput > 0) bundled.add(input);
  }
  for (const { path, text } of outputFiles) {
    const name = basename(path);
    // What is imported only by code that was left out is left out too.
    const isChunk = /-[0-9A-Z]{8}\.c?js$/.test(name);
    if (isChunk && !outputFiles.some((other) => other.text.includes(`/${name}"`))) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, await finish(text));
  }
}
