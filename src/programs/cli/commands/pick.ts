import { RepriseError } from "../../../base/errors.ts";
import { exportShape } from "../render/json.ts";
import type { Command } from "../run/command.ts";
import { isScreen } from "../terminal/output.ts";
import { filterFlags, filterFrom } from "./list.ts";
import { viewFlags } from "./show.ts";

/** `reprise pick`: the home screen. */
export const pick: Command = {
  name: "pick",
  summary: "open the home screen: find a session and do something with it",
  details: `The same as \`reprise\` alone on a terminal. Type to search titles, projects and first prompts at once, and the
text of sessions when you pause. Enter shows the session; ? lists the keys: resume, resume in another agent, fork, copy the
reference, export, tag, pin, delete, filter.`,
  args: [{ name: "[words...]", says: "words to search for" }],
  flags: [
    { flags: "--resume", says: "make Enter resume the session", kind: "switch" },
    ...filterFlags,
    ...viewFlags,
  ],
  examples: [
    { line: "reprise", says: "all sessions" },
    { line: "reprise pick --here", says: "the sessions of this project" },
  ],
  json: `not for programs: needs a terminal. Use \`reprise list --json\` and \`reprise show <ref> --json\`:
${exportShape}`,
  run: async (invocation, context) => {
    if (!isScreen(0) || !isScreen(1)) {
      throw new RepriseError("usage", "Choosing needs a terminal.", {
        hint: "Use `reprise list`, then `reprise show <ref>`.",
      });
    }
    const { openHome } = await import("../home/open.ts");
    await openHome(invocation, context, {
      verb: invocation.flags.isSet("resume") ? "resume" : "show",
      filter: filterFrom(invocation, context.env.cwd),
      query: invocation.args.join(" "),
    });
  },
};
