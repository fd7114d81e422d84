import { geminiCli } from "../../../src/agents/gemini-cli/index.ts";
import { describeWriter } from "../kit/writes.ts";

describeWriter(geminiCli, { title: true, branch: false, model: true, shared: /\/opencode\.db/ });
