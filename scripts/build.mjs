// Builds dist: the library with tsc (one to one, its entry points bundled), the program with esbuild, one lazy chunk per command.
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
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "dist");
const stamp = join(dist, ".built");
const inputs = ["src", "scripts/build.mjs", "package.json", "tsconfig.json", "tsconfig.lib.json"];

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

const before = fingerprint();
if (!process.argv.includes("--force") && existsSync(stamp)) {
  if (readFileSync(stamp, "utf8") === before) process.exit(0);
}

const fresh = join(root, ".cache", `dist-${process.pid}`);
rmSync(fresh, { recursive: true, force: true });
mkdirSync(fresh, { recursive: true });
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const bundled = await build({
  absWorkingDir: root,
  entryPoints: { reprise: "src/programs/cli/main.ts" },
  outdir: join(fresh, "bin"),
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  chunkNames: "chunks/[name]-[hash]",
  external: ["@photostructure/sqlite"],
  define: { REPRISE_VERSION: JSON.stringify(version) },
  // Some bundled packages are CommonJS and ask for built-ins with require.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  // Less to read at every start; names stay, so that a stack can be read.
  minifyWhitespace: true,
  minifySyntax: true,
  logLevel: "warning",
}).catch(() => undefined);
if (bundled === undefined) {
  rmSync(fresh, { recursive: true, force: true });
  process.exit(1);
}
chmodSync(join(fresh, "bin", "reprise.js"), 0o755);

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
  entryPoints: { "reprise-hook": "src/programs/hook/main.ts" },
  plugins: [loadLate],
});
await build({ ...hook, entryPoints: { "reprise-hook-late": "src/bridge/ledger/late.ts" } });
chmodSync(join(fresh, "bin", "reprise-hook.cjs"), 0o755);

const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
const compiled = spawnSync(process.execPath, [tsc, "-p", "tsconfig.lib.json", "--outDir", fresh], {
  cwd: root,
  stdio: "inherit",
});

// The two entry points are bundled over their compiled selves: loading one file costs half of loading
// ninety. Types and everything below stay one to one.
await build({
  absWorkingDir: root,
  entryPoints: { index: "src/index.ts", testing: "src/testing.ts" },
  outdir: fresh,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  chunkNames: "entry-[hash]",
  external: ["@photostructure/sqlite", "fzstd"],
  logLevel: "warning",
});

if (compiled.status === 0) writeFileSync(join(fresh, ".built"), before);
const old = join(root, ".cache", `dist-old-${process.pid}`);
if (existsSync(dist)) renameSync(dist, old);
renameSync(fresh, dist);
rmSync(old, { recursive: true, force: true });
process.exitCode = compiled.status ?? 1;
