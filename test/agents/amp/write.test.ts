import { amp } from "../../../src/agents/amp/index.ts";
import { describeWriter } from "../kit/writes.ts";

describeWriter(amp, { title: true, branch: false, model: true, shared: /\/opencode\.db/ });
