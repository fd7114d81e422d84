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
import { dirname, join, relative, sep } from "node:path";
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

const lazy = new Map();

/** What the first file imports only when it is needed becomes an entry of the whole program. */
const lazyParts = {
  name: "lazy-parts",
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      if (kind !== "dynamic-import") return undefined;
      const file = join(resolveDir, path);
      const name = relative(join(root, "src"), file).replace(/\.ts$/, "").replaceAll(sep, "-");
      lazy.set(`parts/${name}`, file);
      return { path: `./parts/${name}.mjs`, external: true };
    });
  },
};

/** Loading node:crypto takes longer than the rest of a search, which seldom calls it. */
const lateCrypto = {
  name: "late-crypto",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^node:crypto$/ }, () => ({ path: "crypto", namespace: "late" }));
    onLoad({ filter: /.*/, namespace: "late" }, () => ({
      contents: ["createHash", "createHmac", "hash", "randomBytes", "randomFillSync", "randomUUID"]
        .map((name) => `export const ${name} = (...args) => require("crypto").${name}(...args);`)
        .join("\n"),
      loader: "js",
    }));
  },
};

const shared = {
  absWorkingDir: root,
  outdir: join(fresh, "bin"),
  bundle: true,
  platform: "node",
  target: "node20.19",
  external: ["@photostructure/sqlite"],
  // Less to read at every start; names stay, so that a stack can be read.
  minifyWhitespace: true,
  minifySyntax: true,
  logLevel: "warning",
};

// The first file is CommonJS and one piece: it starts in half the time that modules take.
const started = await build({
  ...shared,
  entryPoints: {
    reprise: "src/programs/cli/start.ts",
    "scan-worker": "src/catalog/scan-worker.ts",
  },
  format: "cjs",
  plugins: [lazyParts, lateCrypto],
  define: { REPRISE_VERSION: JSON.stringify(version), "import.meta.url": "__filename" },
}).catch(() => undefined);
const bundled =
  started &&
  (await build({
    ...shared,
    entryPoints: {
      ...Object.fromEntries(lazy),
      "index-worker": "src/catalog/index-worker.ts",
    },
    outExtension: { ".js": ".mjs" },
    splitting: true,
    format: "esm",
    chunkNames: "chunks/[name]-[hash]",
    define: { REPRISE_VERSION: JSON.stringify(version) },
    // Some bundled packages are CommonJS and ask for built-ins with require.
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
  }).catch(() => undefined));
if (bundled === undefined) {
  rmSync(fresh, { recursive: true, force: true });
  process.exit(1);
}
writeFileSync(join(fresh, "bin", "package.json"), '{ "type": "commonjs" }\n');
chmodSync(join(fresh, "bin", "reprise.js"), 0o755);

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
