import { randomUUID } from "node:crypto";
import { basename, join } from "node:path";
import { isoNow } from "../../base/clock.ts";
import type { OutgoingNotes } from "../../model/outgoing.ts";
import { oneLine } from "../../model/text.ts";
import { addFiles, takeFilesBack } from "../add-notes.ts";
import type { NotesOptions, NotesWriter, Written } from "../contract.ts";
import { sessionsIn } from "./places.ts";

/**
 * Writes what SYNAPSE keeps of a session, under the id of the Claude Code session it comes from, else under a new one: it
 * is found by a Claude Code session that is started with that id.
 */
export const notesWriter: NotesWriter = { write, takeBack: takeFilesBack };

async function write({ sections }: OutgoingNotes, options: NotesOptions): Promise<Written> {
  const { cwd, from, title, createdAt } = options.about;
  const isItsOwn = from.agent === "claude-code" && /^[0-9a-f-]{36}$/.test(from.session);
  const uuid = isItsOwn ? from.session : randomUUID();
  const goal = oneLine(sections.goal?.[0] ?? title ?? "", 50);
  const task = sections.now?.[0] ?? sections.next?.[0];
  const state = {
    uuid,
    schema_version: "2.0",
    started: createdAt,
    last_activity: isoNow(),
    cwd,
    label: basename(cwd),
    title: goal === "" ? null : goal,
    prompt_count: 0,
    active_agent: { id: null, activated_at: null, activation_quality: null },
    active_workflow: null,
    active_squad: null,
    active_task: task === undefined ? null : oneLine(task, 200),
    context: { last_bracket: "FRESH", last_tokens_used: 0, last_context_percent: 100 },
    overrides: {},
    history: { star_commands_used: [], domains_loaded_last: [], agents_activated: [] },
  };
  const text = `${JSON.stringify(state, null, 2)}\n`;
  const path = join(sessionsIn(cwd), `${uuid}.json`);
  return addFiles([{ path, text }], { agent: "synapse", session: uuid, root: cwd }, options);
}
