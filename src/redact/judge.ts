import { isRandom, isVaried, kindsOf } from "./variety.ts";

/** How much the place where a value stands says by itself. */
export type Place =
  /** Nothing else can stand there: `mysql -p…`, `://user:…@`, `DB_PASSWORD=…` on a line of its own. */
  | "certain"
  /** A literal given to a name: a word there may be a label or a type. */
  | "literal"
  /** A bare word at the end of a line, as in YAML or in prose. */
  | "line-end"
  /** A bare word in code: mostly the name of a variable. */
  | "code";

/** What a name promises about its value: a password may be short and wordy, a secret wordy, a token neither. */
export type Kind = "password" | "secret" | "token";

/** Whether a value given to a name that promises a secret is one. */
export function isSecret(
  value: string,
  { kind, place }: { readonly kind: Kind; readonly place: Place },
): boolean {
  if (isDummy(value) || isReference(value) || isPath(value)) return false;
  if (kind === "password") return isPassword(value, place);
  return isToken(value, place) || (kind === "secret" && isWordySecret(value, place));
}

function isPassword(value: string, place: Place): boolean {
  if (place === "certain") return value.length >= 4;
  if (/\s/.test(value) || value.length < 5) return false;
  if (place === "code") return isOdd(value) && !isIdentifier(value);
  if (place === "literal") return isOdd(value) || isMadeOfWords(value, 6);
  return (isOdd(value) && !isMeasure(value)) || isMadeOfWords(value, 10);
}

function isToken(value: string, place: Place): boolean {
  if (/\s/.test(value)) return false;
  if (place !== "certain") return value.length >= 12 && isRandom(value);
  return value.length >= 8 && !/^[0-9]+$|^[A-Za-z_.-]+$/.test(value) && !isMeasure(value);
}

/** `SESSION_SECRET=…` and `secret: "…"` take whatever people choose. */
function isWordySecret(value: string, place: Place): boolean {
  if (/\s/.test(value)) return false;
  if (place === "certain") return isMadeOfWords(value, 8);
  return (
    place === "literal" && value.length >= 8 && (isMadeOfWords(value, 12) || isOddEnough(value))
  );
}

function isOddEnough(value: string): boolean {
  return isOdd(value) && !isIdentifier(value) && !/^[a-z]+(?:-[a-z0-9]+)+$/.test(value);
}

/** What nobody takes for a word: letters with digits or signs among them. */
function isOdd(value: string): boolean {
  return (
    kindsOf(value) >= 2 &&
    /[^A-Za-z_.-]/.test(value) &&
    /[A-Za-z0-9]/.test(value) &&
    !/^[\d.,:%+-]+(?:[a-z]{1,2}|\/\d+)?$|^0x[0-9a-f]+$/i.test(value)
  );
}

/** Words in lower case that are neither a label nor a type nor English: `tralgostembrick`, `dron-stick-palm`. */
function isMadeOfWords(value: string, least: number): boolean {
  if (value.length < least || !/^[a-z]+(?:[-_.][a-z]+)*$/.test(value)) return false;
  return !value.split(/[-_.]/).some((word) => namesSecrets.test(word) || isEveryday(word));
}

const namesSecrets =
  /pass|pwd|secret|token|credential|login|user|admin|auth|key$|hash|crypt|string|value|field|input|label|param|config|setting/;

const everyday = new Set(
  "requires needs takes means lives goes comes gets accepts flag flags option must-be about above after again also always and any are argument array base before below bool boolean both bytes call case cannot char check class code const contact copy correct custom data database default delete demo derive development different directory disabled does email empty enabled enter env environment error every example expired export external failed false file files first following fixed float foo bar baz for foobar forgot format from function get given global group guest handle have hello here hidden host http https id identity import incorrect index info insecure int integer internal invalid item json keep later length level like line list literal local localhost locked lorem ipsum long lower main manager masked match matches maximum may member memory method minimum missing mode model more must mysql name needs never new next node none not null number object off omit only open optional options other out owner path people plain plaintext please postgres postgres present primary private production profile prompt protected provided public query random readonly redacted redis regex remote removed repeat request required reset result return role root safe sample same save schema secondary secure see select sensitive server service session set shared short should show simple single some something source staging start state stdin store stored strong super symbol system table tests testing test text than that the their them then there these they this those through time to tokens toto true type undefined unique unknown unset update upper use uses using valid varchar variable vault verify version view was way weak website what when where which will with without word words world write wrong yes you your"
    .split(" ")
    .filter((word) => word !== ""),
);

/** A word of English or of programs, by a short list and by how such words end. */
function isEveryday(word: string): boolean {
  return (
    everyday.has(word) ||
    /(?:tion|ment|ing|ed|able|ible|ness|ity|ive|ful|less|ally|ily|ance|ence|ous|ated|ation|ised|ized)s?$/.test(
      word,
    )
  );
}

const trades =
  "base(?:32|58|62|64)|b64|utf_?-?(?:8|16|32)|sha_?-?\\d+|md[45]|oauth2?|x509|s3|ec2|p12|pkcs\\d+|v\\d+|i18n|k8s|http\\d|h2|2fa|ip_?v[46]|argon2|ed25519|secp256|[ehr]s(?:256|384|512)|u?int\\d+|float\\d+|win32|x86|x64|arm64|web3|e2e|a11y|l10n|mp[34]|crc32|aes_?-?\\d*|rfc_?-?\\d+|es\\d{1,4}|scrypt|bcrypt|gpt-?\\d|h\\d|p\\d|tier\\d|level\\d|step\\d";
// As a word of its own, or as a word of a camel-cased name.
const tradeWords = new RegExp(`(?<![A-Za-z])(?:${trades})(?![a-z])`, "gi");
const tradeParts =
  /(?:Base(?:32|58|62|64)|B64|Utf(?:8|16|32)|Sha\d+|Md5|OAuth2?|Oauth2?|X509|S3|Ec2|V\d+|Http\d|Argon2|Ed25519|Int\d+|Aes\d*)(?![a-z])/g;

/** A text without the words of the trade that have digits in them: `base64`, `sha256`, `oauth2`. */
export function withoutTradeWords(text: string): string {
  return text.replace(tradeWords, "").replace(tradeParts, "");
}

/** A name of code with digits in it: `base64Value`, `user1`, `sha256_digest`, `arr[0]`. */
function isIdentifier(value: string): boolean {
  if (/^[\w$]+(?:\[\w*\])+$|^\w+(?:\$\d*)+$/.test(value)) return true;
  const bare = withoutTradeWords(value);
  return (
    /^[A-Za-z_$][A-Za-z_$]*\d{0,2}$/.test(bare) || (/^\w+$/.test(value) && namesSecrets.test(value))
  );
}

/** A number with its unit, a version, a date: `24h`, `8+`, `v1.2.3`, `2024-11-15`. */
function isMeasure(value: string): boolean {
  return /^[v≥≤<>~]?\d[\d.,:+x-]*[a-z%]{0,5}[.,;]?$/i.test(value);
}

/** `config.auth.password`, `self.token`, `getToken()`, `os.environ[…]`: an expression, not a literal. */
export function isReference(value: string): boolean {
  if (/^!?[\w.$:>-]{1,80}[([]|^(?:process\.env|os\.environ|import\.meta|https?:\/\/)/.test(value))
    return true;
  // A generated password may have a dot in it.
  return dotted.test(value) && !isRandom(value);
}

const dotted = /^[A-Za-z_$][A-Za-z_$]*(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]*)+[;,)]?$/;

/** Whether a value names a place in a file system rather than holding a secret. */
export function isPath(value: string): boolean {
  if (value.length === 40 && isRandom(value)) return false;
  return /^(?:~|\.{1,2})?\/[\w.@/-]*$|^[A-Za-z]:[\\/]/.test(value);
}

const variable =
  /^(?:\$[A-Za-z_]\w*(?:-.*|\[.*|\..*)?|\$[{(].*|&[A-Za-z_]\w*|`.*|\{\{?.*|\(.*|\[.*|<.*|%\w+%|#\{.*|@\w+\(.*|!(?:Ref|Sub|GetAtt|ImportValue|vault|secret|env)\b.*)$/s;
const written =
  /^(?:(.)\1*|[x*.#?_•●-]+|(?:your|my|some|the|fake|dummy|sample|insert|replace|enter|put|add)[-_ ].*|your[a-z]*(?:password|passwd|token|secret|key)(?:here)?|.*(?:change[-_]?(?:me|it|this)|example|placeholder|redacted|xxxx|\*\*\*\*|[-_](?:here|goes)\b|to[-_]be[-_]|\.\.\.).*)$/is;
const stock =
  /^(?:my|the|new|old|db|some)?(?:pass(?:word|wd|phrase)?|passwort|pwd|pw|secret|token|api[-_]?key|key|admin|root|user(?:name)?|login|postgres|postgresql|mysql|guest|test|testing|tester|string|str|text|null|nil|undefined|none|true|false|yes|no|required|optional|hidden|masked|empty|unset|default|disabled|enabled|value|stdin|foo|bar|baz|foobar|hello|world|qwerty|abc|letmein|todo|tbd|fixme)[0-9]{0,3}$|^(?:test|fake|dummy|mock|stub|sample)(?:[-_](?:pass|pw|user|secret|token|key|value|api|auth|client)[-_a-z]*|pass(?:word)?|secret|token|key|value)?$/i;
const shouted = /^[A-Z_]*(?:PASS|PWD|TOKEN|SECRET|KEY|USER|YOUR|NAME|VALUE)[A-Z_]*$/;

/** Whether a value only stands for a secret: a variable, a template, or a word of documentation. */
export function isDummy(value: string): boolean {
  // Longer values are nobody's placeholder, and the test stays cheap.
  return (
    value.length <= 200 &&
    (variable.test(value) ||
      "1234567890".startsWith(value) ||
      written.test(value) ||
      stock.test(value) ||
      shouted.test(value))
  );
}

/** Whether a text has the variety of a generated secret of its length and is not a placeholder. */
export function looksGenerated(text: string): boolean {
  return isVaried(text) && !isDummy(text);
}
