import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "../temporary-folder.mjs";

/* A strict project compiles against the packed package, whichever TypeScript it has and however it resolves modules. */

const root = fileURLToPath(new URL("../..", import.meta.url));
const project = temporaryFolder();

const compilers = {
  "TypeScript 5.4": "typescript-5.4",
  "TypeScript 5.9": "typescript-5.9",
  "TypeScript 7": "typescript",
} as const;

const resolutions = {
  node: { module: "commonjs", moduleResolution: "node10" },
  node16: { module: "node16", moduleResolution: "node16" },
  bundler: { module: "esnext", moduleResolution: "bundler" },
} as const;

// TypeScript 7 no longer knows the resolution of old.
const cases = Object.entries(compilers).flatMap(([compiler, folder]) =>
  Object.entries(resolutions)
    .filter(([name]) => compiler !== "TypeScript 7" || name !== "node")
    .map(([name, options]) => ({ compiler, folder, name, options })),
);

beforeAll(() => {
  const packed = spawnSync(
    "npm",
    ["pack", "--ignore-scripts", "--json", "--pack-destination", project],
    { cwd: root, encoding: "utf8" },
  );
  const [{ filename }] = JSON.parse(packed.stdout) as [{ readonly filename: string }];
  const installed = join(project, "node_modules", "reprise");
  mkdirSync(installed, { recursive: true });
  const args = ["-xzf", join(project, filename), "-C", installed, "--strip-components=1"];
  expect(spawnSync("tar", args).status).toBe(0);
  mkdirSync(join(project, "node_modules", "@types"));
  symlinkSync(
    join(root, "node_modules", "@types", "node"),
    join(project, "node_modules", "@types", "node"),
  );
  symlinkSync(
    join(root, "node_modules", "undici-types"),
    join(project, "node_modules", "undici-types"),
  );
  writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(project, "use.ts"), program());
});

/** A program that names every entry of the package and uses the types of the first. */
function program(): string {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly exports: Readonly<Record<string, unknown>>;
  };
  const entries = Object.keys(exports).filter((name) => !name.endsWith(".json"));
  const imports = entries.map(
    (entry, index) => `import * as entry${index} from "reprise${entry.slice(1)}";`,
  );
  const used = entries.map((_entry, index) => `typeof entry${index}`).join(", ");
  return `${imports.join("\n")}
import { SessionManager, bytes, isCustom, type SessionEvent, type Store } from "reprise";

declare module "reprise" {
  interface CustomEvents {
    "app.score": { readonly value: number };
  }
}

export type Entries = [${used}];
export async function use(store: Store): Promise<number> {
  const session: SessionManager = SessionManager.create(".", undefined, { store, exclusive: true });
  const event: SessionEvent = await session.appendUser([bytes(new Uint8Array(1), { mediaType: "image/png" })]);
  const stream = session.stream();
  stream.text("hello");
  await stream.end({ usage: { input: 1, output: 1 } });
  await session.appendCustom("app.score", { value: 1 });
  // @ts-expect-error What was declared as a number is no text.
  await session.appendCustom("app.score", { value: "1" });
  for (const one of session.entries()) if (isCustom(one, "app.score")) return one.data?.value ?? 0;
  // @ts-expect-error What is not there has no type.
  session.nothing();
  return event.id + session.buildSessionContext().messages.length;
}
`;
}

test.each(cases)("$compiler, resolution $name", ({ folder, name, options }) => {
  const config = {
    compilerOptions: {
      ...options,
      strict: true,
      noEmit: true,
      target: "es2022",
      types: ["node"],
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      // Our own declarations are checked once for each compiler; that is most of the work.
      skipLibCheck: name !== "bundler",
    },
    files: ["use.ts"],
  };
  const path = join(project, `tsconfig.${folder}.${name}.json`);
  writeFileSync(path, JSON.stringify(config));
  const compiler = join(root, "node_modules", folder, "bin", "tsc");
  const { status, stdout } = spawnSync(process.execPath, [compiler, "-p", path], {
    cwd: project,
    encoding: "utf8",
  });
  // What is wrong in the types of others is not ours.
  const ours = stdout.split("\n").filter((line) => !/^(?:\.\.\/)*.*@types\/node/.test(line));
  expect(ours.filter((line) => line.includes("error"))).toEqual([]);
  if (!/@types\/node/.test(stdout)) expect(status).toBe(0);
});
