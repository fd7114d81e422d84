// The session every pair carries over: what people and models say, and everything that is known to get lost.
import { inWordsOf } from "./words.mjs";

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const image = { type: "image", mediaType: "image/png", source: { kind: "base64", data: png } };

/** Emoji, a family joined to one sign, right to left, Chinese, a combining accent, line separators. */
const unicode =
  '👋🏽 👨‍👩‍👧‍👦 שלום עולם مرحبا 你好，世界 e\u0301 line\u2028separator\u2029end \\ " \t tab ‮rtl‬ 𝒳';
const long = Array.from({ length: 400 }, (_, index) => `Line ${index}: the quick brown fox.`).join(
  "\n",
);

export const title = "Words of a.txt ✓";
export const thought = "A thought that is nobody else's business.";

/**
 * What the session says after its compaction, in the order a model is given it. `act` stands for a call in
 * the words of whichever agent speaks.
 */
export const story = [
  { kind: "summary", text: "Earlier, the greeting was agreed on.\n\n- It is kept in a.txt." },
  { kind: "user", text: "Kept from before the compaction: which words are in a.txt?" },
  { kind: "assistant", text: "I will look at both files." },
  { kind: "call", id: "toolu_01Aa", act: { act: "read", path: "a.txt" } },
  { kind: "call", id: "toolu_01Bb", act: { act: "shell", command: "cat missing.txt" } },
  { kind: "result", id: "toolu_01Aa", text: "three\nsmall\nwords" },
  { kind: "result", id: "toolu_01Bb", text: "cat: missing.txt: No such file", isError: true },
  { kind: "assistant", text: `One is there. ${unicode}` },
  { kind: "user", text: unicode },
  {
    kind: "call",
    id: "call_3",
    act: { act: "edit", path: "a.txt", before: "small", after: 'tiny "é"\n' },
  },
  { kind: "result", id: "call_3", text: "The file was changed." },
  {
    kind: "call",
    id: "call_4",
    act: { act: "write", path: "b.txt", content: `${unicode}\n\n  b\n` },
  },
  { kind: "result", id: "call_4", text: "Written." },
  {
    kind: "call",
    id: "call_5",
    name: "mcp__notes__add",
    input: { note: { tags: ["a", "b"], n: 1.5 } },
  },
  { kind: "result", id: "call_5", text: '{"ok":true}' },
  { kind: "assistant", text: "Both files are as you wanted." },
  { kind: "user", text: "/etc/hosts is a path, not a command" },
  { kind: "assistant", text: `Understood.\n\n\`\`\`json\n{"a": "<b>&amp;</b>"}\n\`\`\`` },
  { kind: "user", text: "What is in this picture?" },
  { kind: "image", data: png },
  { kind: "assistant", text: "One pixel. Shall I take another?" },
  { kind: "user", text: `? Yes. And read this:\n${long}` },
  { kind: "call", id: "call_6", name: "take_picture", input: {} },
  { kind: "result", id: "call_6", text: "Taken." },
  { kind: "image", data: png, ofResult: true },
  {
    kind: "call",
    id: "call_7",
    act: { act: "shell", command: "cat long.txt | head -n 400 && echo 'done'" },
  },
  { kind: "result", id: "call_7", text: long },
  { kind: "assistant", text: "All of it is there." },
];

/** Writes the session through the library, its calls in the words of an agent. */
export async function writeRich(session, agent) {
  await session.setTitle(title);
  await session.appendUser("This was said before the compaction and is gone.");
  await session.appendAssistant("So was this.", { endTurn: true });
  const [summary, kept, ...rest] = story;
  const { id: keepFrom } = await session.appendUser(kept.text);
  await session.appendCompaction(summary.text, { keepFrom });
  let message = 0;
  let pending = [];
  const flush = async () => {
    for (const body of pending) await session.append({ ...body, message: `m${message}` });
    pending = [];
  };
  for (const [index, atom] of rest.entries()) {
    if (atom.kind !== "call") await flush();
    // Calls without a text before them are a message of their own.
    if (pending.length === 0) message += 1;
    if (atom.kind === "assistant") {
      pending.push(
        { type: "thinking", content: thought },
        { type: "assistant", content: atom.text },
      );
    } else if (atom.kind === "call") {
      const { name, input } = atom.act === undefined ? atom : inWordsOf(agent, atom.act);
      pending.push({ type: "tool_use", call: atom.id, name, input });
    } else if (atom.kind !== "image") {
      const picture = rest[index + 1]?.kind === "image" ? [image] : [];
      const content = [{ type: "text", text: atom.text }, ...picture];
      if (atom.kind === "user") await session.appendUser(content);
      else await session.appendToolResult(atom.id, content, { isError: atom.isError === true });
    }
  }
  await flush();
  await session.close();
}
