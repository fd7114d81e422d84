import { cursor } from "../../../src/agents/cursor/index.ts";
import { describeGolden } from "../kit/scenes.ts";

describeGolden(cursor);
