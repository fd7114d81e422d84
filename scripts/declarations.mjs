// Reads the declarations that the build made: what each entry of the package exports, with its sentence of contract and
// the types it names. Made for what tsc writes, and for nothing else.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseSync } from "oxc-parser";

/** What an entry exports, in the order of the names; `file` and `local` say where it is declared. */
export function exportsOf(entry) {
  const found = new Map();
  const visit = (file, wanted) => {
    const { module } = parsed(file);
    for (const { source, exported, local } of module.exports) {
      if (exported === "*") visit(besides(file, source), wanted);
      else if (!found.has(exported)) found.set(exported, declared(file, local, source));
    }
  };
  visit(entry);
  return [...found]
    .map(([name, place]) => ({ name, ...place, ...declarationAt(place) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Where a name of a file is declared, through imports and exports of others. */
function declared(file, local, source) {
  if (source !== undefined) return exportedBy(besides(file, source), local);
  const { module } = parsed(file);
  if (module.locals.has(local)) return { file, local };
  const imported = module.imports.get(local);
  return imported && exportedBy(besides(file, imported.source), imported.name);
}

function exportedBy(file, name) {
  const { module } = parsed(file);
  for (const { source, exported, local } of module.exports) {
    if (exported === name) return declared(file, local, source);
    if (exported !== "*") continue;
    const place = exportedBy(besides(file, source), name);
    if (place !== undefined) return place;
  }
  return undefined;
}

function besides(file, source) {
  return join(dirname(file), source.replace(/\.js$/, ".d.ts"));
}

/** The text of a declaration, its comment, and the types that it names, each by where it is declared. */
function declarationAt({ file, local }) {
  const { text, module, comments } = parsed(file);
  const nodes = module.locals.get(local);
  const references = new Map();
  for (const node of nodes)
    for (const name of namesIn(node)) {
      const place = declared(file, name);
      if (place !== undefined) references.set(`${place.file} ${place.local}`, place);
    }
  const comment = (node) =>
    comments.findLast(({ end }) => end <= node.start && /^\s*$/.test(text.slice(end, node.start)));
  return {
    kind: nodes[0].of.type,
    texts: nodes.map(({ start, end }) => text.slice(start, end)),
    doc: docText(nodes.map(comment).find(Boolean)),
    references: [...references.values()],
  };
}

/** What a doc comment says, as text. */
function docText(comment) {
  if (comment?.value.startsWith("*") !== true) return "";
  return comment.value
    .slice(1)
    .split("\n")
    .map((line) => line.replace(/^\s*\*? ?/, "").trimEnd())
    .filter((line) => !line.startsWith("@"))
    .join("\n")
    .trim();
}

/** Names in the places of types: what a signature refers to. */
function* namesIn(node) {
  if (Array.isArray(node)) {
    for (const one of node) yield* namesIn(one);
    return;
  }
  if (typeof node !== "object" || node === null) return;
  const named = {
    TSTypeReference: node.typeName,
    TSInterfaceHeritage: node.expression,
    TSClassImplements: node.expression,
  }[node.type];
  if (named?.type === "Identifier") yield named.name;
  if (/^Class/.test(node.type) && node.superClass?.type === "Identifier")
    yield node.superClass.name;
  for (const value of Object.values(node)) yield* namesIn(value);
}

const files = new Map();

function parsed(file) {
  if (!files.has(file)) files.set(file, parse(file));
  return files.get(file);
}

function parse(file) {
  const text = readFileSync(file, "utf8");
  const { program, comments, errors } = parseSync(file, text, { lang: "dts" });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  return { text, comments, module: moduleOf(program.body) };
}

function moduleOf(body) {
  const locals = new Map();
  const imports = new Map();
  const exports = [];
  const add = (name, node, of) =>
    locals.set(name, [
      ...(locals.get(name) ?? []),
      { of, start: node.start, end: node.end, body: of },
    ]);
  const addLocal = (node, of) => {
    const ids = of.type === "VariableDeclaration" ? of.declarations.map(({ id }) => id) : [of.id];
    for (const { name } of ids) add(name, node, of);
    return ids.map(({ name }) => name);
  };
  for (const node of body) {
    if (node.type === "ImportDeclaration")
      for (const { local, imported } of node.specifiers)
        imports.set(local.name, { source: node.source.value, name: imported?.name });
    else if (node.type === "ExportAllDeclaration")
      exports.push({ source: node.source.value, exported: "*" });
    else if (node.type === "ExportNamedDeclaration" && node.declaration !== null)
      for (const name of addLocal(node, node.declaration))
        exports.push({ exported: name, local: name });
    else if (node.type === "ExportNamedDeclaration")
      for (const { local, exported } of node.specifiers)
        exports.push({ source: node.source?.value, exported: exported.name, local: local.name });
    else if (node.id !== undefined || node.declarations !== undefined) addLocal(node, node);
  }
  return { locals, imports, exports };
}
