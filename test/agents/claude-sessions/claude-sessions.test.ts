import { claudeSessions } from "../../../src/agents/claude-sessions/index.ts";
import { describeKeeper } from "../kit/keeper.ts";
import { describeNotesWriter } from "../kit/keeper-writes.ts";

describeKeeper(claudeSessions, ["c50709b"]);
describeNotesWriter(claudeSessions);
