import { basename, dirname } from "node:path";
import type { TextFiles } from "../contract.ts";
import { subagentsBeside } from "./read/subagents.ts";
import { isSubagentFile, withSideFiles } from "./side-files.ts";

/** Where the text of a session lies. Of subagents' files beside it only their first records tell whose they are. */
export const text: TextFiles = {
  of: withSideFiles,
  owns: ({ path, session }, file) =>
    dirname(file) !== dirname(path) ||
    !isSubagentFile(basename(file)) ||
    subagentsBeside(path, session).some((child) => child.path === file),
};
