import { findSessions } from "../../../agents/find-sessions.ts";
import { RepriseError } from "../../../base/errors.ts";
import { exportShape } from "../render/json.ts";
import type { Command } from "../run/command.ts";
import { nextSteps, sampleWhereEmpty } from "../sessions/sample.ts";
import { isScreen } from "../terminal/output.ts";
import { pickSession } from "../terminal/picker/picker.ts";
import { continueSession } from "./continue.ts";
import { filterFlags, filterFrom } from "./list.ts";
import { showSession, viewFlags } from "./show.ts";

/** `reprise pick`: choose a session on the terminal and look at it. */
export const pick: Command = {
  name: "pick",
  summary: "choose a session on the terminal and look at it",
  details:
    "Type to search, arrows and page keys move, Enter shows the session, Esc leaves.\nA bare `reprise` on a terminal is the same.",
  args: [],
  flags: [
    { flags: "--resume", says: "continue the chosen session instead", kind: "switch" },
    ...filterFlags,
    ...viewFlags,
  ],
  examples: [
    { line: "reprise", says: "all sessions" },
    { line: "reprise pick --here", says: "the sessions of this project" },
  ],
  json: `the chosen session: ${exportShape}`,
  run: async (invocation, given) => {
    if (!isScreen(0) || !isScreen(1)) {
      throw new RepriseError("usage", "Choosing needs a terminal.", {
        hint: "Use `reprise list`, then `reprise show <ref>`.",
      });
    }
    const filter = filterFrom(invocation, given.env.cwd);
    const context = await sampleWhereEmpty(given);
    const sessions = findSessions(context, filter);
    if (sessions.length === 0) {
      await context.out.write("No sessions.\n");
      return;
    }
    const isResume = invocation.flags.isSet("resume");
    const session = await pickSession(sessions, context, { verb: isResume ? "continue" : "show" });
    if (session !== undefined) {
      await (isResume ? continueSession : showSession)(session, invocation, context);
    }
    if (context.sample && !given.sample) {
      context.out.note(
        `\nTry:\n${nextSteps()
          .map((line) => `  ${line}`)
          .join("\n")}`,
      );
    }
  },
};
