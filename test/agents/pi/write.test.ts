import { pi } from "../../../src/agents/pi/index.ts";
import { describeWriter } from "../kit/writes.ts";

describeWriter(pi, { title: true, branch: false, model: true, shared: /\/opencode\.db/ });
