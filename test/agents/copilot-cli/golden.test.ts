import { copilotCli } from "../../../src/agents/copilot-cli/index.ts";
import { describeGolden } from "../kit/scenes.ts";

describeGolden(copilotCli);
