import { basename, dirname } from "node:path";
import type { TextFiles } from "../contract.ts";
import { withSideFiles } from "./side-files.ts";
import { childrenBeside, isChildFile } from "./subagents.ts";

/** Where the text of a session lies. Of subagents' files beside it only their first records tell whose they are. */
export const text: TextFiles = {
  of: withSideFiles,
  owns: ({ path, session }, file) =>
    dirname(file) !== dirname(path) ||
    !isChildFile(basename(file)) ||
    childrenBeside(path, session).some((child) => child.path === file),
};
