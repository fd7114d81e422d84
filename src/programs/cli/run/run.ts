import type { Agent } from "../../../agents/contract.ts";
import { agentsIn, everyAgent, registerUserAgents } from "../../../agents/user-agents.ts";
import { type Environment, processEnvironment } from "../../../base/env.ts";
import { errorHints, isRepriseError, RepriseError } from "../../../base/errors.ts";
import type { JsonObject } from "../../../base/json.ts";
import { version } from "../../../base/version.ts";
import { withDefaults } from "../config/flag-defaults.ts";
import { readSettings } from "../config/settings.ts";
import { coloursFor } from "../terminal/colours.ts";
import { isScreen, isTerminal, processOutput } from "../terminal/output.ts";
import { safeLine, safeText } from "../terminal/terminal-text.ts";
import { withActionName } from "./actions.ts";
import type { Command, CommandContext, Invocation } from "./command.ts";
import { commandNamed } from "./commands.ts";
import { withDocsPlace } from "./docs-place.ts";
import { asRepriseError, errorJson, errorText, exitCodeOf, exitCodes } from "./errors.ts";
import { commandsMeant } from "./other-words.ts";
import { fullOverview, overview } from "./overview.ts";
import type { HelpAsked } from "./parse.ts";
import { withoutPaths } from "./paths-behind.ts";
import { plainWords } from "./plain-words.ts";
import { runCommand } from "./run-command.ts";
import { typedLine, withYes } from "./typed-line.ts";

/** Runs one command line and says its exit code; what fails is explained on standard error. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  const out = processOutput();
  const real = processEnvironment();
  const wantsJson = argv.includes("--json");
  try {
    // Help and version answer from the table alone; everything else loads only what it runs.
    const about = aboutText(argv);
    if (about !== undefined) {
      await out.write(about);
      return exitCodes.ok;
    }
    const asked = commandLine(argv, { isScreen: isScreen(0) && isScreen(1) });
    const entry = commandNamed(asked.word);
    if (entry === undefined) throw unknownCommand(asked.word);
    registerUserAgents(real, out.note);
    const command = await entry.load();
    const nowMs = Date.now();
    const settings = readSettings(real);
    const typed = withoutPaths(command, asked.rest);
    const { paths } = typed;
    const rest = withDefaults(command, typed.rest, settings);
    const words =
      (asked.help ? undefined : plainWords(command, rest)) ??
      (await parsed(command, { ...asked, rest }, { nowMs }));
    if ("help" in words) {
      await out.write(withDocsPlace(words.help));
      return exitCodes.ok;
    }
    const args = withActionName(command, words.args);
    const invocation: Invocation = { ...words, args, ...(paths !== undefined && { paths }) };
    const sample = invocation.flags.isSet("sample");
    const env = sample
      ? await (await import("../sessions/sample.ts")).sampleEnvironment(real)
      : real;
    const context: CommandContext = {
      env,
      agents: await agentsFor(command, env, out.note),
      out,
      colours: coloursFor(real.variables, { isTerminal: out.isTerminal }),
      json: invocation.flags.isSet("json"),
      nowMs,
      folder: real.cwd,
      sample,
      bare: argv.length === 0,
    };
    await runChosen(command, invocation, context);
    if (!sample && !isQuiet.has(command.name)) await retain(context, settings);
    return Number(process.exitCode ?? exitCodes.ok);
  } catch (thrown) {
    const error = hinted(asRepriseError(thrown), argv);
    if (error.code === "needs_yes" && error.details["plan"] === true) {
      // A plan was asked for and shown.
      if (!wantsJson)
        out.note(`Nothing was done yet. To do it: \`${safeLine(typedLine(withYes(argv)))}\``);
      return exitCodes.ok;
    }
    const text = wantsJson
      ? errorJson(error)
      : errorText(error, coloursFor(real.variables, { isTerminal: isTerminal(2) }));
    out.note(text);
    if ((real.variables["REPRISE_DEBUG"] ?? "") !== "" && thrown instanceof Error) {
      out.note(safeText(thrown.stack ?? ""));
    }
    return exitCodeOf(error.code);
  }
}

/** Commands that others wait for, or that bring things back. */
const isQuiet: ReadonlySet<string> = new Set(["complete", "statusline", "undo", "redo", "config"]);

/** Lets old sessions go where the user's settings ask for it. */
async function retain(context: CommandContext, settings: JsonObject): Promise<void> {
  if (settings["retention"] === undefined) return;
  const { keepRetention } = await import("../config/retention.ts");
  const said = keepRetention(context.env, settings, context.nowMs);
  if (said !== undefined && !context.json) context.out.note(said);
}

/** Runs a command; where a reference means several sessions, a person on a terminal chooses one of them. */
async function runChosen(
  command: Command,
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  try {
    await runCommand(command, invocation, context);
  } catch (error) {
    const isAsked = isRepriseError(error, "ambiguous") && !context.json;
    if (!isAsked || !isScreen(0) || !isScreen(1)) throw error;
    const { chooseMeant } = await import("../home/choose-meant.ts");
    const meant = await chooseMeant(error, { command, invocation, context });
    // Nothing was chosen: who left the screen knows why.
    if (meant === undefined) process.exitCode = exitCodes.notFound;
    else await runCommand(command, meant, context);
  }
}

async function agentsFor(
  command: Command,
  env: Environment,
  note: (text: string) => void,
): Promise<readonly Agent[]> {
  if (command.withoutAgents) return [];
  return command.presentAgents ? agentsIn(env, note) : everyAgent(note);
}

async function parsed(
  command: Command,
  asked: CommandLine,
  options: { readonly nowMs: number },
): Promise<Invocation | HelpAsked> {
  const { helpFor, parseInvocation } = await import("./parse.ts");
  return asked.help
    ? { help: helpFor(command, asked.rest) }
    : parseInvocation(command, asked.rest, options);
}

/** The version or an overview, where the words ask for one of them. */
function aboutText([word = "", what, ...rest]: readonly string[]): string | undefined {
  if (rest.length > 0) return undefined;
  if (what === undefined && /^(--version|-V|-v|version)$/.test(word)) return `${version}\n`;
  if (!/^(--help|-h|help)$/.test(word)) return undefined;
  if (what === undefined) return overview();
  return /^(--all|all)$/.test(what) ? fullOverview() : undefined;
}

/** What a command line asks for, once the habits of the field are put into our words. */
export interface CommandLine {
  readonly word: string;
  readonly rest: readonly string[];
  readonly help: boolean;
}

/** Turns `--continue`, `--resume [ref]`, `help list`, a bare `reprise` and leading flags into a command. */
export function commandLine(
  argv: readonly string[],
  options: { readonly isScreen: boolean },
): CommandLine {
  const leading: string[] = [];
  let at = 0;
  while (argv[at] === "--sample" || argv[at] === "--json") {
    leading.push(argv[at]!);
    at += 1;
  }
  const [word, ...after] = argv.slice(at);
  const rest = [...after, ...leading];
  if (word === undefined || word.startsWith("-")) return bare(word, rest, options);
  if (word === "help") return { word: after[0] ?? "help", rest: after.slice(1), help: true };
  return { word, rest, help: false };
}

function bare(
  word: string | undefined,
  rest: readonly string[],
  options: { readonly isScreen: boolean },
): CommandLine {
  const plain = options.isScreen && !rest.includes("--json") ? "pick" : "list";
  switch (word) {
    case undefined:
      return { word: plain, rest, help: false };
    case "--continue":
    case "-c":
      return { word: "continue", rest, help: false };
    case "--resume":
    case "-r":
      return { word: "resume", rest, help: false };
    case "--help":
    case "-h": {
      const named = rest.find((one) => !one.startsWith("-"));
      const others = rest.filter((one) => one !== named);
      if (named !== undefined) return { word: named, rest: others, help: true };
      return { word: "list", rest: [word, ...rest], help: false };
    }
    default:
      // Flags alone belong to the list: `reprise --here`.
      return { word: "list", rest: [word, ...rest], help: false };
  }
}

/** Wrong usage of a known command is explained by that command's help. */
function hinted(error: RepriseError, argv: readonly string[]): RepriseError {
  const { code, message, details } = error;
  const entry = argv.map(commandNamed).find((found) => found !== undefined);
  if (code !== "usage" || error.hint !== errorHints.usage || entry === undefined) return error;
  const hint = `See \`reprise ${entry.name} --help\`.`;
  return new RepriseError(code, message, { cause: error, hint, details });
}

function unknownCommand(word: string): RepriseError {
  const meant = commandsMeant(word).map((line) => `\`reprise ${line}\``);
  const question = meant.length === 0 ? [] : [`Did you mean ${meant.join(" or ")}?`];
  return new RepriseError("usage", `There is no command ${JSON.stringify(word)}.`, {
    hint: [...question, "All commands: `reprise help all`."].join(" "),
  });
}
