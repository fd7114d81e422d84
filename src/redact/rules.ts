import { entropyOf, isDummy, kindsOf, looksGenerated, looksLikeWords } from "./entropy.ts";

/**
 * One kind of secret. The shape is tried only where a keyword stands. The secret is group 1 where the
 * shape has one, and always reaches to the end of the match.
 */
export interface Rule {
  readonly name: string;
  /** Lower case, three characters or more: whatever has the shape begins with one of these. */
  readonly keywords: readonly string[];
  /** How many characters the shape may begin before the keyword; none if absent. */
  readonly reach?: number;
  readonly shape: RegExp;
  /** What the text must also have somewhere. */
  readonly needs?: RegExp;
  /** Where the shape alone also fits harmless text: looks at the secret and says whether it is one. */
  readonly accept?: (secret: string) => boolean;
}

// A secret may begin after an escaped line break: in JSON inside a string, its `n` is a letter.
const begin = "(?:(?<![A-Za-z0-9])|(?<=\\\\[nrt]))";
// Where a run may hold the prefix again, it is tried once only, or hostile text costs its square.
const beginOfRun = "(?:(?<![A-Za-z0-9_-])|(?<=\\\\[nrt]))";

function shape(source: string, flags = ""): RegExp {
  return new RegExp(source, `y${flags}`);
}

function each(letters: string, keyword: (letter: string) => string): readonly string[] {
  return [...letters].map(keyword);
}

function prefixed(name: string, prefixes: readonly string[], rest: string): Rule {
  const choice = prefixes.map((prefix) => prefix.replace(/[.$]/g, "\\$&")).join("|");
  return {
    name,
    keywords: prefixes.map((prefix) => prefix.toLowerCase()),
    shape: shape(`${begin}(?:${choice})${rest}`),
    accept: looksGenerated,
  };
}

/** Every kind of secret that is known by its shape; the first that fits names it. */
export const rules: readonly Rule[] = [
  prefixed("anthropic-key", ["sk-ant-"], "[A-Za-z0-9_-]{20,}"),
  prefixed("openrouter-key", ["sk-or-"], "[A-Za-z0-9_-]{20,}"),
  prefixed("openai-key", ["sk-proj-", "sk-svcacct-", "sk-admin-"], "[A-Za-z0-9_-]{20,}"),
  {
    name: "openai-key",
    keywords: ["sk-"],
    shape: shape(`${begin}sk-[A-Za-z0-9_-]{20,}`),
    // `sk-` also begins names of styles and locales; keys mix cases and digits.
    accept: (secret) => kindsOf(secret) === 4 && looksGenerated(secret) && !looksLikeWords(secret),
  },
  prefixed("github-token", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], "[A-Za-z0-9]{30,}"),
  prefixed("github-token", ["github_pat_"], "[A-Za-z0-9_]{30,}"),
  prefixed(
    "gitlab-token",
    ["glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glsoat-", "gloas-", "glagent-"],
    "[A-Za-z0-9_.-]{18,}",
  ),
  {
    name: "aws-secret",
    keywords: ["akia", "asia"],
    shape: shape(
      `${begin}(?:AKIA|ASIA)[A-Z0-9]{16}[^A-Za-z0-9/+]{1,8}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])`,
    ),
  },
  {
    name: "aws-key-id",
    keywords: ["akia", "asia", "abia", "acca"],
    shape: shape(`${begin}(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Za-z0-9])`),
  },
  prefixed("google-key", ["AIza"], "[A-Za-z0-9_-]{35,}"),
  prefixed("google-oauth", ["ya29."], "[A-Za-z0-9_-]{20,}"),
  prefixed("google-oauth", ["GOCSPX-"], "[A-Za-z0-9_-]{20,}"),
  prefixed("google-oauth", ["1//0"], "[A-Za-z0-9_-]{35,}"),
  {
    name: "azure-key",
    keywords: ["accountkey=", "sharedaccesskey="],
    shape: shape("(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40,}={0,2})", "i"),
  },
  {
    name: "azure-key",
    keywords: ["?sig=", "&sig="],
    shape: shape("[?&]sig=([A-Za-z0-9%+/_-]{40,}=?)", "i"),
  },
  {
    name: "azure-key",
    keywords: each("0123456789", (digit) => `${digit}q~`),
    reach: 3,
    shape: shape("(?:(?<![\\w~.-])|(?<=\\\\[nrt]))[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,}"),
  },
  {
    name: "slack-webhook",
    keywords: ["hooks.slack.com/"],
    shape: shape("hooks\\.slack\\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_-]{20,})"),
  },
  prefixed(
    "slack-token",
    ["xoxa-", "xoxb-", "xoxc-", "xoxd-", "xoxe-", "xoxe.", "xoxo-", "xoxp-", "xoxr-", "xoxs-"],
    "[A-Za-z0-9.%-]{10,}",
  ),
  prefixed("slack-token", ["xapp-"], "[A-Za-z0-9-]{20,}"),
  {
    name: "discord-webhook",
    keywords: ["/api/webhooks/"],
    shape: shape("/api/webhooks/[0-9]{15,20}/([A-Za-z0-9_-]{40,})"),
  },
  prefixed(
    "stripe-key",
    ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"],
    "[A-Za-z0-9+/=]{16,}",
  ),
  {
    name: "twilio-key",
    keywords: each("0123456789abcdef", (digit) => `sk${digit}`),
    shape: shape(`${begin}SK[0-9a-f]{32}(?![A-Za-z0-9])`),
  },
  prefixed("sendgrid-key", ["SG."], "[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}"),
  prefixed("npm-token", ["npm_"], "[A-Za-z0-9]{30,}"),
  prefixed("pypi-token", ["pypi-"], "[A-Za-z0-9_-]{50,}"),
  prefixed("huggingface-token", ["hf_", "api_org_"], "[A-Za-z0-9]{30,}"),
  prefixed("groq-key", ["gsk_"], "[A-Za-z0-9]{30,}"),
  prefixed("xai-key", ["xai-"], "[A-Za-z0-9]{40,}"),
  prefixed("perplexity-key", ["pplx-"], "[A-Za-z0-9]{40,}"),
  prefixed("replicate-token", ["r8_"], "[A-Za-z0-9]{30,}"),
  prefixed("digitalocean-token", ["dop_v1_", "doo_v1_", "dor_v1_"], "[a-f0-9]{40,}"),
  prefixed("docker-token", ["dckr_pat_", "dckr_oat_"], "[A-Za-z0-9_-]{20,}"),
  prefixed("vault-token", ["hvs.", "hvb."], "[A-Za-z0-9_-]{24,}"),
  prefixed("grafana-token", ["glsa_", "glc_"], "[A-Za-z0-9_=+/]{30,}"),
  prefixed("sentry-token", ["sntrys_", "sntryu_"], "[A-Za-z0-9_=+/]{30,}"),
  prefixed("linear-key", ["lin_api_", "lin_oauth_"], "[A-Za-z0-9]{30,}"),
  prefixed("notion-token", ["ntn_"], "[A-Za-z0-9]{40,}"),
  prefixed("figma-token", ["figd_"], "[A-Za-z0-9_-]{30,}"),
  prefixed("shopify-token", ["shpat_", "shpca_", "shppa_", "shpss_"], "[a-fA-F0-9]{32,}"),
  prefixed("supabase-key", ["sbp_", "sb_secret_"], "[A-Za-z0-9_-]{20,}"),
  prefixed("databricks-token", ["dapi"], "[a-f0-9]{32,}"),
  prefixed("tailscale-key", ["tskey-"], "[A-Za-z0-9-]{20,}"),
  prefixed("postman-key", ["PMAK-"], "[A-Za-z0-9-]{40,}"),
  prefixed("newrelic-key", ["NRAK-", "NRII-"], "[A-Za-z0-9_-]{20,}"),
  prefixed("atlassian-token", ["ATATT3", "ATCTT3"], "[A-Za-z0-9_=-]{40,}"),
  prefixed("age-key", ["AGE-SECRET-KEY-1"], "[A-Z0-9]{40,}"),
  {
    name: "telegram-token",
    keywords: [":aa"],
    reach: 13,
    shape: shape(`${beginOfRun}(?:bot)?[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}`),
  },
  {
    name: "jwt",
    keywords: ["eyj"],
    shape: shape(`${beginOfRun}eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}(?:\\.[A-Za-z0-9_-]+){1,3}`),
  },
  {
    name: "url-password",
    keywords: ["://"],
    shape: shape("://[^\\s/:@?#\"'`<>\\[\\]\\\\]*:([^\\s/\"'`<>\\[\\]\\\\]{4,})(?=@)"),
    accept: (secret) => !isDummy(secret),
  },
  {
    name: "url-token",
    keywords: ["://"],
    shape: shape("://([A-Za-z0-9_-]{20,})(?=@)"),
    accept: (secret) => kindsOf(secret) >= 2 && entropyOf(secret) >= 3.3 && !looksLikeWords(secret),
  },
  {
    name: "authorization",
    keywords: ["basic"],
    shape: shape("(?<![A-Za-z0-9])basic[ \\t]{1,4}([A-Za-z0-9+/]{8,}={0,2})", "i"),
    accept: (secret) => /^[\x20-\x7e]{0,200}:[\x20-\x7e]+$/.test(decoded(secret)),
  },
  {
    name: "authorization",
    keywords: ["bearer"],
    shape: shape("(?<![A-Za-z0-9])bearer[ \\t]{1,4}([A-Za-z0-9_.~+/-]{16,}={0,2})", "i"),
    accept: (secret) =>
      /[0-9]/.test(secret) && looksGenerated(secret) && entropyOf(secret) >= 3 && !isPath(secret),
  },
  {
    name: "authorization",
    keywords: ["authorization"],
    shape: shape(
      "authorization\\\\?[\"']?[ \\t]{0,4}[:=][ \\t]{0,4}\\\\?[\"']?(?:token|apikey|key|digest)?[ \\t]{0,4}([A-Za-z0-9_.~+/-]{16,}={0,2})",
      "i",
    ),
    accept: (secret) =>
      /[0-9]/.test(secret) && looksGenerated(secret) && entropyOf(secret) >= 3 && !isPath(secret),
  },
  {
    name: "password",
    keywords: [" -u", "\t-u", " --user", "\t--user", " --proxy-user", "\t--proxy-user"],
    needs: /curl|wget|http/i,
    shape: shape(
      "[ \\t](?:-u|--user|--proxy-user)[ =]['\"]?[^\\s:'\"\\[\\]\\\\]{1,64}:([^\\s'\"\\[\\]\\\\]{4,})",
    ),
    accept: (secret) => !isDummy(secret) && !/^[0-9]{1,5}$/.test(secret),
  },
  {
    name: "password",
    keywords: ["<password", "<passphrase", "<secret", "<token", "<api", "<cleartext"],
    shape: shape(
      "<(?:password|passphrase|secret|token|api[_-]?key|apikey|clearTextPassword)>([^<\\s\\[\\]]{6,})(?=</)",
      "i",
    ),
    accept: (secret) => !isDummy(secret) && kindsOf(secret) >= 2,
  },
];

/** Whether a value names a place in a file system rather than holding a secret. */
export function isPath(value: string): boolean {
  return /^(?:~|\.{1,2})?\/[\w.@/-]*$|^[A-Za-z]:[\\/]/.test(value);
}

function decoded(base64: string): string {
  return Buffer.from(base64, "base64").toString("latin1");
}
