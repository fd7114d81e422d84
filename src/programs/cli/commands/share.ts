import { basename, resolve } from "node:path";
import { readSession } from "../../../agents/reading.ts";
import { resolveReference, shortId } from "../../../agents/reference.ts";
import type { SessionHead } from "../../../model/head.ts";
import { writePieces } from "../../../store/output-file.ts";
import { documentPieces } from "../render/document.ts";
import { tallySentences } from "../render/tally-text.ts";
import type { Command } from "../run/command.ts";
import { homeOf } from "../sessions/native.ts";
import { hidesSecrets, maskedSentence, maskSession } from "../share/masking.ts";
import { refuseSealed, unsealFlag } from "../share/unseal.ts";
import { withProgress } from "../terminal/progress.ts";
import { viewFlags, viewFrom } from "./show.ts";

/** `reprise share`: one file to give away, with secrets and the home folder masked. */
export const share: Command = {
  name: "share",
  summary: "write one file to share, with secrets masked",
  details: `Nothing is uploaded: look at the file, then send it yourself. Without -o it goes into the current folder, named after the
session's title and id; the answer is its path.`,
  args: [{ name: "<ref...>", says: "the session" }],
  flags: [
    {
      flags: "-f, --format <format>",
      says: "html (default) or md",
      kind: "text",
      choices: ["html", "md"],
    },
    {
      flags: "-o, --output <file>",
      says: "the file's name (default: made from the title)",
      kind: "text",
    },
    ...viewFlags,
    { flags: "--yes", says: "overwrite the file if it exists", kind: "switch" },
    unsealFlag,
  ],
  examples: [
    { line: "reprise share @last", says: "a page named after the session's title" },
    { line: "reprise share @last --format md -o review.md", says: "Markdown, for a pull request" },
  ],
  json: `{ written: string, sizeBytes: number, format: "html" | "md",
  masked: { rule: string, count: number }[] }`,
  changes: () => true,
  run: async (invocation, context) => {
    const format = invocation.flags.text("format") === "md" ? "md" : "html";
    const session = resolveReference(invocation.args.join(" "), context);
    refuseSealed(session.head, invocation);
    const reading = readSession(session, { allBranches: invocation.flags.isSet("allBranches") });
    const masking = maskSession({ home: [true, context.env.home] });
    const events = withProgress(reading.events, context, { verb: "Shared", toFile: true });
    const outgoing = await masking.session({ head: session.head, events });
    const { head } = outgoing;
    const pieces = documentPieces(
      { ...outgoing, tally: reading.tally },
      { format, native: false, ...viewFrom(invocation, { tools: "short", thinking: false }) },
    );
    const file = invocation.flags.text("output") ?? `${slugOf(head)}.${format}`;
    const path = resolve(context.folder, file);
    const overwrite = invocation.flags.isSet("yes");
    const sizeBytes = await writePieces(path, pieces, { overwrite, home: homeOf(context) });
    const masked = masking.found();
    if (context.json) return context.out.writeJson({ written: path, sizeBytes, format, masked });
    await context.out.write(`${path}\n`);
    context.out.note(maskedSentence(masked));
    for (const sentence of tallySentences(reading.tally)) context.out.note(sentence);
    // Where nothing was masked, the sentence about that says it already.
    if (hidesSecrets(masked)) context.out.note(`Look at ${basename(path)} before you pass it on.`);
  },
};

/** A file name made from a title and an id: letters and digits only. */
export function slugOf(head: SessionHead): string {
  const words = (head.title ?? "")
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 40)
    .replace(/^-+|-+$/g, "");
  const id = shortId(head.session).replace(/[^A-Za-z0-9-]+/g, "");
  return [words, id].filter((part) => part !== "").join("-") || "session";
}
