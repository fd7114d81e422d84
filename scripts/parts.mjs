// Bundles an entry of the library in several files. Whatever the first has is parsed by everybody who imports it,
// called or not; what few sessions need, or not at once, lies in parts that are read when something of them is first
// called. Calls are synchronous, so a part is no module but the body of a function; names stay in it, so that a stack
// can be read. Parts use the modules of the first file, never copies: classes and what modules remember exist once.
import { readFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { build } from "esbuild";

/**
 * Bundles `src/<entry>.ts`. `parts` names the modules that go, with what they alone need, into `<entry>-<part>.js`;
 * only their functions can be used from elsewhere.
 */
export async function buildInParts({ entry, parts, ...options }) {
  const root = options.absWorkingDir;
  const src = join(root, "src");
  const nameOf = (path) => relative(src, path).split(sep).join("/").replace(/\.ts$/, "");
  const partOf = (path) => Object.keys(parts).find((part) => parts[part].includes(nameOf(path)));
  const inputsOf = ({ metafile }) =>
    Object.keys(metafile.inputs).map((path) => resolve(root, path));

  /** The first file; `shared` has, for each part, what it uses of the modules of the first. */
  const buildFirst = (shared, more = {}) => {
    const standIns = {
      name: "stand-ins",
      setup: ({ onLoad, onResolve }) => {
        onResolve({ filter: /^part:/ }, ({ path }) => ({ path: path.slice(5), namespace: "part" }));
        onLoad({ filter: /.*/, namespace: "part" }, ({ path: part }) => ({
          contents: loaderOf(`./${entry}-${part}.js`, shared.get(part) ?? new Map()),
          resolveDir: src,
        }));
        onResolve({ filter: /^read-part$/ }, ({ path }) => ({ path, namespace: "read-part" }));
        onLoad({ filter: /.*/, namespace: "read-part" }, () => ({ contents: readPart }));
        onLoad({ filter: /\.ts$/ }, ({ path }) => {
          const part = partOf(path);
          return part && { contents: standInsFor(path, part), resolveDir: src };
        });
      },
    };
    const entryPoints = [join(src, `${entry}.ts`)];
    const plugins = [standIns, ...options.plugins];
    return build({ ...options, entryPoints, metafile: true, ...more, plugins });
  };

  /** A part; returns what it uses of the first file. */
  const buildPart = async (part, first, more = {}) => {
    const shared = new Map();
    const fromFirst = {
      name: "from-first",
      setup: ({ onLoad, onResolve }) => {
        onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir, importer }) => {
          const full = join(resolveDir, path);
          // Of another part the first file has what stands in for it.
          if (!first.has(full) && (partOf(full) ?? part) === part) return undefined;
          const name = nameOf(full);
          const used = shared.get(name) ?? new Set();
          for (const imported of importedNames(importer, path)) used.add(imported);
          shared.set(name, used);
          return { path: name, namespace: "first" };
        });
        onLoad({ filter: /.*/, namespace: "first" }, ({ path }) => ({
          contents: `module.exports = first[${JSON.stringify(path)}];`,
        }));
      },
    };
    const { outdir, ...others } = options;
    const built = await build({
      ...others,
      stdin: {
        contents: parts[part].map((name) => `export * from "./${name}.ts";`).join("\n"),
        resolveDir: src,
      },
      outfile: join(outdir, `${entry}-${part}.js`),
      format: "cjs",
      minify: false,
      minifyWhitespace: true,
      minifySyntax: true,
      sourcemap: false,
      metafile: true,
      banner: { js: "const module = {};" },
      footer: { js: "return module.exports;" },
      ...more,
      plugins: [fromFirst, ...options.plugins],
    });
    return { shared, inputs: inputsOf(built).filter((path) => path.startsWith(src)) };
  };

  const probe = await buildFirst(new Map(), { write: false });
  const first = new Set(inputsOf(probe).filter((path) => partOf(path) === undefined));
  const seen = new Set();
  for (const part of Object.keys(parts)) {
    const { inputs } = await buildPart(part, first, { write: false });
    // What two parts need goes to the first file.
    for (const path of inputs) (seen.has(path) ? first : seen).add(path);
  }
  const shared = new Map();
  for (const part of Object.keys(parts)) shared.set(part, (await buildPart(part, first)).shared);
  await buildFirst(shared);
}

/** The values a module imports from another. */
function importedNames(importer, from) {
  const source = readFileSync(importer, "utf8");
  const names = source
    .split(/^import /m)
    .map((statement) => /^\{([^}]*)\} from "([^"]*)";/.exec(statement))
    .find((found) => found?.[2] === from)?.[1];
  if (names === undefined) throw new Error(`${importer} must import names from ${from}.`);
  return names.split(",").flatMap((name) => {
    const [imported] = name.trim().split(" as ");
    return imported === "" || imported.startsWith("type ") ? [] : imported;
  });
}

/** A function for each one of a module, which asks the part that has the module. */
function standInsFor(path, part) {
  const source = readFileSync(path, "utf8");
  const names = [...source.matchAll(/^export (?:async )?function\*? (\w+)/gm)];
  const calls = names.map(
    ([, name]) => `export function ${name}(...given) { return part().${name}(...given); }`,
  );
  return `import { part } from "part:${part}";\n${calls.join("\n")}`;
}

/** Reads a part once, and gives it what it shares with the first file. */
function loaderOf(file, shared) {
  const modules = [...shared].sort(([a], [b]) => (a < b ? -1 : 1));
  const imports = modules.map(([module, names], at) => {
    return `import { ${[...names].map((name) => `${name} as ${name}${at}`)} } from "./${module}.ts";`;
  });
  const given = modules.map(([module, names], at) => {
    return `${JSON.stringify(module)}: { ${[...names].map((name) => `${name}: ${name}${at}`)} }`;
  });
  return `import { readPart } from "read-part";
    ${imports.join("\n")}
    let read;
    export function part() {
      read ??= readPart(new URL("${file}", import.meta.url))({ ${given} });
      return read;
    }`;
}

const readPart = `export function readPart(url) {
  const ask = process.getBuiltinModule;
  const filename = ask("url").fileURLToPath(url);
  return ask("vm").compileFunction(ask("fs").readFileSync(filename, "utf8"), ["first"], { filename });
}`;
