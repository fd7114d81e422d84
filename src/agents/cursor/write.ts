import { join } from "node:path";
import { addFiles, slugOf, takeFilesBack } from "../add-notes.ts";
import type { NotesWriter } from "../contract.ts";
import { agentName } from "./name.ts";

/** Writes a hand-over as a rule that Cursor gives its model; never into its databases. */
export const notesWriter: NotesWriter = {
  write: async (notes, options) => {
    const { about } = options;
    const name = `handoff-${slugOf(about.title ?? about.from.session)}`;
    const path = join(about.cwd, ".cursor", "rules", `${name}.mdc`);
    const front = "---\ndescription: Hand-over of earlier work\nalwaysApply: true\n---\n";
    const ref = { agent: agentName, session: `rule-${name}`, root: about.cwd };
    return addFiles([{ path, text: `${front}\n${notes.page.trim()}\n` }], ref, options);
  },
  takeBack: takeFilesBack,
};
