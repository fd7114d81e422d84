import { isSecret } from "../judge.ts";
import { type Rule, shaped } from "../rule.ts";

const certain = (secret: string) => isSecret(secret, { kind: "password", place: "certain" });
const literal = (secret: string) => isSecret(secret, { kind: "password", place: "literal" });
const quoted = "(?:\\\\?'([^'\\n\\\\]{4,200})(?=\\\\?')|\\\\?\"([^\"\\n\\\\]{4,200})(?=\\\\?\"))";

/** Statements of languages whose words say that a secret follows. */
export const statements: readonly Rule[] = [
  shaped({
    name: "password",
    keywords: ["define"],
    shape: new RegExp(
      `define[ \\t]{0,2}\\([ \\t]{0,4}\\\\?["']\\w{0,60}(?:PASS(?:WORD|WD)?|PWD|SECRET|TOKEN|KEY|SALT)\\\\?["'][ \\t]{0,4},[ \\t]{0,4}${quoted}`,
      "i",
    ),
    accept: (secret) =>
      literal(secret) || (secret.length >= 16 && certain(secret) && !/\s/.test(secret)),
  }),
  shaped({
    name: "password",
    keywords: [
      "identified by",
      "identified with",
      "password '",
      'password "',
      "password('",
      "password (",
    ],
    shape: new RegExp(
      `(?:identified[ \\t]{1,4}(?:with[ \\t]{1,4}\\S{1,40}[ \\t]{1,4})?(?:by|as)[ \\t]{1,4}(?:password[ \\t]{1,4})?|(?<=(?:user|role|set|login|encrypted|with)[^\\n]{0,80})password[ \\t]{0,2}[=(]?[ \\t]{0,2})${quoted}`,
      "i",
    ),
    accept: certain,
  }),
  shaped({
    name: "password",
    keywords: ["convertto-securestring"],
    shape: new RegExp(
      `ConvertTo-SecureString(?:[ \\t]{1,4}-(?:AsPlainText|Force|String)){0,3}[ \\t]{1,4}${quoted}`,
      "i",
    ),
    accept: certain,
  }),
  shaped({
    name: "password",
    keywords: [
      "networkcredential(",
      "passwordcredential(",
      "basicauth(",
      "httpbasicauth",
      "passwordauthentication(",
      "usernamepassword",
    ],
    shape: new RegExp(
      `(?:NetworkCredential|PasswordCredential|BasicAuth|HTTPBasicAuth|PasswordAuthentication|UsernamePasswordCredentials?)\\([^\\n,)]{1,100},[ \\t]{0,4}${quoted}`,
      "i",
    ),
    accept: certain,
  }),
  shaped({
    name: "password",
    keywords: ["drivermanager.getconnection("],
    shape: new RegExp(`getConnection\\([^\\n,)]{1,300},[^\\n,)]{1,100},[ \\t]{0,4}${quoted}`, "i"),
    accept: certain,
  }),
  // expect scripts: what is sent once a prompt for a password was seen.
  shaped({
    name: "password",
    keywords: ["assword", "assphrase"],
    shape:
      /ass(?:word|phrase)[^\n\\]{0,40}(?:\n|\\n|\{|;|\s){1,40}(?:exp_)?send(?:_user|line)?\(?[ \t]{1,4}(?:--[ \t]{1,4})?\\?["']([^"'\\\n]{4,200})(?=\\{0,2}[rn]?\\?["'])/i,
    accept: certain,
  }),
  shaped({
    name: "password",
    keywords: ["expect(", "expect '", 'expect "', ".sendline("],
    shape:
      /(?:expect\([^\n)]{0,60}assword[^\n)]{0,20}\)[^\n]{0,4}(?:\n|\\n|;)[^\n]{0,24}\.send(?:line)?\()\\?["']([^"'\\\n]{4,200})(?=\\?["'])/i,
    accept: certain,
  }),
  shaped({
    name: "password",
    keywords: ["requirepass", "masterauth", "config set", "auth "],
    shape:
      /(?:(?:requirepass|masterauth)["']?[ \t]{1,8}\\?["']?|(?:(?<=\n|^|> )|(?<=\\n))AUTH[ \t]{1,4}(?:\w{1,40}[ \t]{1,4})?["']?)([^\s"'\\]{4,200})/,
    accept: certain,
  }),
];
