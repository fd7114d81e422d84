import { readFileSync, realpathSync, statfsSync } from "node:fs";
import { RepriseError } from "./errors.ts";

/** The magic numbers Linux gives to file systems that other machines may write to. */
const networkTypes: ReadonlyMap<number, string> = new Map([
  [0x6969, "nfs"],
  [0xff534d42, "cifs"],
  [0xfe534d42, "smb2"],
  [0x517b, "smb"],
  [0x01021997, "9p"],
  [0x00c36400, "ceph"],
  [0x5346414f, "afs"],
  [0x73757245, "coda"],
  [0x0bd00bd0, "lustre"],
  [0x47504653, "gpfs"],
]);
const fuseType = 0x65735546;
const networkFuse =
  /^fuse\.(sshfs|glusterfs|s3fs|rclone|ceph|gcsfuse|davfs|smbnetfs|curlftpfs|nfs)/;

/** The network file system a folder is on, or undefined if it is local or cannot be reported. */
export function networkFsOf(folder: string): string | undefined {
  if (process.platform !== "linux") return undefined;
  // The magic number may arrive as a signed one.
  const type = statfsSync(folder).type >>> 0;
  if (type !== fuseType) return networkTypes.get(type);
  // One number stands for everything made with FUSE; the mount table has the name.
  const mounted = mountType(folder, readFileSync("/proc/self/mountinfo", "utf8"));
  return mounted !== undefined && networkFuse.test(mounted) ? mounted : undefined;
}

/** Throws `network_fs` if the folder is on a network file system. */
export function refuseNetworkFs(folder: string): void {
  const type = networkFsOf(folder);
  if (type === undefined) return;
  throw new RepriseError("network_fs", `${folder} is on a network file system (${type}).`, {
    details: { folder, type },
  });
}

/** The type of the deepest mount that holds a folder, by the text of a mountinfo table. */
export function mountType(folder: string, table: string): string | undefined {
  const real = realpathSync(folder);
  let depth = -1;
  let type: string | undefined;
  for (const line of table.split("\n")) {
    const [left, right] = line.split(" - ");
    const escaped = left?.split(" ")[4];
    if (escaped === undefined || right === undefined) continue;
    const point = escaped.replace(/\\([0-7]{3})/g, (_, octal: string) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    );
    const inside = point === "/" || real === point || real.startsWith(`${point}/`);
    // Later lines lie over earlier ones on the same point.
    if (inside && point.length >= depth) {
      depth = point.length;
      type = right.split(" ")[0];
    }
  }
  return type;
}
