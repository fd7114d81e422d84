import { expect, test } from "vitest";
import { eventText } from "../../src/catalog/index/event-text.ts";
import { parseQuery } from "../../src/catalog/query/query.ts";
import { patternFinder, snippetOf, wordFinder } from "../../src/catalog/query/snippet.ts";

const marked = (text: string, query: string): readonly string[] => {
  const snippet = snippetOf(text, wordFinder(parseQuery(query)));
  return snippet.marks.map(([start, end]) => snippet.text.slice(start, end));
};

test("a snippet is one line that begins with the sentence, and marks what was found", () => {
  const text = `${"before ".repeat(60)}\n\n    the   Handler\twas split ${"after ".repeat(60)}`;
  const snippet = snippetOf(text, wordFinder(parseQuery("handler")));
  expect(snippet.text).toContain("…the Handler was split after");
  expect(snippet.text.startsWith("…") && snippet.text.endsWith("…")).toBe(true);
  expect(marked(text, "handler")).toEqual(["Handler"]);
});

test("phrases, beginnings and accents are marked as they stand", () => {
  expect(marked("see src/app.ts, not src/apple", "src/app.ts")).toEqual(["src/app.ts", "src"]);
  expect(marked("limits and limit", "limit*")).toEqual(["limits", "limit"]);
  expect(marked("unlimited limit", "limit")).toEqual(["limit"]);
  expect(marked("the café opens", "cafe")).toEqual(["café"]);
  expect(marked("Ünïcode first", "unicode")).toEqual(["Ünïcode"]);
});

test("a snippet shows the sentence with most of the words, without the numbers of lines", () => {
  const text =
    "     1→The limit is here.\n     2→Nothing. The rates were limited by the server. More limits.\n";
  const { text: shown } = snippetOf(text, wordFinder(parseQuery("rate limit")));
  expect(shown).toBe("…The rates were limited by the server. More limits. ");
});

test("a name in code is marked where a part of it was looked for", () => {
  expect(marked("call createRateLimiter() now", "limiter")).toEqual(["createRateLimiter"]);
});

test("a pattern is marked as it matched", () => {
  const snippet = snippetOf("a  flicker here", patternFinder(/flick(er|le)/i));
  expect(snippet.marks.map(([start, end]) => snippet.text.slice(start, end))).toEqual(["flicker"]);
});

test("the fields of a call are apart in a snippet, and neither a pattern nor a mark goes over into the next", () => {
  const input = { command: "git push\n", workdir: "/p", description: "Push it. Then wait." };
  const { text } = eventText({ type: "tool_use", call: "a", name: "Bash", input })!;
  const whole = snippetOf(text, wordFinder(parseQuery("bash")));
  expect(whole.text).toBe("Bash · git push · /p · Push it. Then wait.");
  const pushed = snippetOf(text, wordFinder(parseQuery("push wait")));
  expect(pushed.text).toBe("…git push · /p · Push it. Then wait.");
  expect(marked(text, "push wait")).toEqual(["push", "Push", "wait"]);
  expect(patternFinder(/git.*Push/)(text)).toEqual([]);
});
