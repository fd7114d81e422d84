// Pages of the API reference, a page for each entry, made of the declarations that tsc emits.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { exportsOf } from "./declarations.mjs";
import { finishTypes } from "./library.mjs";

/** The text of each page by its name; declarations are made in the folder given. */
export function apiPages(folder, { root, generated }) {
  const { files } = JSON.parse(readFileSync(join(root, "tsconfig.lib.json"), "utf8"));
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const args = [tsc, "-p", "tsconfig.lib.json", "--outDir", folder];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(stdout);
  finishTypes(folder, files);
  const entries = files.map((file) => entryOf(basename(file, ".ts"), { folder, root }));
  const known = new Set(entries[0].exported.map(placeOf));
  const pages = entries.map((entry, at) => [
    `docs/api/${entry.page}`,
    pageOf(entry, { generated, known: at === 0 ? new Set() : known }),
  ]);
  return Object.fromEntries([["docs/api/README.md", overview(entries, generated)], ...pages]);
}

function entryOf(name, { folder, root }) {
  const [, comment] = /^\/\*\*\s*([\s\S]*?)\*\//.exec(
    readFileSync(join(root, "src", `${name}.ts`), "utf8"),
  );
  const says = comment.replace(/\n \* ?/g, "\n").trim();
  const title = name === "index" ? "reprise" : `reprise/${name}`;
  const page = `${name === "index" ? "reprise" : name}.md`;
  return { title, page, says, exported: exportsOf(join(folder, `${name}.d.ts`)) };
}

const placeOf = ({ file, local }) => `${file} ${local}`;
const isType = ({ kind }) => kind.startsWith("TS") && kind !== "TSDeclareFunction";

function overview(entries, generated) {
  const rows = entries.map(({ title, page, says, exported }) => {
    const calls = exported.filter((one) => !isType(one)).map(({ name }) => `\`${name}\``);
    return `| [\`${title}\`](${page}) | ${says.split("\n")[0]} | ${calls.join(", ")} |`;
  });
  return `${generated}

# API reference

How to use it is in [library.md](../library.md). Every name below is public; every failure is a [\`RepriseError\`](reprise.md#repriseerror).

| entry | | functions, classes, values |
|---|---|---|
${rows.join("\n")}
`;
}

/** What the first entry exports as well is described there. */
function pageOf({ title, says, exported }, { generated, known }) {
  const section = (heading, list) =>
    list.length === 0 ? "" : `\n## ${heading}\n\n${list.map(nameSection).join("\n")}`;
  const own = exported.filter((one) => !known.has(placeOf(one)));
  const others = exported
    .filter((one) => !own.includes(one))
    .map(({ name, local }) => `[\`${name}\`](reprise.md#${local.toLowerCase()})`);
  const calls = own.filter((one) => !isType(one));
  const also = others.length === 0 ? "" : `\nAlso exported by \`reprise\`: ${others.join(", ")}.\n`;
  return `${generated}

# ${title}

${says}
${section("Functions, classes, values", calls)}${section("Types", own.filter(isType))}${also}`;
}

function nameSection({ name, local, doc, texts }) {
  const code = texts
    .map((text) => text.replace(/^export (?:declare )?/, "").replace(local, () => name))
    .join("\n");
  return `### ${name}\n\n${doc}\n\n\`\`\`ts\n${code}\n\`\`\`\n`;
}
