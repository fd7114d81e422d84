import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const licenceName = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/** The folders of the packages that lie behind files that became a part of an output, each once. */
export function packagesOf(inputs) {
  const folders = inputs.flatMap(
    (input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input) ?? [],
  );
  return [...new Set(folders)].sort();
}

/** The notices of these packages; throws where one has no licence to quote. */
export function noticesOf(folders, root) {
  const parts = folders.map((folder) => {
    const path = join(root, folder);
    const { name, version, license } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
    const texts = readdirSync(path)
      .filter((file) => licenceName.test(file))
      .sort()
      .map((file) => readFileSync(join(path, file), "utf8").trim());
    if (texts.length === 0 || typeof license !== "string")
      throw new Error(`${name} ${version} is bundled but states no licence`);
    return `${name} ${version} (${license})\n\n${texts.join("\n\n")}\n`;
  });
  return `The programs of this package contain code of others, each under its own licence.\n\n${parts
    .map((part) => `${"-".repeat(80)}\n${part}`)
    .join("\n")}`;
}
