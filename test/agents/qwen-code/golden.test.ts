import { qwenCode } from "../../../src/agents/qwen-code/index.ts";
import { describeGolden } from "../kit/scenes.ts";

describeGolden(qwenCode);
