import { harmless } from "./harmless.mjs";
import {
  moreSecretsInDisguise,
  moreSecretsOfKeys,
  moreSecretsOfPrograms,
} from "./more-secrets.mjs";
import { valuesFrom } from "./random.mjs";
import { secretsOfCommands, secretsOfFiles, secretsOfTexts } from "./secrets.mjs";

// A session shows a text as it is, with lines around it, or inside a string of JSON.
const surroundings = [
  (text) => text,
  (text) => `$ cat notes\n${text}\nDone in 0.42 s.`,
  (text) => JSON.stringify({ type: "tool_result", content: `first line\n${text}\nlast line` }),
];

/** The set whose templates were written before the rules, and the one written after them. */
export const parts = {
  first: { ...secretsOfCommands, ...secretsOfFiles, ...secretsOfTexts },
  second: { ...moreSecretsOfKeys, ...moreSecretsOfPrograms, ...moreSecretsInDisguise },
};

/** Texts that hold secrets: their class, and where each of its pieces begins and ends. */
export function secretSamples(seed, { part, draws = 3 }) {
  return samplesOf(parts[part], { seed, draws }).map(({ kind, text }) => ({
    kind,
    ...withoutMarks(text),
  }));
}

/** Texts without a secret, with their class. */
export function harmlessSamples(seed, { draws = 4 } = {}) {
  return samplesOf(harmless, { seed, draws });
}

function samplesOf(classes, { seed, draws }) {
  const values = valuesFrom(seed);
  return Object.entries(classes).flatMap(([kind, templates]) =>
    templates.flatMap((template) =>
      Array.from({ length: draws }, (_, draw) => ({
        kind,
        text: surroundings[draw % surroundings.length](template(values)),
      })),
    ),
  );
}

/** Takes the marks out of a text and says where they stood. */
function withoutMarks(marked) {
  let text = "";
  const secrets = [];
  for (const piece of marked.split(/([«»])/)) {
    if (piece === "«") secrets.push({ start: text.length, end: text.length });
    else if (piece === "»") secrets.at(-1).end = text.length;
    else text += piece;
  }
  return { text, secrets };
}

/** What finding made of the samples: by class how many, how many were found, and what was missed or wrong. */
export function judged(find, { secrets, ordinary }) {
  const classes = new Map();
  const of = (kind) => {
    if (!classes.has(kind))
      classes.set(kind, { kind, count: 0, found: 0, falseAlarms: [], missed: [] });
    return classes.get(kind);
  };
  for (const { kind, text, secrets: pieces } of secrets) {
    const row = of(kind);
    const spans = find(text);
    row.count += 1;
    if (pieces.every((piece) => isCovered(piece, spans))) row.found += 1;
    else row.missed.push(text);
    const wrong = spans.filter((span) => !pieces.some((piece) => overlap(piece, span)));
    for (const { start, end } of wrong) row.falseAlarms.push({ text, hit: text.slice(start, end) });
  }
  for (const { kind, text } of ordinary) {
    const row = of(`- ${kind}`);
    row.count += 1;
    for (const { start, end, rule } of find(text))
      row.falseAlarms.push({ text, hit: `${rule}: ${text.slice(start, end)}` });
  }
  return [...classes.values()];
}

/** Whether no character of a piece is left in sight. */
function isCovered({ start, end }, spans) {
  let at = start;
  for (const span of spans) if (span.start <= at && span.end > at) at = span.end;
  return at >= end;
}

function overlap(one, other) {
  return one.start < other.end && other.start < one.end;
}

/** Recall and precision over all classes. */
export function figures(rows) {
  const sum = (value) => rows.reduce((total, row) => total + value(row), 0);
  const secrets = sum((row) => (row.kind.startsWith("- ") ? 0 : row.count));
  const found = sum((row) => row.found);
  const falseAlarms = sum((row) => row.falseAlarms.length);
  return {
    secrets,
    ordinary: sum((row) => row.count) - secrets,
    recall: found / secrets,
    precision: found / (found + falseAlarms),
  };
}
