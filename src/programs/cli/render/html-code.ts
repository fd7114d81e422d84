import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import go from "highlight.js/lib/languages/go";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import markdown from "highlight.js/lib/languages/markdown";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import swift from "highlight.js/lib/languages/swift";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { limits } from "../../../base/limits.ts";
import { safeText } from "../terminal/terminal-text.ts";
import { escaped } from "./html-text.ts";

const languages = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  go,
  java,
  javascript,
  json,
  markdown,
  php,
  python,
  ruby,
  rust,
  sql,
  swift,
  typescript,
  xml,
  yaml,
};
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);

/** Code as a block, its words coloured where its language is known; all of it is text. */
export function codeHtml(code: string, language: string): string {
  const name =
    language
      .trim()
      .split(/[\s,{]/)[0]
      ?.toLowerCase() ?? "";
  const isKnown = name !== "" && hljs.getLanguage(name) !== undefined;
  if (!isKnown || code.length > limits.markdownChars)
    return `<pre><code>${escaped(code)}</code></pre>`;
  const { value } = hljs.highlight(safeText(code).toWellFormed(), {
    language: name,
    ignoreIllegals: true,
  });
  return `<pre><code>${value}</code></pre>`;
}
