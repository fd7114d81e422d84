import { continuousClaude } from "../../../src/agents/continuous-claude/index.ts";
import { describeKeeper } from "../kit/keeper.ts";
import { describeNotesWriter } from "../kit/keeper-writes.ts";

describeKeeper(continuousClaude, ["v2", "v3"]);
describeNotesWriter(continuousClaude);
