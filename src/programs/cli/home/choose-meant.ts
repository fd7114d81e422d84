import { referenceTo, sessionsMeant } from "../../../agents/reference.ts";
import type { RepriseError } from "../../../base/errors.ts";
import { asString } from "../../../base/json.ts";
import type { Command, CommandContext, Invocation } from "../run/command.ts";
import { homeActions } from "./actions.ts";
import { Home, type HomeActions } from "./home.ts";

/** Lets a person choose among the sessions an ambiguous reference means; what was typed, with the one that was chosen. */
export async function chooseMeant(
  { details }: RepriseError,
  {
    command,
    invocation,
    context,
  }: {
    readonly command: Command;
    readonly invocation: Invocation;
    readonly context: CommandContext;
  },
): Promise<Invocation | undefined> {
  const reference = asString(details["reference"]);
  if (reference === undefined) return undefined;
  const find = (): ReturnType<typeof sessionsMeant> => sessionsMeant(reference, context);
  const sessions = find();
  let ref: string | undefined;
  const usual = homeActions(invocation);
  const actions: HomeActions = {
    ...usual,
    act: async (step, home) => {
      if (step.action !== "show" || step.item === undefined) return usual.act(step, home);
      ref = referenceTo(step.item.session);
      return { kind: "away", run: async () => false };
    },
  };
  const message = `${JSON.stringify(reference)} matches ${sessions.length} sessions: choose one, or type to narrow them.`;
  const options = { verb: command.name, find, isOnly: true, message };
  await new Home(sessions, { context, options, actions }).run();
  if (ref === undefined) return undefined;
  return { ...invocation, args: replaced(invocation.args, reference, ref) };
}

/** The words with a reference in them replaced, whether it was one word or all of them; an event behind it stays. */
function replaced(args: readonly string[], reference: string, ref: string): readonly string[] {
  const named = (text: string): string | undefined => {
    if (text === reference) return ref;
    const event = text.startsWith(`${reference}@`) ? text.slice(reference.length) : undefined;
    return event === undefined ? undefined : `${ref}${event}`;
  };
  const whole = named(args.join(" "));
  return whole === undefined ? args.map((word) => named(word) ?? word) : [whole];
}
