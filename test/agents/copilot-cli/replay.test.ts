import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { AgentEvent } from "../../../src/agents/contract.ts";
import { blocksOf } from "../../../src/model/block.ts";
import { expectation, fixture, readFile, scenarios } from "./sessions.ts";

// `expect.json` beside every session is what Copilot CLI 1.0.102 sent its model when it resumed it.
interface Sent {
  readonly role: string;
  readonly content: string | null | readonly SentPart[];
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}
interface SentPart {
  readonly text?: string;
  readonly image_url?: { readonly url: string };
}

/** What the program says in place of an answer that was never recorded. */
const interrupted = /^Tool execution was interrupted before a result was recorded\./;
/** What it names an image by. */
const imageName = /^(?:Image file at path |dot\.png$)/;

for (const scenario of scenarios) {
  test(`what is live in ${scenario} is what Copilot CLI sends its model on resume`, async () => {
    const sent = JSON.parse(readFileSync(expectation(scenario), "utf8")) as readonly Sent[];
    const { events } = await readFile(fixture(scenario));
    expect(events.every(({ live }) => live)).toBe(true);
    // A command that the program replaces by what it stands for is kept as it was typed, before that.
    const told = said(events).map((atom) => atom.replace("/review the change", ""));
    const replayed = sent.flatMap(atoms);
    expect(told.filter(inOrder)).toEqual(replayed.filter(inOrder));
    expect(told.toSorted()).toEqual(replayed.toSorted());
  });

  test(`with all branches nothing live in ${scenario} changes`, async () => {
    const live = await readFile(fixture(scenario));
    const all = await readFile(fixture(scenario), { allBranches: true });
    expect(all.events.filter((event) => event.live)).toEqual(live.events);
    expect(all.damage).toEqual([]);
  });
}

/** Results are sent in the order of their calls, images behind all text. */
function inOrder(atom: string): boolean {
  return !/^(?:result|image)/.test(atom);
}

/** What the model is told, piece by piece; pieces of one prompt joined, as they are sent. */
function said(events: readonly AgentEvent[]): readonly string[] {
  const told: string[] = [];
  let prompt: string | undefined;
  for (const { body, uuid } of events) {
    if (body.type === "user") {
      for (const block of blocksOf(body.content)) {
        const begun = told.findLastIndex((atom) => atom.startsWith("user: "));
        if (block.type === "text" && prompt === uuid) told[begun] += block.text;
        else if (block.type === "text") told.push(`user: ${block.text}`);
        else if (block.type === "image" && block.source.kind === "base64")
          told.push(`image: ${block.source.data}`);
      }
      prompt = uuid;
      continue;
    }
    prompt = undefined;
    if (body.type === "compaction") told.push(`summary: ${body.summary}`);
    if (body.type === "assistant" && body.content !== "") told.push(`assistant: ${body.content}`);
    if (body.type === "tool_use")
      told.push(`call ${body.call}: ${body.name} ${JSON.stringify(body.input)}`);
    if (body.type === "tool_result") told.push(`result ${body.call}: ${body.content}`);
  }
  return told;
}

function atoms(message: Sent): readonly string[] {
  const { role, content, tool_calls: calls = [], tool_call_id: call } = message;
  const parts: readonly SentPart[] =
    typeof content === "string" ? [{ text: content }] : (content ?? []);
  const texts = parts.flatMap(({ text, image_url: image }) => {
    if (image !== undefined) return [`image: ${image.url.split("base64,")[1]}`];
    if (role === "tool") return interrupted.test(text!) ? [] : [`result ${call}: ${text}`];
    const summary = /<summary>\n([\s\S]*)\n<\/summary>\n$/.exec(text!)?.[1];
    if (summary !== undefined) return [`summary: ${summary}`];
    return imageName.test(text!) ? [] : [`${role}: ${text}`];
  });
  const made = calls.map(
    ({ id, function: { name, arguments: given } }) => `call ${id}: ${name} ${given}`,
  );
  return [...texts, ...made];
}
