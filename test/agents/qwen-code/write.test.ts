import { qwenCode } from "../../../src/agents/qwen-code/index.ts";
import { describeWriter } from "../kit/writes.ts";

describeWriter(qwenCode, { title: true, branch: true, model: true, shared: /\/opencode\.db/ });
