import type { Sections } from "../model/note-sections.ts";

/** What a program wrote down about the work in a project, by section. */
export interface ProjectNotes {
  /** The program. */
  readonly from: string;
  readonly path: string;
  readonly atMs: number;
  readonly sections: Sections;
}

/**
 * How an agent's notes about a project are found. Apart from the rest of it, because a hook asks for them when a session
 * begins: bounded, by few looks, nothing is ever thrown because of what lies there.
 */
export interface AgentNotes {
  /** The newest notes about a project, or about one session of it; undefined if there are none. */
  of(project: string, about: { readonly session: string }): ProjectNotes | undefined;
}
