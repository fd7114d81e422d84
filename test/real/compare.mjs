// Whether a model was sent what a conversation says.
import { isDeepStrictEqual } from "node:util";
import { programs } from "./programs.mjs";
import { inWordsOf, words } from "./words.mjs";

/** What of a story is left in an agent that may lose what `allowed` names. */
export function heldBy(story, allowed) {
  return story.filter(({ ofResult }) => !(ofResult && allowed.includes("resultImage")));
}

/** A story in the words of `target`, when it was told in those of `source`, and perhaps of another agent in between. */
export function toldIn(story, { source, target, through }) {
  return story.map((atom) => {
    if (atom.act === undefined) return atom;
    const { act, ...call } = atom;
    const meaning = meant(source, act);
    const translates = words[target][meaning.act] !== undefined;
    if (translates) return { ...call, ...inWordsOf(target, meaning) };
    const last = through === undefined ? inWordsOf(source, act) : inWordsOf(through, meaning);
    return { ...call, ...last };
  });
}

/** What an act came to in an agent without a word for it: a command. */
function meant(agent, act) {
  if (words[agent][act.act] !== undefined) return act;
  return { act: "shell", command: `cat ${act.path}` };
}

/**
 * Where what was sent differs from what should have been; undefined where it does not. Only what a program
 * is known to add by itself may stand in between.
 */
export function firstDifference(expected, sent, agent) {
  const { injected, repeatsOwnResults, unmarked } = programs[agent] ?? { injected: [] };
  // Ids may change on the way, but a result must name the call it answers, and no two calls share one.
  const ids = new Map();
  const answered = new Set();
  let next = 0;
  for (const marked of sent) {
    const atom = marked.text && unmarked ? { ...marked, text: unmarked(marked.text) } : marked;
    const wanted = expected[next];
    if (wanted !== undefined && matches(wanted, atom, ids)) {
      if (atom.kind === "call") ids.set(wanted.id, atom.id);
      if (atom.kind === "result") answered.add(atom.id);
      next += 1;
      continue;
    }
    if (atom.kind === "user" && injected.some((pattern) => pattern.test(atom.text))) continue;
    if (repeatsOwnResults && atom.kind === "result" && answered.has(atom.id) && isNative(atom.id))
      continue;
    return `expected ${shown(wanted)} but ${shown(atom)} was sent${whereTextsPart(wanted, atom)}`;
  }
  return next === expected.length ? undefined : `${shown(expected[next])} was not sent`;
}

/** Whether a call was made by the stub's own model, not carried over. */
function isNative(id) {
  return id.includes("_stub_");
}

function matches(wanted, atom, ids) {
  switch (wanted.kind) {
    case "summary":
      return /^(user|assistant)$/.test(atom.kind) && atom.text.includes(wanted.text);
    case "image":
      if (wanted.isNamed && atom.text === "[image]") return true;
      return atom.kind === "image" && atom.data === wanted.data;
    case "call": {
      if (atom.kind !== "call" || atom.name !== wanted.name) return false;
      if ([...ids.values()].includes(atom.id)) return false;
      const kept = Object.entries(wanted.input).every(([key, value]) =>
        isDeepStrictEqual(atom.input[key], value),
      );
      const added = Object.keys(atom.input).filter((key) => !(key in wanted.input));
      return kept && added.every((key) => wanted.extra?.includes(key));
    }
    case "result":
      return (
        atom.kind === "result" && atom.id === ids.get(wanted.id) && same(atom.text, wanted.text)
      );
    default:
      return atom.kind === wanted.kind && same(atom.text, wanted.text);
  }
}

/** Agents trim what they store. */
function same(left, right) {
  return left.trim() === right.trim();
}

function shown(atom) {
  return atom === undefined ? "the end" : JSON.stringify(atom).slice(0, 300);
}

/** The place where two long texts begin to differ. */
function whereTextsPart(wanted, atom) {
  if (wanted?.text === undefined || atom.text === undefined) return "";
  let at = 0;
  while (at < wanted.text.length && wanted.text[at] === atom.text[at]) at += 1;
  const near = (text) => JSON.stringify(text.slice(Math.max(0, at - 20), at + 40));
  return `; from ${at} on: ${near(wanted.text)} became ${near(atom.text)}`;
}
