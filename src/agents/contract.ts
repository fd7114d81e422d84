import type { FilePrint } from "../additions/added-file.ts";
import type { PiecePrint } from "../additions/added-piece.ts";
import type { Staging } from "../additions/running.ts";
import type { Environment } from "../base/env.ts";
import type { Damage } from "../model/damage.ts";
import type { EventBody } from "../model/event.ts";
import type { SessionHead } from "../model/head.ts";
import type { Loss, LossName } from "../model/loss.ts";
import type { Opening } from "../model/opening.ts";
import type { OutgoingAbout, OutgoingMessage, OutgoingNotes } from "../model/outgoing.ts";
import type { SampleFile, SamplePlace } from "../model/sample.ts";
import type { ToolDialect } from "../model/tool-dialect.ts";
import type { BelongingsOf } from "./belongings-contract.ts";
import type { AgentCheckpoints } from "./checkpoints-contract.ts";
import type { AgentUsage } from "./usage-contract.ts";

/** What an agent's own format can hold, as data; the table of agents in the docs is made of it. */
export interface Capabilities {
  readonly thinking: boolean;
  readonly images: boolean;
  readonly tree: boolean;
  readonly compaction: boolean;
  readonly subagents: boolean;
  readonly titles: boolean;
  readonly needsSqlite: boolean;
  /** Versions of the program whose sessions were read and compared with what it replays. */
  readonly versionsProven: readonly string[];
}

/** Where one session is; found by stat alone, nothing was parsed. */
export interface SessionRef {
  readonly agent: string;
  /** The agent's own id of the session, as far as its place says it. */
  readonly session: string;
  /** The file (or database) that holds it. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  /** What the reader needs besides the path, such as a row id or the run within a file. */
  readonly part?: string;
  /** The store's root, for side files. */
  readonly root?: string;
}

/**
 * One event of any agent's session. `number` is the ordinal of its native record (the line, or the row
 * in native order) for the record's first event, with `.2`, `.3` for further ones; it survives appends.
 * Far into a line file it is `b` and the byte offset of the record instead (`jsonl/line-number.ts`).
 */
export interface AgentEvent {
  readonly number: string;
  /** The native id, accepted in references. */
  readonly uuid?: string;
  /** The number of the event it follows in the tree; absent at a root. */
  readonly parent?: string;
  readonly at?: string;
  /** Whether the program would replay it on resume. */
  readonly live: boolean;
  /** The child session it belongs to, where it is a subagent's. */
  readonly sidechain?: string;
  readonly body: EventBody;
  /** The native record, as parsed. Shared by the events of one record. */
  readonly native?: unknown;
}

/** What reading on from here needs: opaque to everyone but the reader, safe to keep as JSON. */
export type Cursor = string;

/** Which part of a session to read. */
export interface ReadOptions {
  /** Go on from this cursor: only what came after it is read. */
  readonly from?: Cursor;
  /** Also what the program would not replay: abandoned branches, what a compaction hides. */
  readonly allBranches?: boolean;
  /** Only the last events, read from the end where the format allows it. */
  readonly last?: number;
  /** As if the session had ended with the record of this event: what was replayed then. Only where `readsUntil` says so. */
  readonly until?: string;
}

/** Some events in native order. Readers yield many small batches, so that memory stays flat. */
export interface ReadBatch {
  readonly events: readonly AgentEvent[];
  readonly damage: readonly Damage[];
  readonly cursor: Cursor;
  /** The source was rewritten: forget what was read before this batch. */
  readonly restart?: boolean;
  /** The first record follows one that is not here: it continues another file, or its beginning was cut off. */
  readonly continued?: boolean;
  /** Record types this reader does not know, with how many there were. */
  readonly unknown?: Readonly<Record<string, number>>;
}

/** Where else sessions may lie: projects known from other sessions. */
export interface LocateOptions {
  readonly projects?: readonly string[];
}

/** What writing a session added, exactly; kept in the journal so that it can be taken back. */
export interface Written {
  readonly ref: SessionRef;
  readonly files: readonly FilePrint[];
  /** What is not a file of its own (rows, an append to a shared file), in the agent's own words. */
  readonly rows?: Readonly<Record<string, unknown>>;
  /** What the agent's format could not hold, beyond what was planned. */
  readonly losses: readonly Loss[];
}

/** What writing needs to know besides the conversation. */
export interface WriteOptions {
  readonly env: Environment;
  readonly about: OutgoingAbout;
  /** Where what is staged is announced, so that it is swept should this process die; absent where nobody would. */
  readonly staging?: Staging;
  /**
   * Writes down exactly what will be added. To be called once all of it is staged and before any of it can be seen;
   * where it throws, nothing may be published.
   */
  intend?(written: Written): void;
}

/** What an agent takes of what others think and show; the rest is a declared loss. */
export interface Holds {
  /** `same-model`: only with its own provider's signature; `text`: any, kept apart from what was said. */
  readonly thinking: "never" | "same-model" | "text";
  /** Media types of images; `*` for any. */
  readonly images: readonly string[];
  /** Images in tool results. */
  readonly resultImages: boolean;
  /** Attached files that are no images. */
  readonly files: boolean;
  /** Calls and answers as such; where not, they are reported as text of the model's turn. */
  readonly tools: boolean;
}

/** Writes conversations into an agent's own store, and takes them back. */
export interface AgentWriter {
  readonly holds: Holds;
  /** A text as it was said, where the store puts marks into it; applied to what is written and what is read. */
  unmarked?(text: string): string;
  /** Seals what it writes of a sealed session; for others the user must have said that it may be read. */
  readonly seals?: true;
  /** The store holds whole characters only: half of one becomes the sign for an unknown one. */
  readonly replacesHalves?: true;
  /** A new session: staged, synced, published without overwriting (P3). All of it or nothing. */
  write(messages: AsyncIterable<OutgoingMessage>, options: WriteOptions): Promise<Written>;
  /**
   * Removes exactly what was added; throws `conflict` and does nothing if it was touched since. What is not there is
   * passed over: a process may have been killed before all of it was published, or removed. Returns the pieces of shared
   * files that had to stay because others wrote behind them; mostly there are none.
   */
  takeBack(written: Written, env: Environment): Promise<readonly PiecePrint[]>;
}

/** How notes are added to a store. */
export interface NotesOptions extends WriteOptions {
  /** The user said that what another program keeps in the same place may be replaced; it is backed up first. */
  readonly replace?: boolean;
}

/** Writes what a session comes to where a program finds it that holds notes, state or memory, and takes it back. */
export interface NotesWriter {
  /** Adds the notes, all or nothing, by the rules of `AgentWriter.write`. */
  write(notes: OutgoingNotes, options: NotesOptions): Promise<Written>;
  takeBack(written: Written, env: Environment): Promise<readonly PiecePrint[]>;
}

/** How to continue a session with the program that wrote it. */
export interface ResumeCommand {
  readonly argv: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Where the text of a session lies as it is, escapes aside. */
export interface TextFiles {
  /** The files whose bytes hold all that a session says; undefined where only reading it says. */
  of(ref: SessionRef): readonly string[] | undefined;
  /** Whether one of these files is the session's indeed, where `of` names some for several sessions. */
  owns?(ref: SessionRef, file: string): boolean;
  readonly unless?: Telling;
  /** What the store calls a session, where that stands in none of these files. */
  titleOf?(ref: SessionRef): string | undefined;
}

/** A file that has one of these texts says more than its bytes. */
export interface Telling {
  readonly texts: readonly string[];
  /** Only the first so many lines tell. */
  readonly lines?: number;
}

/**
 * One agent, and all that anybody outside its folder knows of it. Loading it loads what finds sessions and reads
 * their heads; what reads, writes and counts them is loaded when it is called. Nothing here ever writes into the
 * agent's folders, but for its writer.
 */
export interface Agent {
  readonly name: string;
  /** The name people use. */
  readonly title: string;
  /** What its program is called on the command line; absent where it has none that could be started. */
  readonly program?: string;
  /** The variable by which it says the programs it starts which session they run in. */
  readonly sessionVariable?: string;
  /** The models it runs, if they are of one maker, and the window they usually have. */
  readonly models?: { readonly names: RegExp; readonly windowTokens: number };
  /** Raised when the same bytes give other sessions or other events: what was derived from them is made anew. */
  readonly revision: number;
  readonly capabilities: Capabilities;
  /** The folders its store lies in, as the environment names them, whether they are there or not. */
  roots(env: Environment): readonly string[];
  /** Whether it finds or names more sessions when it knows the projects other sessions ran in. */
  readonly asksProjects?: boolean;
  /** The sessions on this machine, by stat only. A missing agent yields nothing and costs one stat. */
  locate(env: Environment, options?: LocateOptions): Iterable<SessionRef>;
  /**
   * The sessions in a file or folder that the user added as a source, wherever it lies; nothing if it holds none of this
   * agent's, which its content says. Absent if sessions are found in their own places alone: a source that is a folder is
   * then taken for a home (`source-places.ts`).
   */
  at?(path: string, env: Environment): Iterable<SessionRef>;
  /** Its sessions are listed only where they are asked for, such as thousands of a web export. */
  readonly aside?: true;
  /**
   * What the first and last bytes tell; undefined if the file is gone or turns out to be no session. One that
   * is there and cannot be read has a head with a `problem`.
   */
  head(ref: SessionRef, env: Environment): SessionHead | undefined;
  /** What `head` would tell of it, by the first bytes alone; absent where a head costs no more. */
  opening?(ref: SessionRef, env: Environment): Opening | undefined;
  /**
   * What a head is made of besides the place, the size and the time of the session's file, as a text that differs when
   * that does. Undefined where that cannot be reported: such a head is read anew with every list.
   */
  headStamp?(ref: SessionRef, env: Environment): string | undefined;
  /** Its sessions may be sealed, which the first bytes alone do not tell. */
  readonly seals?: true;
  /**
   * The session's events, damage told. A file that is gone is damage `missing_file`, one that is there and cannot
   * be read `unreadable`: nothing throws what the system said (`session-file.ts`). A cursor that is not this
   * reader's own begins anew.
   */
  read(ref: SessionRef, options?: ReadOptions): AsyncIterable<ReadBatch>;
  /**
   * It reads a session as it was at any of its events (`until`). For formats whose compactions take events out of what is
   * replayed, and whose events do not name the one they follow.
   */
  readonly readsUntil?: true;
  /** Its words for what every agent's tools do. */
  readonly tools?: ToolDialect;
  /** Where its text can be searched byte by byte; absent where only reading says. */
  readonly text?: TextFiles;
  /** The command that continues the session in the program itself, where there is one; `prompt` is said at once. */
  resume?(ref: SessionRef, head: SessionHead, prompt?: string): ResumeCommand | undefined;
  /** What of a conversation may be lost on the way into it, and nothing else. */
  readonly losses?: readonly LossName[];
  /** What people must know and agree to before anything is written for it: sessions are written only after a yes. */
  readonly warning?: string;
  /** What writes sessions into its store, where that is known how to do. */
  writer?(): Promise<AgentWriter>;
  /** What writes hand-overs into its store: for programs that give notes to a model, and hold no conversation. */
  notesWriter?(): Promise<NotesWriter>;
  /** All that a session of it consists of, so that it can be deleted and brought back; absent where that is not known. */
  belongings?: BelongingsOf;
  /** Sessions of it for the sample that new users are shown. */
  sample?(place: SamplePlace): Promise<readonly SampleFile[]>;
  /** What reads the checkpoints of files that it keeps itself, where it keeps any. */
  checkpoints?(): Promise<AgentCheckpoints>;
  /** What counts the tokens its sessions took; where absent they are read event by event. */
  usage?(): Promise<AgentUsage>;
}
