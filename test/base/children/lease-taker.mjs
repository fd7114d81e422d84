// Takes leases as its parent says. The second argument is the built module to load.
import { appendFileSync } from "node:fs";

const { takeLeaseSync } = await import(process.argv[2]);

function hold({ folder, marks, spinMicros = 0 }) {
  const lease = takeLeaseSync({ folder, name: "session" }, { waitMs: 60_000 });
  appendFileSync(marks, `begin ${process.pid}\n`);
  const end = process.hrtime.bigint() + BigInt(spinMicros) * 1000n;
  while (process.hrtime.bigint() < end);
  appendFileSync(marks, `end ${process.pid}\n`);
  lease.release();
}

let kept;

process.on("message", (order) => {
  if (order.startAt !== undefined) while (process.hrtime.bigint() < BigInt(order.startAt));
  if (order.do === "keep") kept = takeLeaseSync({ folder: order.folder, name: "session" });
  if (order.do === "release") kept.release();
  if (order.do === "hold") for (let i = 0; i < (order.times ?? 1); i += 1) hold(order);
  process.send("done");
});
process.on("disconnect", () => process.exit(0));
process.send("ready");
