// What each agent calls the same act, written down by hand from the programs' own tool definitions: the
// library's translations are checked against it.

const byPath = (key, { read, write, edit }, [before, after]) => ({
  read: ({ path }) => ({ name: read, input: { [key]: path } }),
  write: ({ path, content }) => ({ name: write, input: { [key]: path, content } }),
  edit: (act) => ({
    name: edit,
    input: { [key]: act.path, [before]: act.before, [after]: act.after },
  }),
});
const patch = (lines) => ({
  name: "apply_patch",
  input: { input: ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n") },
});
const marked = (mark, text) => text.split("\n").map((line) => `${mark}${line}`);

const claude = {
  ...byPath("file_path", { read: "Read", write: "Write", edit: "Edit" }, [
    "old_string",
    "new_string",
  ]),
  shell: ({ command }) => ({ name: "Bash", input: { command } }),
};

/** By agent and act: the call in the agent's words. Codex reads files with its shell. */
export const words = {
  reprise: {
    ...byPath("path", { read: "read", write: "write", edit: "edit" }, ["old_string", "new_string"]),
    shell: ({ command }) => ({ name: "bash", input: { command } }),
  },
  "claude-code": claude,
  codex: {
    shell: ({ command }) => ({ name: "exec_command", input: { cmd: command } }),
    // Each line of a new file ends with a newline, the last one too.
    write: ({ path, content }) =>
      patch([`*** Add File: ${path}`, ...marked("+", content.replace(/\n$/, ""))]),
    edit: ({ path, before, after }) =>
      patch([`*** Update File: ${path}`, "@@", ...marked("-", before), ...marked("+", after)]),
  },
  "gemini-cli": {
    ...byPath("file_path", { read: "read_file", write: "write_file", edit: "replace" }, [
      "old_string",
      "new_string",
    ]),
    shell: ({ command }) => ({ name: "run_shell_command", input: { command } }),
  },
  opencode: {
    ...byPath("filePath", { read: "read", write: "write", edit: "edit" }, [
      "oldString",
      "newString",
    ]),
    shell: ({ command }) => ({ name: "bash", input: { command } }),
  },
  pi: {
    ...byPath("path", { read: "read", write: "write" }, []),
    edit: ({ path, before, after }) => ({
      name: "edit",
      input: { path, edits: [{ oldText: before, newText: after }] },
    }),
    shell: ({ command }) => ({ name: "bash", input: { command } }),
  },
  amp: {
    ...byPath("path", { read: "Read", write: "create_file", edit: "edit_file" }, [
      "old_str",
      "new_str",
    ]),
    shell: ({ command }) => ({ name: "Bash", input: { cmd: command } }),
  },
  "qwen-code": {
    ...byPath("file_path", { read: "read_file", write: "write_file", edit: "edit" }, [
      "old_string",
      "new_string",
    ]),
    shell: ({ command }) => ({ name: "run_shell_command", input: { command } }),
  },
  "copilot-cli": {
    ...byPath("path", { read: "view", edit: "edit" }, ["old_str", "new_str"]),
    write: ({ path, content }) => ({ name: "create", input: { path, file_text: content } }),
    shell: ({ command }) => ({ name: "bash", input: { command } }),
  },
};

/** An act in an agent's words; where it has none, as it would say it in its shell. */
export function inWordsOf(agent, { act, ...args }) {
  const word = words[agent][act];
  return word === undefined ? words[agent].shell({ command: `cat ${args.path}` }) : word(args);
}
