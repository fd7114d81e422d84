import { resolve } from "node:path";
import { readSession } from "../../../agents/reading.ts";
import { resolveReference } from "../../../agents/reference.ts";
import { RepriseError } from "../../../base/errors.ts";
import { writePieces } from "../../../store/output-file.ts";
import { type DocumentFormat, documentFormats, documentPieces } from "../render/document.ts";
import { exportShape } from "../render/json.ts";
import type { Command, CommandContext, Invocation } from "../run/command.ts";
import { homeOf, isNative } from "../sessions/native.ts";
import { maskedSentence, maskSession } from "../share/masking.ts";
import { refuseSealed, unsealFlag } from "../share/unseal.ts";
import { withProgress } from "../terminal/progress.ts";
import { viewFlags, viewFrom } from "./show.ts";

/** `reprise export`: a session as a document, on standard output or in a file. */
export const exportCommand: Command = {
  name: "export",
  summary: "export a session as Markdown, HTML, JSON or JSON lines",
  details: `json and jsonl are exact: nothing is masked or shortened; --all-branches adds abandoned branches. md and html mask
secrets. --json is the same as --format json.`,
  args: [{ name: "<ref...>", says: "the session; with ref@57 the conversation up to that event" }],
  flags: [
    {
      flags: "-f, --format <format>",
      says: "md (default), html, json, jsonl",
      kind: "text",
      choices: documentFormats,
    },
    { flags: "-o, --output <file>", says: "write to this file instead", kind: "text" },
    {
      flags: "--native",
      says: "with json, jsonl: include each record as the agent wrote it",
      kind: "switch",
    },
    ...viewFlags,
    { flags: "--yes", says: "overwrite the file if it exists", kind: "switch" },
    unsealFlag,
  ],
  examples: [
    { line: "reprise export @last -o session.md", says: "a transcript to read" },
    {
      line: "reprise export @last --format html -o session.html",
      says: "one self-contained page",
    },
    {
      line: "reprise export 3f9a --format jsonl | jq -c .body",
      says: "exact events for a program",
    },
  ],
  json: `${exportShape}
With --output: { written: string, sizeBytes: number, format: string, masked: { rule: string, count: number }[] }`,
  changes: ({ flags }) => flags.isSet("output"),
  run: async (invocation, context) => {
    const format = formatFrom(invocation, context);
    const isExact = format === "json" || format === "jsonl";
    if (invocation.flags.isSet("native") && !isExact) {
      throw new RepriseError("usage", "--native goes with --format json or jsonl.");
    }
    const session = resolveReference(invocation.args.join(" "), context);
    const allBranches = invocation.flags.isSet("allBranches") || (isExact && isNative(session));
    const reading =
      session.event === undefined
        ? readSession(session, { allBranches })
        : readSession(session, { upTo: session.event });
    const masking = maskSession();
    const file = invocation.flags.text("output");
    if (file !== undefined) refuseSealed(session.head, invocation);
    const progress = { verb: "Exported", toFile: file !== undefined };
    const events = withProgress(reading.events, context, progress);
    const exact = { head: session.head, events };
    const outgoing = isExact ? exact : await masking.session(exact);
    const pieces = documentPieces(
      { ...outgoing, tally: reading.tally },
      { format, native: invocation.flags.isSet("native"), ...viewFrom(invocation, whole) },
    );
    const report = (): string =>
      isExact ? "Exact export: secrets are not masked." : maskedSentence(masking.found());
    if (file === undefined) {
      for await (const piece of pieces) await context.out.write(piece);
      if (!context.json) context.out.note(report());
      return;
    }
    const path = resolve(context.folder, file);
    const overwrite = invocation.flags.isSet("yes");
    const sizeBytes = await writePieces(path, pieces, { overwrite, home: homeOf(context) });
    if (context.json) {
      await context.out.writeJson({ written: path, sizeBytes, format, masked: masking.found() });
    } else context.out.note(`Written to ${file}. ${report()}`);
  },
};

const whole = { tools: "full", thinking: false } as const;

function formatFrom({ flags }: Invocation, context: CommandContext): DocumentFormat {
  const given = flags.text("format") as DocumentFormat | undefined;
  return given ?? (context.json && flags.text("output") === undefined ? "json" : "md");
}
