import { RepriseError } from "../../../base/errors.ts";
import { type Receivers, receiversOf } from "../../../bridge/install/memories/receivers.ts";
import { withoutSecrets } from "../../../bridge/ledger/secrets.ts";
import { recordChange } from "../../../memory/change-entry.ts";
import { accessLevels, type MemoryEntry, memoryTypes } from "../../../memory/entry.ts";
import { isInjectable } from "../../../memory/injectable.ts";
import type { Memory } from "../../../memory/memory.ts";
import { userNamespace } from "../../../memory/namespace.ts";
import { remember } from "../../../memory/remember.ts";
import { evidenceGiven } from "../memory/change.ts";
import { namespaceLabels } from "../memory/elsewhere.ts";
import { oneOf } from "../memory/one-of.ts";
import { inProject } from "../memory/project.ts";
import { entryLine, valueText } from "../memory/text.ts";
import { memoryOf, typeOf } from "../memory/wanted.ts";
import type { Command } from "../run/command.ts";
import { typedLine } from "../run/typed-line.ts";
import { safeLine } from "../terminal/terminal-text.ts";

/** `reprise remember`: keeps a sentence for this project. */
export const rememberCommand: Command = {
  name: "remember",
  summary: "store a sentence in the memory of this project",
  details: `Secrets are masked. If the sentence contradicts an older memory about the same subject, it replaces the older one
and says so; \`reprise memory conflicts\` lists such pairs.`,
  args: [{ name: "<sentence...>", says: "what to remember" }],
  withoutAgents: true,
  flags: [
    { flags: "--key <key>", says: "the name it is found by", kind: "text" },
    { flags: "--user", says: "remember it for every project", kind: "switch" },
    {
      flags: "--project <words>",
      says: "remember it for the project whose name or path has this",
      kind: "text",
    },
    { flags: "--namespace <name>", says: "remember it in another namespace", kind: "text" },
    { flags: "--owner <name>", says: "act as this owner", kind: "text" },
    { flags: "--type <type>", says: `type: ${memoryTypes.join(", ")}`, kind: "texts" },
    { flags: "--tag <tag>", says: "tag; repeat for several", kind: "texts" },
    { flags: "--access <level>", says: "private, shared or public", kind: "text" },
    { flags: "--file <path>", says: "a file that supports it", kind: "texts" },
    { flags: "--evidence <ref>", says: "the session and event that support it", kind: "texts" },
    { flags: "--ttl-days <days>", says: "forget it after this many days", kind: "count" },
  ],
  examples: [
    { line: "reprise remember the test command is npm test", says: "for this project" },
    { line: "reprise remember --user I prefer short answers", says: "for every project" },
  ],
  json: "{ entry: Entry, replaced: Entry[], givenTo: string[] }; Entry as in `reprise memory`; givenTo: the agents that get it unasked",
  changes: () => true,
  run: async (invocation, context) => {
    const { args, flags } = invocation;
    const text = withoutSecrets(args.join(" ").trim());
    if (text === "") throw new RepriseError("usage", "Type `reprise remember <sentence>`.");
    const [key, access, days] = [flags.text("key"), flags.text("access"), flags.number("ttlDays")];
    const type = typeOf(flags);
    const within = await inProject(invocation, context);
    const memory = memoryOf(invocation, within);
    const remembered = await remember(memory, {
      text,
      tags: flags.texts("tag"),
      evidence: evidenceGiven(invocation, context),
      ...(key !== undefined && { key }),
      ...(type !== undefined && { type }),
      ...(access !== undefined && { access: oneOf("access", access, accessLevels) }),
      ...(days !== undefined && { ttlMs: days * 86_400_000 }),
    });
    const { entry, before } = remembered;
    recordChange(memory.home, "remembered", { before, entry, owner: memory.owner });
    const receivers = isGiven(memory, entry) ? await receiversOf(within.env) : undefined;
    if (context.json) {
      const given = receivers?.isOn ? { givenTo: receivers.agents } : { givenTo: [] };
      return context.out.writeJson({ entry, replaced: remembered.replaced, ...given });
    }
    const replaced = remembered.replaced.map((entry) => `This replaces: ${entryLine(entry)}`);
    const place = namespaceLabels(context).get(entry.namespace) ?? entry.namespace;
    const where = entry.namespace === userNamespace.name ? "every project" : safeLine(place);
    await context.out.write(
      `Remembered for ${where}: ${valueText(entry.value)}\n${replaced.join("")}`,
    );
    if (receivers !== undefined) context.out.note(receiversText(receivers));
    const forget = typedLine(["memory", "forget", nameToType(entry), "--yes"]);
    context.out.note(
      `Ask for it with \`reprise recall <question>\`; \`${safeLine(forget)}\` forgets it for good.`,
    );
  },
};

/** Whether agents may be given it: of this project or of every project, and not kept to somebody alone. */
function isGiven({ namespace }: Memory, entry: MemoryEntry): boolean {
  const isHere = namespace.project !== undefined || namespace.name === userNamespace.name;
  return isHere && isInjectable(entry) && entry.access !== "private";
}

function receiversText({ isOn, agents }: Receivers): string {
  if (!isOn) return "No agent is given it unasked: `reprise memory injection on` changes that.";
  if (agents.length > 0)
    return `${agents.join(", ")} ${agents.length === 1 ? "gets it at its" : "get it at their"} next start.`;
  return "No agent is given it yet: `reprise hooks install` lets agents get it, `reprise memory publish` writes it into a page they read.";
}

/** A longer name is harder to read than an id. */
const typedChars = 60;

/** What names a memory in a command: its words where they are few. */
function nameToType({ key, id }: { readonly key: string; readonly id: string }): string {
  return key.length <= typedChars && /^[\p{L}\p{N}]/u.test(key) ? key : id;
}
