/** Sessions of any agent written for any agent: what would be lost, the conversion, and its way back. */
export type { Agent, ResumeCommand, SessionRef } from "./agents/contract.ts";
export type { FoundSession } from "./agents/find-sessions.ts";
export type { OnMachine } from "./agents/library.ts";
export type { NamedSession } from "./agents/reference.ts";
export type { Environment } from "./base/env.ts";
export type { ConvertReport } from "./convert/convert.ts";
export type { ConvertedSession, ConvertOptions, UndoneEntry } from "./convert/library.ts";
export { convertSession as convert, plan, undoable, undoEntry as undo } from "./convert/library.ts";
export { mappingOf, type PathMapping } from "./convert/path-map.ts";
export type { ConversionOptions } from "./convert/request.ts";
export type { ConvertedSize } from "./convert/size.ts";
export type { SessionHead } from "./model/head.ts";
export type { Loss } from "./model/loss.ts";
export type { UndoableEntry } from "./store/describe-entry.ts";
