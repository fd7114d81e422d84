import { isSecret } from "../judge.ts";
import { type Rule, shaped } from "../rule.ts";

const certain = (secret: string) => isSecret(secret, { kind: "password", place: "certain" });
const literal = (secret: string) => isSecret(secret, { kind: "password", place: "literal" });
const quoted = "(?:\\\\?'([^'\\n\\\\]{4,200})(?=\\\\?')|\\\\?\"([^\"\\n\\\\]{4,200})(?=\\\\?\"))";

const nameOfSecret = "\\w{0,60}(?:PASS(?:WORD|WD|PHRASE)?|PWD|SECRET|TOKEN|KEY|SALT)";

/** Statements of languages whose words say that a secret follows. */
export const statements: readonly Rule[] = [
  shaped({
    name: "password",
    keywords: ["define"],
    shape: () =>
      new RegExp(
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
    shape: () =>
      new RegExp(
        `(?:identified[ \\t]{1,4}(?:with[ \\t]{1,4}\\S{1,40}[ \\t]{1,4})?(?:by|as)[ \\t]{1,4}(?:password[ \\t]{1,4})?|(?<=(?:user|role|set|login|encrypted|with)[^\\n]{0,80})password[ \\t]{0,2}[=(]?[ \\t]{0,2})${quoted}`,
        "i",
      ),
    accept: certain,
  }),
  shaped({
    name: "password",
    keywords: ["convertto-securestring"],
    shape: () =>
      new RegExp(
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
    shape: () =>
      new RegExp(
        `(?:NetworkCredential|PasswordCredential|BasicAuth|HTTPBasicAuth|PasswordAuthentication|UsernamePasswordCredentials?)\\([^\\n,)]{1,100},[ \\t]{0,4}${quoted}`,
        "i",
      ),
    accept: certain,
  }),
  shaped({
    name: "password",
    keywords: ["drivermanager.getconnection("],
    shape: () =>
      new RegExp(
        `DriverManager\\.getConnection\\([^\\n,)]{1,300},[^\\n,)]{1,100},[ \\t]{0,4}${quoted}`,
        "i",
      ),
    accept: certain,
  }),
  // expect scripts: what is sent once a prompt for a password was seen.
  shaped({
    name: "password",
    keywords: ["assword", "assphrase"],
    shape: () =>
      /ass(?:word|phrase)[^\n\\]{0,40}(?:\n|\\n|\{|;|\s){1,40}(?:exp_)?send(?:_user|line)?\(?[ \t]{1,4}(?:--[ \t]{1,4})?\\?["']([^"'\\\n]{4,200})(?=\\{0,2}[rn]?\\?["'])/i,
    accept: certain,
  }),
  shaped({
    name: "password",
    keywords: ["expect(", "expect '", 'expect "', ".sendline("],
    shape: () =>
      /(?:expect\([^\n)]{0,60}assword[^\n)]{0,20}\)[^\n]{0,4}(?:\n|\\n|;)[^\n]{0,24}\.send(?:line)?\()\\?["']([^"'\\\n]{4,200})(?=\\?["'])/i,
    accept: certain,
  }),
  shaped({
    name: "password",
    keywords: ["requirepass", "masterauth", "config set", "auth "],
    shape: () =>
      /(?:(?:requirepass|masterauth)["']?[ \t]{1,8}\\?["']?|(?:(?<=\n|^|> )|(?<=\\n))AUTH[ \t]{1,4}(?:\w{1,40}[ \t]{1,4})?["']?)([^\s"'\\]{4,200})/,
    accept: certain,
  }),
  shaped({
    name: "password",
    keywords: ["#define"],
    shape: () => new RegExp(`#define[ \\t]{1,8}${nameOfSecret}[ \\t]{1,16}${quoted}`, "i"),
    accept: literal,
  }),
  // What is taken where a variable is not set.
  shaped({
    name: "password",
    keywords: ["env(", "getenv(", "environ.get(", "getproperty(", "config("],
    shape: () =>
      new RegExp(
        `(?:env|environ\\.get|getProperty|config)\\([ \\t]{0,4}\\\\?["'][\\w.]{0,60}(?:PASS(?:WORD|WD)?|PWD|SECRET|TOKEN|KEY)\\\\?["'][ \\t]{0,4},[ \\t]{0,4}${quoted}`,
        "i",
      ),
    accept: literal,
  }),
  shaped({
    name: "password",
    keywords: ["process.env", "import.meta.env"],
    shape: () =>
      new RegExp(
        `(?:process|import\\.meta)\\.env(?:\\.|\\[["'])${nameOfSecret}(?:["']\\])?[ \\t]{0,4}(?:\\|\\||\\?\\?)[ \\t]{0,4}${quoted}`,
        "i",
      ),
    accept: literal,
  }),
  shaped({
    name: "password",
    keywords: ["password:-", "passwd:-", "pass:-", "secret:-", "token:-", "_key:-"],
    shape: () => /(?:password|passwd|pass|secret|token|_key):-["']?([^\s"'}$]{5,100})(?=["']?\})/i,
    accept: literal,
  }),
  shaped({
    name: "password",
    keywords: [
      "mysql_connect(",
      "mysqli_connect(",
      "mysqli(",
      "new pdo(",
      "mssql_connect(",
      "ftp_login(",
      "ssh2_auth_password(",
      "imap_open(",
      "psycopg2.connect(",
    ],
    shape: () =>
      new RegExp(
        `\\w{3,20}[ \\t]?\\w{0,20}\\([^\\n,)]{1,200},[^\\n,)]{1,100},[ \\t]{0,4}${quoted}`,
        "i",
      ),
    accept: certain,
  }),
  shaped({
    name: "password",
    keywords: ["auth=(", "auth=[", "auth = (", "auth: [", "auth("],
    shape: () =>
      new RegExp(
        `auth[ \\t]{0,2}[=:]?[ \\t]{0,2}[[(][ \\t]{0,4}\\\\?["'][^"'\\n,]{1,80}["'][ \\t]{0,4},[ \\t]{0,4}${quoted}`,
        "i",
      ),
    accept: certain,
  }),
  shaped({
    name: "token",
    keywords: [
      "jwt.sign(",
      "jwt.verify(",
      "jwt.encode(",
      "jwt.decode(",
      "createhmac(",
      "hmac.new(",
      "itsdangerous",
    ],
    shape: () =>
      new RegExp(
        `(?:jwt\\.\\w{4,6}|createHmac|hmac\\.new)\\((?:[^\\n"',]{1,100}|["']\\w{1,20}["']),[ \\t]{0,4}b?${quoted}`,
        "i",
      ),
    accept: literal,
  }),
  shaped({
    name: "password",
    keywords: ["userpwd"],
    shape: () =>
      /USERPWD\\?["']?[ \t]{0,2}(?:,|=>|=)[ \t]{0,4}\\?["'][^\s:"'\\]{1,80}:([^\s"'\\]{4,100})/,
    accept: certain,
  }),
  shaped({
    name: "password",
    keywords: ["password(", "passphrase(", "passwd(", "secret(", "apikey(", "api_key(", "token("],
    shape: () =>
      new RegExp(
        `(?<!(?:get|has|is|find|read|load|fetch|require|resolve|lookup|show|ask)\\w{0,30})(?:password|passphrase|passwd|secret|api_?key|token)\\([ \\t]{0,4}${quoted}(?=\\\\?["'][ \\t]{0,4}[,)])`,
        "i",
      ),
    accept: literal,
  }),
  // Properties whose name and value only a blank parts.
  shaped({
    name: "password",
    keywords: [".secret", ".password", ".passwd", ".token"],
    reach: 60,
    shape: () =>
      /(?<=^|\n|\\n|--conf )[\w.-]{3,60}\.(?:secret\.key|password|passwd|secret|token)[ \t]{1,8}([^\s"'\\]{8,200})(?=\s|\\n|["']|$)/,
    accept: certain,
  }),
];
