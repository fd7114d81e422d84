import { aios } from "../../../src/agents/aios/index.ts";
import { describeKeeper } from "../kit/keeper.ts";
import { describeNotesWriter } from "../kit/keeper-writes.ts";

describeKeeper(aios, ["4.4.6"]);
describeNotesWriter(aios);
