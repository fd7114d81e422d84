import type { FoundSession } from "../../../../agents/find-sessions.ts";
import type { CommandContext } from "../../run/command.ts";
import { colours as colourSet } from "../colours.ts";
import { safeLine } from "../terminal-text.ts";
import { listenToKeys } from "./key-input.ts";
import type { Key } from "./keys.ts";
import { previewLines } from "./preview.ts";
import { listRows, pickerScreen } from "./screen.ts";
import { pickerState, press } from "./state.ts";
import { drawScreen, openTerminal, screenSize } from "./terminal.ts";

/** Lets the user choose a session on the terminal; undefined if they leave. */
export async function pickSession(
  sessions: readonly FoundSession[],
  context: CommandContext,
  options: { readonly verb: string },
): Promise<FoundSession | undefined> {
  const terminal = openTerminal();
  try {
    return await choose(sessions, context, options);
  } finally {
    terminal.close();
  }
}

function choose(
  sessions: readonly FoundSession[],
  context: CommandContext,
  options: { readonly verb: string },
): Promise<FoundSession | undefined> {
  let state = pickerState(sessions);
  // A preview that comes too late must not be drawn over what is printed next.
  let isOpen = true;
  const previews = new Map<FoundSession, readonly string[]>();

  const current = (): FoundSession | undefined => state.matches[state.at]?.session;
  const draw = (): void => {
    const session = current();
    const preview = session === undefined ? [] : (previews.get(session) ?? []);
    const { verb } = options;
    const { colours, nowMs } = context;
    const lines = pickerScreen(state, { ...screenSize(), colours, nowMs, verb, preview });
    drawScreen(lines);
  };
  const loadPreview = async (): Promise<void> => {
    const session = current();
    if (session === undefined || previews.has(session)) return;
    const { columns, rows } = screenSize();
    const isWanted = (): boolean => isOpen && current() === session;
    const lines = await previewLines(session, {
      columns,
      rows: rows - listRows(rows) - 4,
      // Colours would be cut by wrapping; the preview goes without.
      colours: colourSet(false),
      isWanted,
    }).catch((error: unknown) => [
      safeLine(error instanceof Error ? error.message : String(error)),
    ]);
    if (!isWanted()) return;
    previews.set(session, lines);
    draw();
  };
  const show = (): void => {
    draw();
    void loadPreview();
  };

  return new Promise((resolve) => {
    const finish = (session: FoundSession | undefined): void => {
      isOpen = false;
      stopListening();
      process.stdout.off("resize", onResize);
      resolve(session);
    };
    const onResize = (): void => {
      previews.clear();
      show();
    };
    const onKeys = (keys: readonly Key[]): void => {
      for (const key of keys) {
        const step = press(state, key, listRows(screenSize().rows));
        if (step.kind !== "stay") {
          finish(step.kind === "chosen" ? step.session : undefined);
          return;
        }
        state = step.state;
      }
      show();
    };
    const stopListening = listenToKeys({ keys: onKeys, end: () => finish(undefined) });
    process.stdout.on("resize", onResize);
    show();
  });
}
