import { looksGenerated } from "../judge.ts";
import { type Rule, shaped } from "../rule.ts";
import type { Span } from "../span.ts";
import { assembled, continued } from "../split-key.ts";
import { kindsOf, looksLikeWords } from "../variety.ts";

// A secret may begin after an escaped line break: in JSON inside a string, its `n` is a letter.
const begin = "(?:(?<![A-Za-z0-9])|(?<=\\\\[nrt]))";
// Where a run may hold the prefix again, it is tried once only, or hostile text costs its square.
const beginOfRun = "(?:(?<![A-Za-z0-9_-])|(?<=\\\\[nrt]))";

function each(letters: string, keyword: (letter: string) => string): readonly string[] {
  return [...letters].map(keyword);
}

/** A key that is known by how it begins; it may be split over lines or strings. */
function key(
  name: string,
  prefixes: readonly string[],
  {
    rest,
    accept = looksGenerated,
    start = begin,
  }: { rest: string; accept?: (secret: string) => boolean; start?: string },
): Rule {
  let prefix: RegExp | undefined;
  let alone: RegExp | undefined;
  const choice = `(?:${prefixes.map((prefix) => prefix.replace(/[.$]/g, "\\$&")).join("|")})`;
  const whole = shaped({
    name,
    keywords: prefixes.map((prefix) => prefix.toLowerCase()),
    shape: () => new RegExp(`${start}${choice}${rest}`),
    accept,
  });
  return {
    ...whole,
    at: (text, place) => {
      const answer = whole.at(text, place);
      const [found] = answer.secrets;
      if (found !== undefined) {
        const secrets = [found, ...continued(text, { from: found.end, rule: name })];
        return { secrets, next: secrets.at(-1)!.end };
      }
      if (answer.next !== place.from) return answer;
      const pieces = splitKeyAt(text, place.at);
      return pieces.length === 0 ? answer : { secrets: pieces, next: pieces.at(-1)!.end };
    },
  };

  function splitKeyAt(text: string, at: number): readonly Span[] {
    prefix ??= new RegExp(`${start}${choice}`, "y");
    prefix.lastIndex = at;
    if (!prefix.test(text)) return [];
    alone ??= new RegExp(`^${choice}${rest}$`);
    const isKey = (made: string) => alone!.test(made);
    return assembled(text, { at, rule: name, isKey });
  }
}

function prefixed(name: string, prefixes: readonly string[], rest: string): Rule {
  return key(name, prefixes, { rest });
}

/** Keys of services that are known by their shape alone; the first that fits names it. */
export const keyShapes: readonly Rule[] = [
  prefixed("anthropic-key", ["sk-ant-"], "[A-Za-z0-9_-]{20,}"),
  prefixed("openrouter-key", ["sk-or-"], "[A-Za-z0-9_-]{20,}"),
  prefixed("openai-key", ["sk-proj-", "sk-svcacct-", "sk-admin-"], "[A-Za-z0-9_-]{20,}"),
  key("openai-key", ["sk-"], {
    rest: "[A-Za-z0-9_-]{20,}",
    // `sk-` also begins names of styles and locales; keys mix cases and digits.
    accept: (secret) =>
      (kindsOf(secret) === 4 || /^sk-[a-z0-9]{32,}$/.test(secret)) &&
      looksGenerated(secret) &&
      !looksLikeWords(secret),
  }),
  prefixed("github-token", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], "[A-Za-z0-9]{30,}"),
  prefixed("github-token", ["github_pat_"], "[A-Za-z0-9_]{30,}"),
  prefixed(
    "gitlab-token",
    ["glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glsoat-", "gloas-", "glagent-"],
    "[A-Za-z0-9_.-]{18,}",
  ),
  shaped({
    name: "aws-secret",
    keywords: ["akia", "asia"],
    shape: () =>
      new RegExp(
        `${begin}(?:AKIA|ASIA)[A-Z0-9]{16}[^A-Za-z0-9/+]{1,8}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])`,
      ),
  }),
  key("aws-key-id", ["AKIA", "ASIA", "ABIA", "ACCA"], {
    rest: "[A-Z2-7]{16}(?![A-Za-z0-9])",
    accept: () => true,
  }),
  prefixed("google-key", ["AIza"], "[A-Za-z0-9_-]{35,}"),
  prefixed("google-oauth", ["ya29."], "[A-Za-z0-9_-]{20,}"),
  prefixed("google-oauth", ["GOCSPX-"], "[A-Za-z0-9_-]{20,}"),
  prefixed("google-oauth", ["1//0"], "[A-Za-z0-9_-]{35,}"),
  shaped({
    name: "azure-key",
    keywords: each("0123456789", (digit) => `${digit}q~`),
    reach: 3,
    shape: () => /(?:(?<![\w~.-])|(?<=\\[nrt]))[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,}/,
  }),
  prefixed(
    "slack-token",
    ["xoxa-", "xoxb-", "xoxc-", "xoxd-", "xoxe-", "xoxe.", "xoxo-", "xoxp-", "xoxr-", "xoxs-"],
    "[A-Za-z0-9.%-]{10,}",
  ),
  prefixed("slack-token", ["xapp-"], "[A-Za-z0-9-]{20,}"),
  prefixed(
    "stripe-key",
    ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"],
    "[A-Za-z0-9+/=]{16,}",
  ),
  shaped({
    name: "twilio-key",
    keywords: each("0123456789abcdef", (digit) => `sk${digit}`),
    shape: () => new RegExp(`${begin}SK[0-9a-f]{32}(?![A-Za-z0-9])`),
  }),
  prefixed("sendgrid-key", ["SG."], "[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}"),
  prefixed("mailgun-key", ["key-"], "[0-9a-f]{32}(?![A-Za-z0-9])"),
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
  prefixed("terraform-token", [".atlasv1."], "[A-Za-z0-9_=-]{60,}"),
  prefixed("grafana-token", ["glsa_", "glc_"], "[A-Za-z0-9_=+/]{30,}"),
  prefixed("sentry-token", ["sntrys_", "sntryu_"], "[A-Za-z0-9_=+/]{30,}"),
  prefixed("linear-key", ["lin_api_", "lin_oauth_"], "[A-Za-z0-9]{30,}"),
  prefixed("notion-token", ["ntn_"], "[A-Za-z0-9]{40,}"),
  prefixed("figma-token", ["figd_"], "[A-Za-z0-9_-]{30,}"),
  prefixed("shopify-token", ["shpat_", "shpca_", "shppa_", "shpss_"], "[a-fA-F0-9]{32,}"),
  prefixed("square-token", ["EAAA", "sq0atp-", "sq0csp-"], "[A-Za-z0-9_-]{22,}(?![A-Za-z0-9+/=])"),
  prefixed("supabase-key", ["sbp_", "sb_secret_"], "[A-Za-z0-9_-]{20,}"),
  prefixed("databricks-token", ["dapi"], "[a-f0-9]{32,}"),
  prefixed("tailscale-key", ["tskey-"], "[A-Za-z0-9-]{20,}"),
  prefixed("postman-key", ["PMAK-"], "[A-Za-z0-9-]{40,}"),
  prefixed("newrelic-key", ["NRAK-", "NRII-"], "[A-Za-z0-9_-]{20,}"),
  prefixed("atlassian-token", ["ATATT3", "ATCTT3"], "[A-Za-z0-9_=-]{40,}"),
  prefixed("cloudflare-token", ["cfut_", "cfat_", "v1.0-"], "[A-Za-z0-9_-]{40,}"),
  prefixed("doppler-token", ["dp.pt.", "dp.st.", "dp.ct."], "[A-Za-z0-9_.-]{40,}"),
  prefixed("rubygems-key", ["rubygems_"], "[a-f0-9]{40,}"),
  prefixed("age-key", ["AGE-SECRET-KEY-1"], "[A-Z0-9]{40,}"),
  shaped({
    name: "telegram-token",
    keywords: [":aa"],
    reach: 13,
    shape: () => new RegExp(`${beginOfRun}(?:bot)?[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}`),
  }),
  key("jwt", ["eyJ"], {
    start: beginOfRun,
    rest: "[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}(?:\\.[A-Za-z0-9_-]+){1,3}",
    accept: () => true,
  }),
  prefixed("circleci-token", ["CCIPAT_", "CCIPRJ_"], "[A-Za-z0-9_]{40,}"),
  shaped({
    name: "twilio-key",
    keywords: each("0123456789abcdef", (digit) => `ac${digit}`),
    shape: () => new RegExp(`${begin}AC[0-9a-f]{32}[^A-Za-z0-9]{1,8}([0-9a-f]{32})(?![A-Za-z0-9])`),
  }),
  shaped({
    name: "firebase-key",
    keywords: [":apa91b"],
    reach: 16,
    shape: () => new RegExp(`${beginOfRun}[A-Za-z0-9_-]{8,16}:APA91b[A-Za-z0-9_-]{100,}`),
  }),
  shaped({
    name: "mailchimp-key",
    keywords: each("123456789", (digit) => `-us${digit}`),
    reach: 32,
    shape: () => new RegExp(`${begin}[0-9a-f]{32}-us\\d{1,2}(?![A-Za-z0-9])`),
  }),
];
