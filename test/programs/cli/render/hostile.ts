import type { EventBody } from "../../../../src/model/event.ts";
import type { SessionHead } from "../../../../src/model/head.ts";

/** Text that tries everything: tags, attributes, scripts in addresses, escapes, direction. */
export const hostile =
  `</script><script>alert(1)</script><img src=x onerror=alert(1)>" onmouseover="alert(1)' ` +
  '`$1` [x](javascript:alert(1)) <a href="javascript:alert(1)">x</a> \u001b]0;owned\u0007\u001b[2J\u009b31m \u202efdp.exe --> ]]> &lt;';

export const hostileHead: SessionHead = {
  agent: "claude-code",
  session: `id"><script>alert(2)</script>`,
  path: "/nowhere",
  sizeBytes: 10,
  updatedAt: "2026-11-10T10:00:00.000Z",
  state: "waiting",
  title: hostile,
  cwd: `/tmp/${hostile}`,
  git: { branch: hostile },
  model: hostile,
  tags: [hostile],
  problem: hostile,
};

export const hostileBodies: readonly EventBody[] = [
  { type: "user", content: hostile, author: hostile },
  { type: "assistant", content: `${hostile}\n\n\`\`\`js\n${hostile}\n\`\`\`\n`, model: hostile },
  { type: "thinking", content: hostile },
  { type: "tool_use", call: "1", name: hostile, input: { command: hostile, [hostile]: hostile } },
  { type: "tool_result", call: "1", content: hostile, isError: true },
  {
    type: "tool_use",
    call: "2",
    name: "Edit",
    input: { file_path: hostile, old_string: hostile, new_string: `${hostile}\n${hostile}` },
  },
  {
    type: "tool_result",
    call: "2",
    content: [
      { type: "image", mediaType: `image/png"><script>`, source: { kind: "base64", data: "AAAA" } },
      { type: "image", mediaType: "image/png", source: { kind: "base64", data: `AA"><script>BB` } },
      {
        type: "image",
        mediaType: "image/png",
        source: { kind: "url", url: "javascript:alert(1)" },
      },
      { type: "file", name: hostile, source: { kind: "path", path: hostile } },
      { type: "opaque", from: hostile, value: hostile },
    ],
  },
  { type: "system", content: hostile },
  { type: "compaction", summary: hostile },
  { type: "meta", title: hostile, model: hostile },
  { type: "checkpoint", label: hostile },
  { type: "approval", decision: hostile },
  { type: "custom", name: hostile },
  { type: "session_end", reason: hostile, summary: hostile },
];
