// What Claude Code keeps of a subagent, version by version: a real run with one, read by our reader.

import { openHome } from "./home.mjs";
import { agentNamed, located } from "./library.mjs";

/** Everything that is promised of one program's subagents; returns what does not hold. */
export async function provenSubagents(program, { root, cwd }) {
  const { agent, version } = program;
  const home = await openHome(program, { root, name: `${agent}-subagents`, cwd });
  try {
    const task = "Subtask-of-a-helper.";
    const prompt = `Delegate-in-${version}.`;
    const shell = { command: "sleep 3; echo counted", description: "Counts" };
    // The later one answers where both are in a conversation: the helper's holds only its own.
    home.stub.say(task, [{ name: "Bash", input: shell }, "The helper counted one."]);
    const call = { description: "Count", prompt: task, subagent_type: "general-purpose" };
    home.stub.say(prompt, [{ name: "Task", input: call }, "One, says the helper."]);
    const flags = ["-p", "--output-format", "json", "--allowedTools", "Bash,Task,Agent"];
    const ended = await home.start([...flags, "--", prompt]);
    if (ended.code !== 0) return [`it failed: ${ended.said()}`];
    const { session_id: session } = JSON.parse(ended.output);
    return await readAgain(located(agent, { env: home.env, session, projects: [cwd] }));
  } finally {
    await home.close();
  }
}

async function readAgain(ref) {
  const problems = [];
  const aside = [];
  for await (const batch of agentNamed(ref.agent).read(ref, { allBranches: true })) {
    for (const damage of batch.damage) problems.push(`damage: ${JSON.stringify(damage)}`);
    if (batch.unknown) problems.push(`unknown: ${JSON.stringify(batch.unknown)}`);
    aside.push(...batch.events.filter(({ sidechain }) => sidechain !== undefined));
  }
  const types = new Set(aside.map(({ body }) => body.type));
  for (const type of ["user", "tool_use", "tool_result", "assistant"]) {
    if (!types.has(type)) problems.push(`no ${type} of the subagent is read`);
  }
  const said = aside.flatMap(({ body }) => (body.type === "assistant" ? [body.content] : []));
  if (!said.includes("The helper counted one.")) problems.push(`the subagent said ${said}`);
  return problems;
}
