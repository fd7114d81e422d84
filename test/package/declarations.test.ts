import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { exportsOf } from "../../scripts/declarations.mjs";

/* What the built package declares is what its users can name and read about. */

const root = fileURLToPath(new URL("../..", import.meta.url));
const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
};
const exported = Object.values(exports).flatMap((entry) =>
  typeof entry === "string" ? [] : exportsOf(join(root, entry.types)),
);

test("every type that a public signature names is exported by an entry", () => {
  const placeOf = ({ file, local }: { file: string; local: string }): string => `${file} ${local}`;
  const known = new Set(exported.map(placeOf));
  const missing = exported.flatMap(({ name, references }) =>
    references.filter((one) => !known.has(placeOf(one))).map(({ local }) => `${name}: ${local}`),
  );
  expect(exported.length).toBeGreaterThan(200);
  expect(missing).toEqual([]);
});

test("everything that is exported says in a sentence what it promises", () => {
  expect(exported.filter(({ doc }) => doc === "").map(({ name }) => name)).toEqual([]);
});

test("old resolvers find the types of every entry", () => {
  const { main, types, typesVersions } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  ) as {
    readonly main: string;
    readonly types: string;
    readonly typesVersions: { readonly "*": Readonly<Record<string, readonly string[]>> };
  };
  const found = { ".": { types, default: main } as object };
  for (const [name, [file]] of Object.entries(typesVersions["*"]))
    Object.assign(found, {
      [`./${name}`]: { types: file, default: file?.replace(".d.ts", ".js") },
    });
  const { "./package.json": _itself, ...entries } = exports;
  expect(found).toEqual(entries);
});
