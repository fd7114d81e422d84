// Bundles an entry of the library in several files. Whatever the first has is parsed by everybody who imports it,
// called or not; the rest lies in parts that are read when something of them is first called. Calls are synchronous, so
// a part is no module but a function; names stay in it, so that a stack can be read. What a part needs of
// the first file, or of the part all others stand on, is handed to it: classes and what modules remember exist once.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { build } from "esbuild";

/**
 * Bundles `src/<entry>.ts`. `parts` names the modules that go, with what they alone need, into `<entry>-<part>-<hash>.js`;
 * of these modules the first file uses functions only. What several parts need goes to the one called `common`. The hash
 * is that of all parts: a process that runs while the package is replaced misses a file then, and mixes nothing.
 */
export async function buildInParts({ entry, parts, common, ...options }) {
  const root = options.absWorkingDir;
  const src = join(root, "src");
  const nameOf = (path) => relative(src, path).split(sep).join("/").replace(/\.ts$/, "");
  const partOf = (path) => Object.keys(parts).find((part) => parts[part].includes(nameOf(path)));
  const sourcesOf = ({ metafile }) =>
    Object.keys(metafile.inputs)
      .map((path) => resolve(root, path))
      .filter((path) => path.startsWith(src));

  /** The first file; `given` has, for each part, what it uses of the modules of the first. */
  const buildFirst = (given, { hash = "", ...more } = {}) => {
    const standIns = {
      name: "stand-ins",
      setup: ({ onLoad, onResolve }) => {
        onResolve({ filter: /^part:/ }, ({ path }) => ({ path: path.slice(5), namespace: "part" }));
        onLoad({ filter: /.*/, namespace: "part" }, ({ path: part }) => ({
          contents: loaderOf(`./${entry}-${part}-${hash}.js`, given.get(part) ?? new Map(), {
            common: part === common ? undefined : common,
          }),
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

  /**
   * A part, which is handed what lies elsewhere: in the first file or in the common part. Returns the names it uses of
   * each module it is handed, and the modules it has itself. `shared` are modules it hands to other parts.
   */
  const buildPart = async (part, elsewhere, shared = new Map()) => {
    const used = { first: new Map(), common: new Map() };
    const bundled = async ({ isProbe }) => {
      const own = new Map(parts[part].map((name) => [name, functionsOf(join(src, `${name}.ts`))]));
      const { imports, object } = gathered(shared);
      const calls = gathered(own);
      return build({
        ...options,
        stdin: {
          contents: [...imports, ...calls.imports, `give(${calls.flat}, ${object});`].join("\n"),
          resolveDir: src,
        },
        minify: false,
        minifyWhitespace: true,
        minifySyntax: true,
        sourcemap: false,
        // A stack names a line that can be found, and an uncaught error prints no more than that.
        lineLimit: 200,
        banner: { js: '(function(first,common,give){"use strict";' },
        footer: { js: "})" },
        metafile: true,
        write: false,
        plugins: [handed(isProbe), ...options.plugins],
      });
    };
    const handed = (isProbe) => ({
      name: "handed",
      setup: ({ onLoad, onResolve }) => {
        onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir, importer }) => {
          const full = join(resolveDir, path);
          const isOthers = (partOf(full) ?? part) !== part;
          // Of another part the first file has what stands in for it.
          const where = elsewhere.common.has(full)
            ? "common"
            : elsewhere.first.has(full) || isOthers
              ? "first"
              : undefined;
          if (where === undefined) return undefined;
          const name = nameOf(full);
          const names = used[where].get(name) ?? new Set();
          for (const imported of importedNames(importer, path)) names.add(imported);
          used[where].set(name, names);
          return { path: name, namespace: where };
        });
        for (const [namespace, modules] of Object.entries(used)) {
          onLoad({ filter: /.*/, namespace }, ({ path }) => ({
            // Which names of it are used is known only after the first go, in which it may have any.
            contents: isProbe
              ? "module.exports = {};"
              : namedFrom(namespace, path, modules.get(path)),
          }));
        }
      },
    });
    const probed = await bundled({ isProbe: true });
    if (probed.outputFiles.some(({ text }) => /\bimport\(/.test(text)))
      throw new Error(`What is no module cannot import: ${part}.`);
    const built = await bundled({ isProbe: false });
    return { used, sources: sourcesOf(probed), text: built.outputFiles[0].text };
  };

  const none = new Set();
  const probe = await buildFirst(new Map(), { write: false });
  const first = new Set(sourcesOf(probe).filter((path) => partOf(path) === undefined));
  const times = new Map();
  const inCommon = new Set();
  for (const part of Object.keys(parts)) {
    const { sources } = await buildPart(part, { first, common: none });
    for (const path of sources) {
      times.set(path, (times.get(path) ?? 0) + 1);
      if (part === common || times.get(path) > 1) inCommon.add(path);
    }
  }
  const given = new Map();
  const shared = new Map();
  const texts = new Map();
  for (const part of Object.keys(parts).filter((part) => part !== common)) {
    const { used, text } = await buildPart(part, { first, common: inCommon });
    given.set(part, used.first);
    texts.set(part, text);
    for (const [name, names] of used.common)
      shared.set(name, new Set([...(shared.get(name) ?? []), ...names]));
  }
  const { used, text } = await buildPart(common, { first, common: none }, shared);
  given.set(common, used.first);
  texts.set(common, text);
  const all = createHash("sha256").update([...texts.values()].join("\n"));
  const hash = all.digest("hex").slice(0, 8);
  for (const [part, text] of texts)
    writeFileSync(join(options.outdir, `${entry}-${part}-${hash}.js`), text);
  await buildFirst(given, { hash });
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

/** The names of the functions a module exports. */
function functionsOf(path) {
  const source = readFileSync(path, "utf8");
  return [...source.matchAll(/^export (?:async )?function\*? (\w+)/gm)].map(([, name]) => name);
}

/** A function for each one of a module, which asks the part that has the module. */
function standInsFor(path, part) {
  const calls = functionsOf(path).map(
    (name) => `export function ${name}(...given) { return part().${name}(...given); }`,
  );
  return `import { part } from "part:${part}";\n${calls.join("\n")}`;
}

/** A module that is handed over, with the names that are used of it. */
function namedFrom(object, module, names) {
  const values = [...names].map((name) => {
    return `export const ${name} = ${object}[${JSON.stringify(module)}].${name};`;
  });
  return values.join("\n");
}

/** The named values of modules as one object, by module or all together, and the imports it takes. */
function gathered(modules) {
  const sorted = [...modules].sort(([a], [b]) => (a < b ? -1 : 1));
  const imports = sorted.map(([module, names], at) => {
    return `import { ${[...names].map((name) => `${name} as ${name}${at}`)} } from "./${module}.ts";`;
  });
  const members = sorted.map(([module, names], at) => {
    return `${JSON.stringify(module)}: { ${[...names].map((name) => `${name}: ${name}${at}`)} }`;
  });
  const all = sorted.flatMap(([, names], at) => [...names].map((name) => `${name}: ${name}${at}`));
  return { imports, object: `{ ${members} }`, flat: `{ ${all} }` };
}

/** Reads a part once, and hands it what it shares with the first file and with the common part. */
function loaderOf(file, used, { common }) {
  const { imports, object } = gathered(used);
  if (common !== undefined) imports.push(`import { shared as common } from "part:${common}";`);
  return `import { readPart } from "read-part";
    ${imports.join("\n")}
    let functions, others;
    const read = () => readPart(
      new URL("${file}", import.meta.url),
      ${object},
      ${common === undefined ? "undefined" : "common()"},
      (own, shared) => { functions = own; others = shared; }
    );
    export function part() {
      if (functions === undefined) read();
      return functions;
    }
    export function shared() {
      part();
      return others;
    }`;
}

/**
 * What reads a part. Beside it lies a pack with its text and what the Node that built it compiled of it, which another
 * Node has no use for. V8 runs such code unchecked, and one wrong bit would end the process: the pack holds everything
 * twice, and where the halves differ, as where there is none, the part itself is compiled. Names tell no folder, because
 * compiled code keeps the one it was compiled with.
 */
const readPart = `export function readPart(url, first, common, give) {
  const ask = process.getBuiltinModule;
  const { readFileSync } = ask("fs");
  const { Script } = ask("vm");
  const filename = "reprise/" + url.pathname.slice(url.pathname.lastIndexOf("/") + 1);
  const compiled = () => {
    try {
      const pack = readFileSync(new URL(url.href.slice(0, -3) + "-" + process.version + "-" + process.arch + ".pack"));
      const half = pack.subarray(0, pack.length / 2);
      if (!half.equals(pack.subarray(half.length))) return undefined;
      const codeAt = 4 + half.readUInt32LE(0);
      return new Script(half.latin1Slice(4, codeAt), { filename, cachedData: half.subarray(codeAt) });
    } catch {
      return undefined;
    }
  };
  const script = compiled() ?? new Script(readFileSync(url, "latin1"), { filename });
  script.runInThisContext()(first, common, give);
}`;
