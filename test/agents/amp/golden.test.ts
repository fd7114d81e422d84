import { amp } from "../../../src/agents/amp/index.ts";
import { describeGolden } from "../kit/scenes.ts";

describeGolden(amp);
