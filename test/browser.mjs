import { existsSync } from "node:fs";
import { temporaryFolder } from "./temporary-folder.mjs";

/** Where Debian and others put theirs. */
const installed = ["/usr/bin/chromium", "/usr/bin/chromium-browser"];

/**
 * Starts a Chromium that asks nothing of the network by itself and finds no name but the loopback's: the system's, else the
 * one from npm.
 */
export async function startBrowser() {
  const { chromium } = await import("playwright-core");
  const folder = temporaryFolder();
  const executablePath = installed.find(existsSync) ?? (await unpacked(folder));
  return chromium.launch({
    executablePath,
    env: { PATH: process.env["PATH"] ?? "", HOME: folder, TMPDIR: folder },
    args: [
      "--no-sandbox",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    ],
  });
}

/** Unpacked anew: what another user, or a test that was killed, left of it cannot be started. */
async function unpacked(folder) {
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder;
  try {
    const { default: packed } = await import("@sparticuz/chromium");
    return await packed.executablePath();
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
}
