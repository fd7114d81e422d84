import { synapse } from "../../../src/agents/synapse/index.ts";
import { describeKeeper } from "../kit/keeper.ts";
import { describeNotesWriter } from "../kit/keeper-writes.ts";

describeKeeper(synapse, ["4.4.6"]);
describeNotesWriter(synapse);
