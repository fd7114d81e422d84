import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mountType, networkFsOf, refuseNetworkFs } from "../../src/base/network-fs.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

const folder = join(temporaryFolder(), "a folder");
mkdirSync(folder);

test("a local folder is accepted", () => {
  expect(networkFsOf(folder)).toBeUndefined();
  expect(() => refuseNetworkFs(folder)).not.toThrow();
});

test("the deepest mount that holds a folder gives its type, spaces in its name unescaped", () => {
  const escaped = folder.replaceAll(" ", "\\040");
  const table = [
    "22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw",
    `30 22 0:40 / ${escaped} rw - fuse.sshfs user@host:/ rw,user_id=0`,
    `31 22 0:41 / ${escaped}-other rw - nfs4 host:/ rw`,
    "",
  ].join("\n");
  expect(mountType(folder, table)).toBe("fuse.sshfs");
  expect(mountType(tmpdir(), table)).toBe("ext4");
});
