import { reprise } from "../../../src/agents/reprise/index.ts";
import { describeWriter } from "../kit/writes.ts";

describeWriter(reprise, {
  title: true,
  branch: true,
  model: true,
  // Our own journal tells of every import; derived data may appear at any time.
  shared:
    /\/opencode\.db|\/\.reprise(\/(journal|derived|leases|writers|blobs|bases|sessions$|sessions\/[^/]+$)|$)/,
});
