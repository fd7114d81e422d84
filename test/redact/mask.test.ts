import fc from "fast-check";
import { expect, test } from "vitest";
import { createMasker, maskText } from "../../src/redact/mask.ts";

// Shapes are put together here, so that no scanner takes this file for a leak.
const letters = "Zk3vQ9xLm7TtR2wYb8NcHd5JfGs4PaEu6KiWoVz1";
function random(length: number, from = letters): string {
  return Array.from({ length }, (_, index) => from[(index * 7 + (index >> 3)) % from.length]).join(
    "",
  );
}
const hex = (length: number) => random(length, "3fa9c07be1d58264");
const pem = (label: string, body: string) =>
  `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----`;
const jwt = `eyJ${random(20)}.eyJ${random(40)}.${random(43)}`;

const secrets: readonly (readonly [rule: string, secret: string])[] = [
  ["anthropic-key", `sk-ant-api03-${random(90)}AA`],
  ["openai-key", `sk-proj-${random(60)}`],
  ["openai-key", `sk-${random(48)}`],
  ["openrouter-key", `sk-or-v1-${hex(64)}`],
  ["github-token", `ghp_${random(36)}`],
  ["github-token", `gho_${random(36)}`],
  ["github-token", `github_pat_${random(22)}_${random(59)}`],
  ["gitlab-token", `glpat-${random(20)}`],
  ["aws-key-id", `AKIA${random(16, "QWERTY234567ASDFGHZ")}`],
  ["google-key", `AIza${random(35)}`],
  ["google-oauth", `ya29.${random(60)}`],
  ["google-oauth", `GOCSPX-${random(28)}`],
  ["slack-token", `xoxb-2345678901-3456789012-${random(24)}`],
  ["stripe-key", `sk_live_${random(24)}`],
  ["twilio-key", `SK${hex(32)}`],
  ["sendgrid-key", `SG.${random(22)}.${random(43)}`],
  ["npm-token", `npm_${random(36)}`],
  ["pypi-token", `pypi-AgEIcHlwaS5vcmc${random(60)}`],
  ["huggingface-token", `hf_${random(34)}`],
  ["azure-key", `a1b8Q~${random(34)}`],
  ["jwt", jwt],
  ["private-key", pem("RSA PRIVATE KEY", `${random(64)}\n${random(64)}\n${random(30)}==`)],
  ["private-key", pem("PRIVATE KEY", random(64))],
  ["private-key", pem("OPENSSH PRIVATE KEY", `${random(70)}\n${random(20)}=`)],
  ["private-key", pem("PGP PRIVATE KEY BLOCK", `Version: GnuPG v2\n\n${random(64)}\n=aB3d`)],
];

test("a secret of each kind is masked wherever it stands", () => {
  for (const [rule, secret] of secrets) {
    for (const around of [
      (it: string) => it,
      (it: string) => `the key is ${it}, keep it safe`,
      (it: string) => `{"output":"line one\\n${it}\\nline three"}`,
      (it: string) => `curl -H 'X-Key: ${it}' https://api.example.com`,
      (it: string) => `(${it})`,
    ]) {
      const masked = maskText(around(secret));
      expect(masked.text, `${rule} in ${around("…")}`).toBe(
        around(/\[secret:[a-z-]+:[0-9a-f]{4}\]/.exec(masked.text)?.[0] ?? "(nothing masked)"),
      );
      expect(masked.found, rule).toEqual([{ rule, count: 1 }]);
    }
  }
});

const inContext: readonly (readonly [text: string, secret: string])[] = [
  [`postgres://app:Tr0ub4dor@db.internal:5432/app`, "Tr0ub4dor"],
  [`mongodb+srv://root:p%40ss-w0rd@cluster0.example.net/?retryWrites=true`, "p%40ss-w0rd"],
  [`redis://:hunter22@cache:6379/0`, "hunter22"],
  [`https://deploy:s3cr3tpw@git.example.com/acme/api.git`, "s3cr3tpw"],
  [`Authorization: Bearer ${random(32)}`, random(32)],
  [
    `"authorization": "Basic ${Buffer.from("dev:hunter2!").toString("base64")}"`,
    Buffer.from("dev:hunter2!").toString("base64"),
  ],
  [`curl -u admin:hunter2secret https://jenkins.example.com`, "hunter2secret"],
  [`DB_PASSWORD=correct-horse`, "correct-horse"],
  [`{"stdout":"PORT=80\\nDB_PASSWORD=correcthorse\\nHOST=a"}`, "correcthorse"],
  [`export DB_PASSWORD='correct horse battery'`, "correct horse battery"],
  [`export API_TOKEN=${random(24)}`, random(24)],
  [`     12→SECRET_KEY_BASE=${hex(64)}`, hex(64)],
  [`password: hunter2`, "hunter2"],
  [`{"password":"hunter2"}`, "hunter2"],
  [`{\\"client_secret\\":\\"${random(30)}\\"}`, random(30)],
  [`const apiKey = "${random(32)}";`, random(32)],
  [`aws_secret_access_key = ${random(40)}`, random(40)],
  [`//registry.npmjs.org/:_authToken=${hex(36)}`, hex(36)],
  [`Server=db;User Id=sa;Password=Str0ng!Pass;`, "Str0ng!Pass"],
  [`mytool --token ${random(28)} --verbose`, random(28)],
  [`<password>Tr0ub4dor&3</password>`, "Tr0ub4dor&3"],
  [
    `DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=${random(86)}==;`,
    `${random(86)}==`,
  ],
  [`SOME_SERVICE=${letters}`, letters],
  [`AKIA${random(16, "QWERTY234567ASDFGHZ")},${random(40)}`, random(40)],
  [`-----BEGIN PRIVATE KEY-----\\n${random(64)}\\n${random(64)}`, random(64)],
  [
    `     1→-----BEGIN EC PRIVATE KEY-----\n     2→${random(64)}\n     3→-----END EC PRIVATE KEY-----`,
    random(64),
  ],
];

test("a secret that only its surroundings give away is masked, and the surroundings stay", () => {
  for (const [text, secret] of inContext) {
    const masked = maskText(text).text;
    expect(masked, text).not.toContain(secret);
    expect(masked, text).toMatch(/\[secret:[a-z-]+:[0-9a-f]{4}\]/);
  }
  expect(maskText("postgres://app:Tr0ub4dor@db:5432/app", { key: Buffer.from("k") }).text).toMatch(
    /^postgres:\/\/app:\[secret:url-password:[0-9a-f]{4}\]@db:5432\/app$/,
  );
});

test("ordinary transcripts are left alone", () => {
  const ordinary = [
    "commit 3fa9c07be1d58264aa90ffee12bd34cd56ef7890\nAuthor: Dev <dev@example.com>",
    "session 0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b resumed",
    `"integrity": "sha512-${random(86)}==",`,
    `"resolved":"https://registry.npmjs.org/left-pad/-/left-pad-1.3.0.tgz#5b8a3a7765dfe001261dde915589e782f8c94d1e"`,
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "/home/dev/acme-api/src/auth/token-store.test.ts:57: expected token to be undefined",
    "const token = await getToken(request.headers.authorization);",
    "interface Login { username: string; password: string; token?: string }",
    "password: z.string().min(8), apiKey: process.env.OPENAI_API_KEY,",
    "if (password === undefined || token !== expectedToken) throw new Error('bad token');",
    "max_tokens: 4096, input_tokens=18234, tokenizer: cl100k_base",
    `export OPENAI_API_KEY=$OPENAI_API_KEY\nexport TOKEN=\${{ secrets.GITHUB_TOKEN }}`,
    "ANTHROPIC_API_KEY=sk-ant-xxxxxxxxxxxxxxxxxxxxxxxx\nSECRET=your-secret-here\nPASSWORD=changeme",
    "postgres://user:password@localhost:5432/test and postgres://$USER:$PASS@host/db",
    "http://localhost:3000/@vite/client and git@github.com:acme/api.git",
    "Use a Bearer token for authentication; Basic authentication is not enough.",
    'grep -rn "-----BEGIN PRIVATE KEY-----" src/ | head',
    'if (text.includes("-----BEGIN PRIVATE KEY-----") && text.endsWith("-----END PRIVATE KEY-----"))',
    ".sk-spinner-container-animated-2 { color: red } /* task-force-one-two-three-four */",
    "PWD=/home/dev/acme-api\nPATH=/usr/local/sbin:/usr/local/bin:/usr/sbin\nSSH_AUTH_SOCK=/tmp/ssh-XXXXXXabc123/agent.4242",
    "SOURCE_HASH=Zk3vQ9xLm7TtR2wYb8NcHd5JfGs4PaEu6KiWoVz1",
    `data:image/png;base64,iVBORw0KGgo/AKIA${random(16, "QWERTY234567ASDFGHZ")}+${random(400)}`,
    "toolu_01A09q90qw90lq917835lq9 call_9f86d081884c7d659a2feaa0 msg_01XFDUDYJgAACzvnptvVoYEL req_011CSHoEeqs5C35K2UUqR7Fy",
    "The user said the password must be at least 8 characters; the secret: keep it simple.",
    "password = hashPassword(input)\npwd = os.getcwd()\ntoken = self.token",
    "token_type: bearer, token: null, secret: true, password: ''",
    'label: { password: "Password", token: "Access token", secret: "client-secret-name" }',
    "✓ test/auth/token.test.ts (12 tests) 340ms\nTests  12 passed | 1 skipped",
    "diff --git a/src/keys.ts b/src/keys.ts\nindex 83db48f..bf269f4 100644\n--- a/src/keys.ts",
    "+const primaryKey = 'id'; const key = event.key; cacheKey: `user:1`",
  ];
  for (const text of ordinary) expect(maskText(text), text).toEqual({ text, found: [] });
});

test("equal secrets show equal, different ones different, and no two calls the same by default", () => {
  const one = `ghp_${random(36)}`;
  const two = `ghp_${random(36).split("").reverse().join("")}`;
  const [first, second, third] = maskText(`${one} ${two} ${one}`).text.split(" ");
  expect(first).toBe(third);
  expect(first).not.toBe(second);
  const seen = new Set(Array.from({ length: 20 }, () => maskText(one).text));
  expect(seen.size).toBeGreaterThan(1);
  const masker = createMasker({ key: Buffer.from("fixed") });
  expect(masker.text(one)).toBe(masker.text(one));
  expect(masker.found()).toEqual([{ rule: "github-token", count: 2 }]);
});

test("masking masked text changes nothing, whatever stands beside the secrets", () => {
  const seed = 20261115;
  const piece = fc.oneof(
    fc.constantFrom(...secrets.map(([, secret]) => secret)),
    fc.constantFrom(...inContext.map(([text]) => text)),
    fc.constantFrom(
      "password=",
      'token: "',
      "SECRET=",
      "\\n",
      "\n",
      " ",
      '"',
      "'",
      ":",
      "=",
      "@",
      "://",
      "/",
      "-",
      "_",
      ".",
      "[",
      "]",
      "&",
      ",",
      "Bearer ",
      "--password ",
    ),
    fc.string({ maxLength: 12 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const key = Buffer.from("key");
      const once = maskText(pieces.join(""), { key, home: true }).text;
      expect(maskText(once, { key, home: true }).text).toBe(once);
    }),
    { seed, numRuns: 3000 },
  );
});

test("home directories become a tilde on request", () => {
  const text =
    "/home/dev/acme/a.ts file:///Users/ann/x C:\\Users\\Ann\\y /usr/home/dev https://example.com/home/page";
  expect(maskText(text).text).toBe(text);
  expect(maskText(text, { home: true }).text).toBe(
    "~/acme/a.ts file://~/x ~\\y /usr/home/dev https://example.com/home/page",
  );
  expect(
    maskText("/srv/dev/a /srv/dev2 ~/.claude/projects/-srv-dev-acme", { home: "/srv/dev" }),
  ).toEqual({
    text: "~/a /srv/dev2 ~/.claude/projects/-~-acme",
    found: [{ rule: "home-path", count: 2 }],
  });
});

const hostile = [
  "password=",
  "password:",
  'password="',
  "password='password=\"",
  "secret: ",
  "token=token:",
  "--token ",
  "-----BEGIN PRIVATE KEY-----",
  "-----BEGIN PRIVATE KEY-----\n\n\n",
  "eyJaaaaaaaa-",
  "-eyJ",
  "eyJaaaaaaaa.eyJaaaaaaaa ",
  "://a:",
  "://",
  "a://b:c@",
  "sk-ant-",
  "sk-",
  "SG.aaaaaaaaaaaaaaaa",
  "AKIA",
  "ghp_",
  "bearer ",
  "basic AAAA",
  "authorization:",
  "A=",
  "AAAA_",
  "ABC=aaaa/",
  "[secret:",
  "[secret:a:0000]",
  "/home/",
  "-u a:",
  "data:image/png;base64,",
  "xoxb-",
  " ",
  "=",
  "\\n",
  "\\",
  "x",
  "'",
  "Q~",
  "1234567:AA",
  "<password>",
  "mysql -p",
  "mysql ",
  "docker login ",
  "curl -u a:",
  "echo ",
  "<<<",
  "Cookie: a=",
  "cookie: ",
  "machine a login b ",
  "kind: Secret\ndata:\n a: bbbb\n",
  "kind: secret ",
  "the password is ",
  "password for a b c d ",
  "user a ",
  "seed phrase: able ",
  "able ",
  "\\u0067",
  "%67",
  "%25",
  "&amp;",
  "\u200b",
  '" + "',
  '"\n"',
  '\\"',
  "ghp_a\n",
  "ghp_aB3d\n",
  "eyJ\n",
  "QUFB",
  "ZEc5",
  "6162",
  "$ANSIBLE_VAULT;1.1;AES256\n",
  "$2y$",
  "expect password ",
  'variable "a_password" {',
  "key=password ",
  "define('A_KEY', ",
  "identified by ",
  ":5432:a:b:",
  "auth=(",
  "setPassword(",
  "as the password ",
  "jwt.sign(",
  "process.env.KEY || ",
];

function maskMs(unit: string, size: number): number {
  const text = unit.repeat(Math.ceil(size / unit.length));
  const began = performance.now();
  maskText(text, { home: true });
  return performance.now() - began;
}

test("hostile repetition costs linear time", () => {
  for (const unit of hostile) {
    expect(maskMs(unit, 500_000), JSON.stringify(unit)).toBeLessThan(3000);
  }
});

test("5 MB of one hostile text are masked within seconds", () => {
  for (const unit of ["password:", "eyJaaaaaaaa-", "://a:", "-----BEGIN PRIVATE KEY-----", "x"]) {
    expect(maskMs(unit, 5_000_000), JSON.stringify(unit)).toBeLessThan(10_000);
  }
});
