import { delimiter, dirname } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/setup.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    maxWorkers: 2,
    // What a test starts as `node`, or by the first line of a script, is the Node that runs the test.
    env: { PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"]}` },
  },
});
