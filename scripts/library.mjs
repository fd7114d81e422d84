// Bundles the library. Everything the first entry needs lies in one file, `shared/core-*.js`, and every other entry that
// needs a part of it imports that file: a lease, a registry, a class of errors exists once in a process, whichever
// entries it imports. What is imported when it is needed, or shared by other entries alone, lies in files beside it.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { rolldown } from "rolldown";

/** Writes the entries into a folder; tells every file of ours or of others that became a part of them. */
export async function bundleLibrary(folder, { root, files, define }) {
  const [first] = files;
  const named = (file) => [basename(file, ".ts"), join(root, file)];
  const input = Object.fromEntries([...files.map(named), ...threadsIn(root, "shared")]);
  const bundle = await rolldown({
    cwd: root,
    input,
    platform: "node",
    external: ["@photostructure/sqlite"],
    transform: { target: "node20.19", define },
  });
  const { output } = await bundle.write({
    dir: folder,
    format: "esm",
    chunkFileNames: "shared/[name]-[hash].js",
    // With the first entry comes all that it imports.
    codeSplitting: { groups: [{ name: "core", test: (id) => id === join(root, first) }] },
    comments: { jsdoc: false },
  });
  await bundle.close();
  return output.flatMap(({ modules = {} }) =>
    Object.entries(modules).flatMap(([id, { renderedLength }]) =>
      renderedLength > 0 ? relative(root, id) : [],
    ),
  );
}

/** Threads by the places they get: they are started by their file names, beside the code that starts them. */
export function threadsIn(root, folder) {
  return (
    readdirSync(join(root, "src"), { recursive: true })
      .filter((file) => file.endsWith("-thread.ts"))
      // The library has none of the programs.
      .filter((file) => folder === "program" || !file.startsWith("programs"))
      .map((file) => [`${folder}/${basename(file, ".ts")}`, join(root, "src", file)])
  );
}

/** Keeps the types that the entries lead to, and lets them name each other as every compiler finds them. */
export function finishTypes(folder, files) {
  const seen = new Set();
  const visit = (file) => {
    if (seen.has(file)) return;
    seen.add(file);
    const text = readFileSync(file, "utf8");
    const imports = /(["'])(\.\.?\/[^"']+)\.ts\1/g;
    for (const [, , path] of text.matchAll(imports)) visit(join(dirname(file), `${path}.d.ts`));
    writeFileSync(file, text.replace(imports, "$1$2.js$1"));
  };
  for (const file of files) visit(join(folder, `${basename(file, ".ts")}.d.ts`));
  for (const name of readdirSync(folder, { recursive: true })) {
    const path = join(folder, name);
    if (name.endsWith(".d.ts") && !seen.has(path)) rmSync(path);
  }
}
