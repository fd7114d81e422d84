import { isPasting, type Key, readKeys } from "./keys.ts";

/** How long the end of a key's sequence may take; a lone Esc is known after that. */
const sequenceMs = 40;

/** Says which keys are typed, and the end of the input; stops when the function it returns is called. */
export function listenToKeys(told: {
  readonly keys: (keys: readonly Key[]) => void;
  readonly end: () => void;
}): () => void {
  let pending = "";
  let timer: NodeJS.Timeout | undefined;
  const onEscape = (): void => {
    pending = "";
    told.keys([{ name: "escape" }]);
  };
  const onData = (data: Buffer | string): void => {
    clearTimeout(timer);
    const { keys, rest } = readKeys(pending + String(data));
    pending = rest;
    if (rest !== "" && !isPasting(rest)) timer = setTimeout(onEscape, sequenceMs);
    told.keys(keys);
  };
  process.stdin.on("data", onData);
  process.stdin.on("end", told.end);
  return () => {
    clearTimeout(timer);
    process.stdin.off("data", onData);
    process.stdin.off("end", told.end);
  };
}
