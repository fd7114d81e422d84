import { isDummy, isSecret } from "../judge.ts";
import { type Rule, shaped } from "../rule.ts";
import { entropyOf, kindsOf, looksLikeWords } from "../variety.ts";

/** Secrets in addresses: the password before the host, webhooks, signatures. */
export const addresses: readonly Rule[] = [
  shaped({
    name: "url-password",
    keywords: ["://"],
    shape: () => /:\/\/[^\s/:@?#"'`<>[\]\\]*:([^\s/"'`<>[\]\\]{4,})(?=@)/,
    accept: (secret) => !isDummy(secret),
  }),
  shaped({
    name: "url-token",
    keywords: ["://"],
    shape: () => /:\/\/([A-Za-z0-9_-]{20,})(?=@)/,
    accept: (secret) => kindsOf(secret) >= 2 && entropyOf(secret) >= 3.3 && !looksLikeWords(secret),
  }),
  shaped({
    name: "slack-webhook",
    keywords: ["hooks.slack.com/"],
    shape: () => /hooks\.slack\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9/_-]{20,})/,
  }),
  shaped({
    name: "discord-webhook",
    keywords: ["/api/webhooks/"],
    shape: () => /\/api\/webhooks\/[0-9]{15,20}\/([A-Za-z0-9_-]{40,})/,
  }),
  shaped({
    name: "teams-webhook",
    keywords: ["webhook.office.com/"],
    shape: () => /webhook\.office\.com\/webhookb2\/([A-Za-z0-9@/-]{60,})/,
  }),
  shaped({
    name: "telegram-token",
    keywords: ["api.telegram.org/bot"],
    shape: () => /api\.telegram\.org\/bot([0-9]{6,12}:[A-Za-z0-9_-]{30,})/,
  }),
  shaped({
    name: "azure-key",
    keywords: ["accountkey=", "sharedaccesskey="],
    shape: () => /(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40,}={0,2})/i,
  }),
  shaped({
    name: "signature",
    keywords: ["?sig=", "&sig=", "-signature=", "&signature=", "?signature="],
    shape: () => /[?&-](?:sig|signature)=([A-Za-z0-9%+/_-]{30,}=?)/i,
  }),
  shaped({
    name: "one-time-seed",
    keywords: ["otpauth://"],
    shape: () => /otpauth:\/\/[^\s"'<>]{1,300}?[?&]secret=([A-Za-z2-7]{8,}=*)/,
  }),
  shaped({
    name: "password",
    keywords: ["sqlplus", "expdp", "impdp", "rman target", "sqlldr"],
    shape: () =>
      /(?:sqlplus|expdp|impdp|rman target|sqlldr)[ \t]{1,4}(?:-\w[ \t]+|userid=){0,3}['"]?\w{1,40}\/["']?([^\s@"'/]{4,100})(?=["']?@)/i,
    accept: (secret) => isSecret(secret, { kind: "password", place: "certain" }),
  }),
];
