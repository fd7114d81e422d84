// Builds dist: the library with tsc (one to one, its entry points bundled), the program with esbuild, compiled ahead.
// Nothing is done while no source is newer than the last build. The new tree is made aside and then
// takes the place of the old one, so that a program running from dist never sees half of it.
import { spawnSync } from "node:child_process";
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
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";
import { buildInParts } from "./parts.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "dist");
const stamp = join(dist, ".built");
const inputs = ["src", "scripts", "package.json", "tsconfig.json", "tsconfig.lib.json"];

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

/** Runs what lies in a folder as people run it most, and keeps what V8 compiled of it beside it. */
function compileAhead(folder, script, input = "") {
  const home = join(folder, "home");
  mkdirSync(home);
  const made = spawnSync(process.execPath, [join(root, "scripts", script), folder], {
    env: { PATH: process.env.PATH, HOME: home, NO_COLOR: "1", REPRISE_NO_DRAIN: "1" },
    input,
    // What it says is of interest only where it fails.
    stdio: ["pipe", "ignore", "pipe"],
  });
  rmSync(home, { recursive: true, force: true });
  // Without it programs start more slowly, that is all.
  if (made.status !== 0) process.stderr.write(`${script} failed.\n${made.stderr}`);
}

const before = fingerprint();
if (!process.argv.includes("--force") && existsSync(stamp)) {
  if (readFileSync(stamp, "utf8") === before) process.exit(0);
}

const fresh = join(root, ".cache", `dist-${process.pid}`);
rmSync(fresh, { recursive: true, force: true });
mkdirSync(fresh, { recursive: true });
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Built-ins that take milliseconds to load and that few commands need: loaded at the first call. */
const lateBuiltIns = ["crypto", "child_process", "module", "os", "timers/promises", "v8", "zlib"];
const lateLoading = {
  name: "late-loading",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^node:(${lateBuiltIns.join("|")})$`) }, (asked) =>
      asked.namespace === "late" || asked.kind === "dynamic-import"
        ? { path: asked.path, external: true }
        : { path: asked.path, namespace: "late" },
    );
    onLoad({ filter: /.*/, namespace: "late" }, ({ path }) => {
      const names = Object.entries(process.getBuiltinModule(path)).flatMap(([name, value]) =>
        typeof value === "function" && /^[a-z]/.test(name) ? name : [],
      );
      const calls = names.map(
        (name) =>
          `export function ${name}(...given) { return require("${path}").${name}(...given); }`,
      );
      return { contents: calls.join("\n"), loader: "js" };
    });
  },
};

/** What runs in threads of their own is named so. */
const threads = Object.fromEntries(
  readdirSync(join(root, "src"), { recursive: true })
    .filter((file) => file.endsWith("-thread.ts"))
    .map((file) => [basename(file, ".ts"), join("src", file)]),
);

// The program, in chunks that are loaded when they are asked for.
const program = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node20.19",
  external: ["@photostructure/sqlite"],
  plugins: [lateLoading],
  define: {
    REPRISE_VERSION: JSON.stringify(version),
    // The chunks become CommonJS.
    "import.meta.url": "__filename",
    "import.meta.dirname": "__dirname",
  },
  // Less to read at every start; names stay, so that a stack can be read.
  minifyWhitespace: true,
  minifySyntax: true,
  logLevel: "warning",
};
const bin = join(fresh, "bin");
const bundled = await Promise.all([
  build({
    ...program,
    // Threads are started by their file name, beside the chunk that starts them, and share its chunks.
    entryPoints: { program: "src/programs/cli/main.ts", ...threads },
    outdir: join(bin, "program"),
    splitting: true,
    format: "esm",
    chunkNames: "[name]-[hash]",
    write: false,
  }),
  build({
    ...program,
    entryPoints: { reprise: "src/programs/cli/start.ts" },
    outdir: bin,
    format: "cjs",
    banner: { js: "#!/usr/bin/env node" },
  }),
]).catch(() => undefined);
if (bundled === undefined) {
  rmSync(fresh, { recursive: true, force: true });
  process.exit(1);
}
// Only modules can be split, but Node starts CommonJS sooner and V8 keeps what it compiled of it.
mkdirSync(join(bin, "program"));
for (const { path, text } of bundled[0].outputFiles) {
  const { code } = await transform(text, {
    format: "cjs",
    platform: "node",
    target: "node20.19",
    supported: { "dynamic-import": false },
    minifyWhitespace: true,
  });
  writeFileSync(path, code);
}
writeFileSync(join(bin, "package.json"), '{ "type": "commonjs" }\n');
chmodSync(join(bin, "reprise.js"), 0o755);
compileAhead(bin, "compile-ahead.mjs");

// The hook is one small CommonJS file: it starts with every event of an agent. What few events need lies
// beside it in a second one, which the first loads when it comes to that.
const hook = {
  absWorkingDir: root,
  outdir: join(fresh, "bin"),
  outExtension: { ".js": ".cjs" },
  bundle: true,
  format: "cjs",
  platform: "node",
  target: "node20.19",
  minify: true,
  logLevel: "warning",
};
/** A hook that runs needs nothing of an agent but how its hooks speak. */
const hooksAlone = {
  name: "hooks-alone",
  setup: ({ onResolve }) => {
    const others = /^\.\/(?:[\w-]+\/index|hooks\/install)\.ts$/;
    onResolve({ filter: others }, ({ path }) => ({ path, external: true }));
  },
};
const lateFile = "./reprise-hook-late.cjs";
const loadLate = {
  name: "load-late",
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^\.\/reprise-hook-late\.cjs$/ }, ({ path }) => ({ path, external: true }));
    onLoad({ filter: /bridge[\\/]ledger[\\/]late\.ts$/ }, () => ({
      contents: ["contributeNow", "keepNow"]
        .map(
          (name) =>
            `export const ${name} = (...given) => require("${lateFile}").${name}(...given);`,
        )
        .join("\n"),
    }));
  },
};
await build({
  ...hook,
  entryPoints: { "reprise-hook-main": "src/programs/hook/main.ts" },
  plugins: [hooksAlone, loadLate],
});
await build({
  ...hook,
  entryPoints: {
    "reprise-hook": "src/programs/hook/start.ts",
    "reprise-hook-late": "src/bridge/ledger/late.ts",
  },
});
chmodSync(join(bin, "reprise-hook.cjs"), 0o755);
compileAhead(bin, "compile-hook.mjs", '{"session_id":"a","hook_event_name":"Stop"}');

const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
const compiled = spawnSync(process.execPath, [tsc, "-p", "tsconfig.lib.json", "--outDir", fresh], {
  cwd: root,
  stdio: "inherit",
});

/** An import of a module of Node loads whatever that module could be asked for; asking it for single things does not. */
const askNode = {
  name: "ask-node",
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const contents = readFileSync(path, "utf8")
        .replace(/^import \{([^}]*)\} from "(node:[\w/]+)";$/gm, (_, names, from) => {
          const wanted = names.replace(/\btype \w+,?/g, "").replaceAll(" as ", ": ");
          return `const {${wanted}} = process.getBuiltinModule("${from}");`;
        })
        .replace(
          /^import (?:\* as )?(\w+) from "(node:[\w/]+)";$/gm,
          'const $1 = process.getBuiltinModule("$2");',
        );
      return { contents, loader: "ts" };
    });
  },
};

// What Node loads of the library: its entries, each bundled by itself, because loading one file costs half of loading
// ninety, and every letter of it costs too. Bundlers take the modules one by one, as tsc made them.
const library = {
  absWorkingDir: root,
  outdir: join(fresh, "entry"),
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  external: ["@photostructure/sqlite", "fzstd"],
  plugins: [askNode],
  minify: true,
  sourcemap: "linked",
  logLevel: "warning",
};
await build({
  ...library,
  entryPoints: ["redact", "testing"].map((name) => `src/${name}.ts`),
});
await buildInParts({
  ...library,
  entry: "index",
  common: "sessions",
  parts: {
    // Everything a session needs that is made or opened: none may be, or not at once.
    sessions: [
      "store/context-path",
      "store/draft",
      "store/folder-sessions",
      "store/memory-log",
      "store/project",
      "store/sessions",
    ],
    context: ["context/build", "context/state", "context/tokens", "context/usage"],
    lists: ["store/head", "store/list"],
    // Summaries, keys, damage, large contents, removal, and the whole tree at once.
    rare: [
      "context/compaction",
      "context/handover",
      "context/summarise",
      "jsonl/salvage",
      "log/make-seal",
      "log/mend",
      "log/quarantine",
      "log/verify",
      "store/collect",
      "store/compact",
      "store/open-blobs",
      "store/prune",
      "store/remove",
      "store/tree",
    ],
  },
});
compileAhead(join(fresh, "entry"), "compile-parts.mjs");

if (compiled.status === 0) writeFileSync(join(fresh, ".built"), before);
const old = join(root, ".cache", `dist-old-${process.pid}`);
if (existsSync(dist)) renameSync(dist, old);
renameSync(fresh, dist);
rmSync(old, { recursive: true, force: true });
process.exitCode = compiled.status ?? 1;
