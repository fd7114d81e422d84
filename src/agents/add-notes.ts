import { removeAdded } from "../additions/added-file.ts";
import { publishAll, StagedFile } from "../additions/staged-file.ts";
import type { NotesOptions, NotesWriter, SessionRef, Written } from "./contract.ts";
import { requireProject } from "./project-folders.ts";

/** A file to add. */
export interface NewFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Adds files to a program's store in a project, all of them or none, none over what is there (P3). The first one is what the agent
 * finds: it gets its name last.
 */
export function addFiles(
  [found, ...others]: readonly [NewFile, ...NewFile[]],
  ref: Pick<SessionRef, "agent" | "session" | "root">,
  options: NotesOptions,
): Written {
  requireProject(options.about.cwd);
  const staged: StagedFile[] = [];
  try {
    for (const { path, text } of [...others, found]) {
      const file = new StagedFile(path, options);
      staged.push(file);
      file.write(text);
      file.finish();
    }
    const prints = staged.map((file) => file.finish());
    const { sizeBytes } = prints.at(-1)!;
    const place = { ...ref, path: found.path, sizeBytes, modifiedMs: Date.now() };
    const written = { ref: place, files: prints, losses: [] };
    publishAll(staged, () => options.intend?.(written));
    return written;
  } catch (error) {
    for (const file of staged) file.abandon();
    throw error;
  }
}

/** Takes added files back. */
export const takeFilesBack: NotesWriter["takeBack"] = async ({ files }) => {
  removeAdded(files);
  return [];
};

/** A short name for a file, of letters, digits and dashes. */
export function slugOf(text: string, most = 40): string {
  const plain = text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, most)
    .replace(/^-+|-+$/g, "");
  return plain === "" ? "handoff" : plain;
}

/** Parts of a moment in local time, as programs name files. */
export function localParts(date: Date): { readonly day: string; readonly time: string } {
  const two = (value: number): string => String(value).padStart(2, "0");
  return {
    day: `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`,
    time: `${two(date.getHours())}:${two(date.getMinutes())}`,
  };
}
