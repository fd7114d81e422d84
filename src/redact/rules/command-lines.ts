import { isSecret } from "../judge.ts";
import { lastGroup, type Rule, shaped, shellWord } from "../rule.ts";
import type { Span } from "../span.ts";
import { cookiesFrom } from "./headers.ts";

// A flag such as `-p` means a password to some programs and a port to others: so the program is looked for first, then its
// flags in the rest of its line.

/** Programs, and how they are given a secret; the secret is the word at the end of the shape. */
interface Given {
  readonly programs: readonly string[];
  readonly flags: string;
  /** What the program must be reported to do: `docker login`, not `docker run`. */
  readonly verb?: RegExp;
}

const blank = "[ \\t]";
const user = "[^\\s:'\"\\\\]{1,100}";
const given: readonly Given[] = [
  {
    programs: ["mysql", "mariadb", "mycli", "mytop", "innobackupex", "xtrabackup"],
    flags: `-p${shellWord}`,
  },
  { programs: ["sshpass"], flags: `-p${blank}{0,4}${shellWord}` },
  {
    programs: ["docker", "podman", "nerdctl", "buildah", "skopeo", "helm", "crane", "oras"],
    verb: /\blogin\b/,
    flags: `(?:-p(?:${blank}{1,4}|=)?|--password(?:${blank}{1,4}|=))${shellWord}`,
  },
  {
    programs: [
      "az ",
      "oc ",
      "cf ",
      "argocd",
      "kubectl",
      "rancher",
      "vsphere",
      "ibmcloud",
      "faas-cli",
    ],
    verb: /\blogin\b|--username/,
    flags: `-p(?:${blank}{1,4}|=)${shellWord}`,
  },
  {
    programs: ["redis-cli", "valkey-cli", "keydb-cli"],
    flags: `(?:-a|--pass)${blank}{1,4}${shellWord}`,
  },
  {
    programs: [
      "mongo",
      "cqlsh",
      "evil-winrm",
      "psexec",
      "rdesktop",
      "hydra",
      "ncftp",
      "nxc ",
      "crackmapexec",
      "xfreerdp",
      "svn ",
      "couchbase-cli",
      "impala-shell",
    ],
    flags: `(?:-p${blank}{1,4}|/p:|-p(?=['"]))${shellWord}`,
  },
  { programs: ["sqlcmd", "osql", "tsql", "bcp ", "isql"], flags: `-P${blank}{0,4}${shellWord}` },
  {
    programs: [
      "ldapsearch",
      "ldapadd",
      "ldapmodify",
      "ldapdelete",
      "ldappasswd",
      "ldapwhoami",
      "ldapcompare",
    ],
    flags: `-[ws]${blank}{1,4}(?!(?:sub|one|base|children)\\b)${shellWord}`,
  },
  {
    programs: ["smbclient", "rpcclient", "smbmap", "winexe", "net rpc"],
    flags: `(?:-U|--user)(?:${blank}{1,4}|=)['"]?[^\\s%'"]{1,80}%${shellWord}`,
  },
  { programs: ["lftp"], flags: `-u${blank}{1,4}[^\\s,'"]{1,80},${shellWord}` },
  {
    programs: ["curl", "wget", "http ", "https ", "xh ", "aria2c"],
    flags: `(?:-[a-zA-Z]{0,6}u|-a|-U|--user|--proxy-user|--auth)(?:${blank}{0,4}|=)['"]?${user}:${shellWord}`,
  },
  {
    programs: ["openssl"],
    flags: `(?:-k${blank}{1,4}|-pass(?:in|out)?${blank}{1,4}['"]?pass:|-P${blank}{1,4})${shellWord}`,
  },
  { programs: ["7za", "7z ", "7zz", "unrar", "rar "], flags: `-p${shellWord}` },
  { programs: ["unzip", "zip "], flags: `-P${blank}{0,4}${shellWord}` },
  { programs: ["ssh-keygen"], flags: `-[NP]${blank}{1,4}${shellWord}` },
  { programs: ["snmp"], flags: `-[AX]${blank}{1,4}${shellWord}` },
  {
    programs: ["keytool", "jarsigner", "apksigner", "keystore"],
    flags: `-(?:src|dest)?(?:store|key)pass${blank}{1,4}${shellWord}`,
  },
  { programs: ["useradd", "usermod"], flags: `-p${blank}{1,4}${shellWord}` },
  {
    programs: ["htpasswd"],
    flags: `-[a-zA-Z]*b[a-zA-Z]*(?:${blank}{1,4}-\\S+)*(?:${blank}{1,4}[^\\s-]\\S*){1,2}${blank}{1,4}${shellWord}`,
  },
  {
    programs: ["gh secret", "gh variable", "fly secrets", "wrangler"],
    flags: `(?:-b|--body)(?:${blank}{1,4}|=)${shellWord}`,
  },
  {
    programs: ["cmdkey", "wmic", "schtasks", "netdom", "runas", "dsadd", "vncviewer", "msiexec"],
    flags: `/(?:pass|password|rp|p|pd|ud|pwd)[: ]${shellWord}`,
  },
  { programs: ["net user"], flags: `user${blank}{1,4}[^\\s/]{1,64}${blank}{1,4}(?!/)${shellWord}` },
  {
    programs: ["net use "],
    flags: `\\\\\\S{1,100}${blank}{1,4}(?!/)${shellWord}(?=${blank}{1,4}/user)`,
  },
  {
    programs: ["rabbitmqctl"],
    flags: `(?:add_user|change_password|authenticate_user)${blank}{1,4}\\S{1,64}${blank}{1,4}${shellWord}`,
  },
  {
    programs: ["wpa_passphrase"],
    flags: `wpa_passphrase${blank}{1,4}\\S{1,64}${blank}{1,4}${shellWord}`,
  },
  { programs: ["nmcli"], flags: `(?:password|psk)${blank}{1,4}${shellWord}` },
  {
    programs: ["mc alias", "mc config"],
    flags: `(?:set|add)(?:${blank}{1,4}[^\\s'"]{1,100}){3}${blank}{1,4}${shellWord}`,
  },
  {
    programs: [
      "aws configure",
      "npm config",
      "pnpm config",
      "yarn config",
      "git config",
      "composer config",
      "pip config",
      "poetry config",
      "pulumi config",
      "gem ",
    ],
    flags: `(?:set${blank}{1,4})?\\S{0,100}(?:[Ss]ecret\\w*|[Tt]oken|_auth|[Pp]assword|pypi-token\\S*|_key)${blank}{1,4}(?:set${blank}{1,4})?${shellWord}`,
  },
  {
    programs: [
      "az storage",
      "az cosmosdb",
      "vault login",
      "vault unseal",
      "vault operator",
      "op signin",
      "doctl auth",
      "heroku",
      "snyk auth",
      "ngrok",
      "sentry-cli",
      "tailscale",
      "flyctl",
      "railway",
      "cloudflared",
    ],
    flags: `(?:--account-key|login|unseal|authtoken|add-authtoken|auth|--auth-?key|service install)(?:${blank}{1,4}|=)(?=[^\\s]{12})(?=\\S*[0-9])${shellWord}`,
  },
  {
    programs: ["setx", "set -x", "set -gx", "config:set"],
    flags: `\\w{0,60}(?:TOKEN|KEY|SECRET|PASSWORD|PASS|PWD)(?:${blank}{1,4}|=)${shellWord}`,
  },
  {
    programs: ["sudo", "chpasswd", "passwd", "kinit", "docker login", "gh auth", "cryptsetup"],
    flags: `<<<${blank}{0,4}(?:['"]?[\\w.-]{1,64}:(?=\\S{4}))?${shellWord}`,
  },
];

const boundary = "(?<![\\w.-])";
const region =
  /(?:'[^'\n]{0,200}'|"(?:[^"\\\n]|\\[^\n]){0,200}"|\\\r?\n|\\(?![nr])|[^\n|;&\\]|&(?!&)){0,800}/y;

function commandRule({ programs, flags, verb }: Given): Rule {
  let shape: RegExp | undefined;
  let start: RegExp | undefined;
  return {
    name: "password",
    keywords: programs,
    at: (text, { at, from }) => {
      start ??= new RegExp(`${boundary}(?:${programs.join("|")})`, "iy");
      start.lastIndex = at;
      if (!start.test(text)) return { secrets: [], next: from };
      region.lastIndex = at;
      region.test(text);
      const end = Math.max(region.lastIndex, start.lastIndex);
      const line = text.slice(at, end);
      const next = Math.max(end, at + 1);
      if (verb !== undefined && !verb.test(line)) return { secrets: [], next: at + 1 };
      shape ??= new RegExp(`(?<=[\\s'"]|^)${flags}`, "g");
      return { secrets: wordsIn(line, { shape, at }), next };
    },
  };
}

function wordsIn(
  line: string,
  { shape, at }: { readonly shape: RegExp; readonly at: number },
): readonly Span[] {
  const secrets: Span[] = [];
  for (const match of line.matchAll(shape)) {
    const secret = lastGroup(match);
    const end = at + match.index + match[0].length;
    if (isSecret(secret, { kind: "password", place: "certain" }))
      secrets.push({ start: end - secret.length, end, rule: "password" });
  }
  return secrets;
}

const cookieFlag = /[ \t](?:-b|--cookie)[ =]['"]?(?=[^\s"'=;]{1,80}=)/y;

/** Secrets that are words of a command line. */
export const commandLines: readonly Rule[] = [
  ...given.map(commandRule),
  shaped({
    name: "password",
    keywords: ["echo", "printf", "<<<"],
    shape: () =>
      new RegExp(
        `(?:(?<![\\w-])(?:echo|printf)(?:[ \\t]{1,4}-[neE]{1,3})?[ \\t]{1,4}(?:\\\\?["']?[\\w.@-]{1,64}:(?=[^|\\n]{4,200}chpasswd))?|<<<[ \\t]{0,4})${shellWord}(?=\\\\?["']?(?:[ \\t]{0,4}\\|[ \\t]{0,4}[^\\n|]{0,120}(?:--password-stdin|--with-token|--pass(?:word)?-file|sudo (?:-\\w+ )*-S|chpasswd|passwd --stdin|cryptsetup|kinit|gpg .{0,60}--passphrase-fd|vncpasswd|-pass(?:in|out)? stdin|su - ?\\w)))`,
      ),
    accept: (secret) => isSecret(secret, { kind: "password", place: "certain" }),
  }),
  {
    name: "cookie",
    keywords: [" -b ", " --cookie"],
    at: (text, { at, from }) => {
      cookieFlag.lastIndex = at;
      return cookieFlag.test(text)
        ? cookiesFrom(text, cookieFlag.lastIndex)
        : { secrets: [], next: from };
    },
  },
];
