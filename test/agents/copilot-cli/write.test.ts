import { copilotCli } from "../../../src/agents/copilot-cli/index.ts";
import { describeWriter } from "../kit/writes.ts";

describeWriter(copilotCli, { title: true, branch: true, model: true, shared: /\/opencode\.db/ });
