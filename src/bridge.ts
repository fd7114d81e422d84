/** The hook bridge as a library, for programs that call it themselves instead of starting a hook. */
export type { WantedCheckpoint } from "./bridge/checkpoint/wanted.ts";
export { bridge } from "./bridge/library.ts";
export type { Processed } from "./bridge/process.ts";
export type { Bracket, ContextSize } from "./bridge/state/state.ts";
export type {
  BridgeEvent,
  BridgeEventKind,
  BridgeTask,
  ContextUsage,
} from "./model/bridge-event.ts";
