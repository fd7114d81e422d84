import { claudeCode } from "../../../src/agents/claude-code/index.ts";
import { describeWriter } from "../kit/writes.ts";

describeWriter(claudeCode, { title: true, branch: true, model: true, shared: /\/opencode\.db/ });
