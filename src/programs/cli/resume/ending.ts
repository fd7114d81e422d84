import { type NamedSession, referenceTo } from "../../../agents/reference.ts";
import { sourceEvents } from "../../../agents/source.ts";
import { RepriseError } from "../../../base/errors.ts";
import { isPrompt, isSaid } from "../../../model/prompt.ts";
import type { FlagSpec, Invocation } from "../run/command.ts";

/** The flag of commands that go on from an event. */
export const beforeFlag: FlagSpec = {
  flags: "--before",
  says: "end before the event named, so that something else can be asked",
  kind: "switch",
};

/** What a history that ends at an event ends with. */
interface Ending {
  readonly event: string;
  readonly isPrompt: boolean;
  /** The event before it; absent where nothing was said before. */
  readonly before?: string;
}

async function endingOf(session: NamedSession): Promise<Ending | undefined> {
  const { agent, ref, event: at } = session;
  let ending: Ending | undefined;
  let isBegun = false;
  for await (const { number, body } of sourceEvents({ agent, ref, at })) {
    const before = isBegun && ending !== undefined ? { before: ending.event } : {};
    ending = { event: number, isPrompt: isPrompt(body), ...before };
    // A summary stands for what was said before it.
    isBegun ||= isSaid(body) || body.type === "compaction";
  }
  return ending;
}

/** The session, to end before the event named where `--before` asks for that. */
export async function endedBefore(
  session: NamedSession,
  { flags }: Invocation,
): Promise<NamedSession> {
  if (!flags.isSet("before")) return session;
  const ref = referenceTo(session);
  if (session.event === undefined) {
    throw new RepriseError("usage", "--before needs an event to end before.", {
      hint: `Name it after the session: \`${ref}@57\`. Its prompts: \`reprise show ${ref} --prompts\`.`,
    });
  }
  const before = (await endingOf(session))?.before;
  if (before !== undefined) return { ...session, event: before };
  throw new RepriseError("usage", `Nothing was said before event ${session.event}.`, {
    hint: "To ask something else instead of the first prompt, begin a new session.",
  });
}

/** Says that a copy ends with an unanswered prompt, and how to ask something else; undefined where it does not. */
export async function endingNote(
  session: NamedSession,
  { flags }: Invocation,
  { verb, isPlan = false }: { readonly verb: "fork" | "resume"; readonly isPlan?: boolean },
): Promise<string | undefined> {
  if (session.event === undefined) return undefined;
  const ending = await endingOf(session);
  if (ending?.isPrompt !== true) return undefined;
  const { event, before } = ending;
  const said = `The copy ${isPlan ? "would end" : "ends"} with the prompt @${event}, unanswered.`;
  if (before === undefined) return said;
  const target = flags.text("in");
  const words = ["reprise", verb, `${referenceTo(session)}@${event}`, "--before"];
  const command = [...words, ...(target === undefined ? [] : ["--in", target])].join(" ");
  return `${said} To ask something else instead: \`${command}\`.`;
}
