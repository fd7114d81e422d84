// Damage that keeps a shape: values of the wrong type, missing and foreign fields, wrong parents, lines out of place.
const odd = [
  null,
  true,
  0,
  -1,
  1e308,
  2 ** 53,
  "",
  "\u0000\u001b[2J",
  "\ud800",
  "../../../etc/passwd",
  "__proto__",
  [],
  {},
  [[[[]]]],
  { type: "text" },
  { __proto__: 1, constructor: { prototype: 1 } },
];

/** The bytes with some damage done to them. */
export function mutate(bytes, random) {
  const lines = bytes.toString("utf8").split("\n");
  const rounds = 1 + random.below(4);
  for (let round = 0; round < rounds && lines.length > 0; round += 1) {
    random.pick(damages)(lines, random);
  }
  const text = Buffer.from(lines.join("\n"));
  return random.below(6) === 0 ? flipped(text, random) : text;
}

const damages = [
  inRecord(setOdd),
  inRecord(setOdd),
  inRecord(removeField),
  inRecord(swapFields),
  inRecord(renameField),
  inRecord(selfParent),
  inRecord(deepen),
  (lines, random) => void lines.splice(random.below(lines.length), 1),
  (lines, random) =>
    void lines.splice(random.below(lines.length), 0, random.pick(lines), random.pick(lines)),
  (lines, random) => {
    const at = random.below(lines.length);
    lines[at] = lines[at].slice(0, random.below(lines[at].length + 1));
  },
  (lines, random) => {
    const at = random.below(lines.length);
    lines.splice(at, 2, lines[at] + (lines[at + 1] ?? ""));
  },
  (lines, random) =>
    void lines.splice(
      random.below(lines.length),
      0,
      random.pick(["{}", "[]", "null", '"', "{".repeat(2_000)]),
    ),
];

/** Applies a change to one record, where a line, or the whole text, is one. */
function inRecord(change) {
  return (lines, random) => {
    const at = random.below(lines.length);
    const whole = parsed(lines.join("\n"));
    const record = whole ?? parsed(lines[at]);
    if (typeof record !== "object" || record === null) return;
    change(record, random);
    if (whole === undefined) lines[at] = JSON.stringify(record);
    else lines.splice(0, lines.length, JSON.stringify(whole));
  };
}

/** Every object within a value, with the value itself. */
function objectsIn(value, found = []) {
  if (typeof value !== "object" || value === null || found.length > 500) return found;
  found.push(value);
  for (const inner of Object.values(value)) objectsIn(inner, found);
  return found;
}

function somewhere(record, random) {
  const holder = random.pick(objectsIn(record));
  const keys = Object.keys(holder);
  return keys.length === 0 ? undefined : { holder, key: random.pick(keys) };
}

function setOdd(record, random) {
  const at = somewhere(record, random);
  if (at !== undefined) at.holder[at.key] = random.pick(odd);
}

function removeField(record, random) {
  const at = somewhere(record, random);
  if (at !== undefined) delete at.holder[at.key];
}

function swapFields(record, random) {
  const [one, other] = [somewhere(record, random), somewhere(record, random)];
  if (one === undefined || other === undefined) return;
  const copy = structuredClone(one.holder[one.key]);
  other.holder[other.key] = copy;
}

function renameField(record, random) {
  const at = somewhere(record, random);
  if (at === undefined) return;
  at.holder[random.pick(["type", "id", "content", "message", "toString", "name"])] =
    at.holder[at.key];
}

function selfParent(record) {
  for (const [own, parent] of [
    ["uuid", "parentUuid"],
    ["id", "parentId"],
    ["id", "parentID"],
  ]) {
    if (own in record) record[parent] = record[own];
  }
}

function deepen(record, random) {
  const at = somewhere(record, random);
  if (at === undefined) return;
  let value = at.holder[at.key];
  for (let depth = 0; depth < 400; depth += 1) value = depth % 2 === 0 ? [value] : { value };
  at.holder[at.key] = value;
}

function flipped(bytes, random) {
  const copy = Buffer.from(bytes);
  for (let flip = 0; flip < 4 && copy.length > 0; flip += 1)
    copy[random.below(copy.length)] ^= 1 << random.below(8);
  return copy;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
