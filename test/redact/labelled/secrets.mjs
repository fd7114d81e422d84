// Secrets by class. «…» marks what must not be seen afterwards; a template may mark several pieces.
// The marks are taken out before anything is masked.

/** Templates by class: each makes one text from values. */
export const secretsOfCommands = {
  "mysql client": [
    (v) => `mysql -u ${v.name()} -p«${v.password()}» shop < dump.sql`,
    (v) => `mysqldump -h ${v.host()} -u${v.name()} -p'«${v.password()}»' shop > dump.sql`,
    (v) => `mysql --password=«${v.password()}» -u root`,
    (v) => `$ mysqladmin -uroot -p«${v.oddPassword()}» status`,
    (v) => `mariadb --user=${v.name()} --password «${v.password()}» --host ${v.host()}`,
  ],
  psql: [
    (v) => `psql "host=db password=«${v.password()}» user=bob"`,
    (v) => `PGPASSWORD=«${v.password()}» psql -h ${v.host()} -U ${v.name()} shop`,
    (v) => `conninfo = 'host=${v.host()} port=5432 user=${v.name()} password=«${v.password()}»'`,
    (v) => `pg_dump "dbname=shop user=${v.name()} password=«${v.password()}» sslmode=require"`,
  ],
  sshpass: [
    (v) => `sshpass -p «${v.password()}» ssh ${v.name()}@${v.host()}`,
    (v) => `sshpass -p '«${v.password()}»' scp file ${v.name()}@${v.host()}:/srv`,
    (v) => `sshpass -p"«${v.password()}»" rsync -av . ${v.host()}:/srv`,
  ],
  "docker login": [
    (v) => `docker login -u ${v.name()} -p «${v.password()}» registry.example.com`,
    (v) => `docker login --username ${v.name()} --password «${v.password()}» ghcr.io`,
    (v) => `podman login -p=«${v.oddPassword()}» -u ci quay.io`,
    (v) => `echo «${v.password()}» | docker login -u ${v.name()} --password-stdin`,
  ],
  "redis-cli": [
    (v) => `redis-cli -h ${v.host()} -a «${v.password()}» ping`,
    (v) => `redis-cli -a '«${v.password()}»' --no-auth-warning keys '*'`,
    (v) => `requirepass «${v.password()}»`,
  ],
  netrc: [
    (v) => `machine ${v.host()} login ${v.name()} password «${v.password()}»`,
    (v) => `machine ${v.host()}\n  login ${v.name()}\n  password «${v.password()}»\n`,
    (v) => `default login anonymous password «${v.oddPassword()}»`,
  ],
  "PHP define": [
    (v) => `define('DB_PASSWORD', '«${v.password()}»');`,
    (v) => `define( "AUTH_KEY", "«${v.base62(48)}»" );`,
    (v) => `define('SECURE_AUTH_SALT',  '«${v.base64(64)}»');`,
    (v) => `$config['db']['password'] = '«${v.password()}»';`,
  ],
  cookies: [
    (v) => `Cookie: session=«${v.base62(32)}»; theme=dark`,
    (v) => `Set-Cookie: sid=«${v.base64url(40)}»; Path=/; HttpOnly; Secure`,
    (v) => `curl -b 'sessionid=«${v.hex(32)}»' https://${v.host()}/account`,
    (v) => `-H 'cookie: _session_id=«${v.hex(40)}»'`,
    (v) => `"set-cookie": ["connect.sid=s%3A«${v.base62(32)}».«${v.base62(40)}»; Path=/"]`,
  ],
  curl: [
    (v) => `curl -u ${v.name()}:«${v.password()}» https://${v.host()}/api`,
    (v) => `curl --user '${v.name()}:«${v.password()}»' -X POST https://${v.host()}`,
    (v) => `curl -su${v.name()}:«${v.oddPassword()}» https://${v.host()}`,
    (v) => `wget --user=${v.name()} --password=«${v.password()}» https://${v.host()}/f.tgz`,
    (v) => `wget --http-password '«${v.password()}»' --http-user ci https://${v.host()}`,
    (v) => `http -a ${v.name()}:«${v.password()}» POST https://${v.host()}/items`,
    (v) =>
      `curl -d 'grant_type=password&username=bob&password=«${v.password()}»' ${v.host()}/token`,
  ],
  "other programs": [
    (v) => `mongosh --host ${v.host()} -u ${v.name()} -p «${v.password()}» admin`,
    (v) => `PASSWORD='«${v.password()}»' ./deploy.sh`,
    (v) => `sqlcmd -S ${v.host()} -U sa -P «${v.oddPassword()}» -Q "select 1"`,
    (v) => `ldapsearch -x -D cn=admin,dc=x -w «${v.password()}» -b dc=x`,
    (v) => `smbclient //host/share -U '${v.name()}%«${v.password()}»'`,
    (v) => `helm install app ./chart --set db.password=«${v.password()}»`,
    (v) => `vault login «hvs.${v.base62(28)}»`,
    (v) => `openssl enc -aes-256-cbc -k «${v.oddPassword()}» -in a -out b`,
    (v) => `openssl rsa -in key.pem -passin pass:«${v.password()}» -out plain.pem`,
    (v) => `gh auth login --with-token <<< «${v.github()}»`,
    (v) => `7z x -p«${v.oddPassword()}» backup.7z`,
    (v) => `zip -P «${v.password()}» out.zip notes.txt`,
  ],
};

/** Files of settings. */
export const secretsOfFiles = {
  environment: [
    (v) => `SECRET_TOKEN=«${v.password()}»`,
    (v) => `export STRIPE_SECRET=«${v.base62(24)}»`,
    (v) => `DB_PASSWORD=«${v.password()}»\nDB_HOST=${v.host()}`,
    (v) => `ENV API_KEY=«${v.hex(32)}»`,
    (v) => `set SMTP_PASS=«${v.oddPassword()}»`,
    (v) => `$env:GITHUB_TOKEN = "«${v.github()}»"`,
    (v) => `docker run -e POSTGRES_PASSWORD=«${v.password()}» -p 5432:5432 postgres:16`,
    (v) => `env JWT_SECRET=«${v.password()}» npm start`,
  ],
  "mid line": [
    (v) => `x password=«${v.password()}» y`,
    (v) => `retrying with user=${v.name()} password=«${v.password()}» after 3 s`,
    (v) => `INFO connect(host=db, passwd=«${v.oddPassword()}») ok`,
    (v) => `login failed: {user: "${v.name()}", password: "«${v.password()}»"}`,
    (v) => `args: --db-password=«${v.password()}» --verbose`,
    (v) => `step 3: token=«${v.base62(28)}» accepted`,
  ],
  aws: [
    (v) => `AWS_SECRET_ACCESS_KEY=«${v.base64(40)}»`,
    (v) =>
      `[default]\naws_access_key_id = «AKIA${v.UPPER(16)}»\naws_secret_access_key = «${v.base64(40)}»`,
    (v) =>
      `{"AccessKeyId":"«ASIA${v.UPPER(16)}»","SecretAccessKey":"«${v.base64(40)}»","SessionToken":"«${v.base64(200)}»"}`,
    (v) => `aws:\n  secret_access_key: «${v.base64(40)}»\n  region: eu-west-1`,
    (v) => `aws configure set aws_secret_access_key «${v.base64(40)}»`,
  ],
  kubernetes: [
    (v) =>
      `apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  url: «${v.encode64(v.wordy())}»\n  user: «${v.encode64(v.word())}»`,
    (v) => `kind: Secret\nstringData:\n  pin: "«${v.digits(8)}»"\n  phrase: «${v.joined()}»\n`,
    (v) => `kubectl create secret generic db --from-literal=password=«${v.password()}»`,
    (v) => `data:\n  password: «${v.encode64(v.password())}»`,
  ],
  "registry files": [
    (v) => `//registry.npmjs.org/:_authToken=«npm_${v.base62(36)}»`,
    (v) => `//npm.example.com/:_authToken=«${v.uuid()}»`,
    (v) => `//npm.example.com/:_password=«${v.encode64(v.password())}»`,
    (v) => `_auth=«${v.encode64(`ci:${v.password()}`)}»`,
    (v) => `[pypi]\nusername = __token__\npassword = «pypi-AgEIcHlwaS5vcmc${v.base64url(70)}»`,
    (v) => `[testpypi]\nusername: ${v.name()}\npassword: «${v.password()}»`,
    (v) => `https://${v.name()}:«${v.password()}»@github.com`,
    (v) => `{"auths":{"ghcr.io":{"auth":"«${v.encode64(`${v.name()}:${v.password()}`)}»"}}}`,
  ],
  "connection strings": [
    (v) => `postgres://${v.name()}:«${v.password()}»@${v.host()}:5432/shop`,
    (v) => `DATABASE_URL=mysql://${v.name()}:«${v.plainWords()}»@${v.host()}/shop`,
    (v) => `mongodb+srv://${v.name()}:«${v.password()}»@${v.host()}/?retryWrites=true`,
    (v) => `redis://:«${v.password()}»@${v.host()}:6379/0`,
    (v) => `amqps://${v.name()}:«${v.wordy()}»@${v.host()}/vhost`,
    (v) => `jdbc:postgresql://${v.host()}/shop?user=${v.name()}&password=«${v.password()}»`,
    (v) =>
      `Server=${v.host()};Database=shop;User Id=${v.name()};Password=«${v.password()}»;Encrypt=true`,
    (v) => `Driver={ODBC Driver 18};Server=${v.host()};Uid=${v.name()};Pwd=«${v.password()}»;`,
    (v) => `Data Source=${v.host()};Initial Catalog=shop;User ID=sa;Password='«${v.password()}»'`,
  ],
};

/** What is said, sent and disguised. */
export const secretsOfTexts = {
  prose: [
    (v) => `The password is «${v.oddPassword()}», please do not share it.`,
    (v) => `the password is "«${v.plainWords()}»"`,
    (v) => `My login is ${v.name()} and the password is «${v.oddPassword()}».`,
    (v) => `password: «${v.oddPassword()}»`,
    (v) => `Use \`«${v.oddPassword()}»\` as the password for staging.`,
    (v) => `log in with ${v.name()} / «${v.oddPassword()}»`,
    (v) => `api key: «${v.hex(32)}»`,
    (v) => `here is my token: «${v.base62(32)}»`,
    (v) => `Passwort: «${v.oddPassword()}»`,
  ],
  headers: [
    (v) => `Authorization: Bearer «${v.base64url(40)}»`,
    (v) => `authorization: BEARER «${v.hex(40)}»`,
    (v) => `-H "Authorization: Basic «${v.encode64(`${v.name()}:${v.password()}`)}»"`,
    (v) => `X-Api-Key: «${v.base62(32)}»`,
    (v) => `"headers":"{\\"x-auth-token\\":\\"«${v.base62(32)}»\\"}"`,
    (v) => `PRIVATE-TOKEN: «${v.base62(20)}»`,
    (v) => `{\\"Authorization\\": \\"token «${v.hex(40)}»\\"}`,
  ],
  "known keys": [
    (v) => `«sk-ant-api03-${v.base64url(93)}AA»`,
    (v) => `OPENAI=«sk-proj-${v.base64url(74)}»`,
    (v) => `key «AIza${v.base64url(35)}» here`,
    (v) => `«xoxb-${v.digits(12)}-${v.digits(12)}-${v.base62(24)}»`,
    (v) => `https://hooks.slack.com/services/«T${v.UPPER(8)}/B${v.UPPER(8)}/${v.base62(24)}»`,
    (v) => `https://discord.com/api/webhooks/${v.digits(18)}/«${v.base64url(68)}»`,
    (v) => `«${v.digits(10)}:AA${v.base64url(33)}»`,
    (v) => `«sk_live_${v.base62(24)}»`,
    (v) => `«SG.${v.base64url(22)}.${v.base64url(43)}»`,
    (v) => `«glpat-${v.base62(20)}»`,
    (v) => `«hf_${v.base62(34)}»`,
    (v) => `«github_pat_${v.base62(22)}_${v.base62(59)}»`,
    (v) => `jwt «${v.jwt()}» ok`,
  ],
  "private keys": [
    (v) =>
      `«-----BEGIN RSA PRIVATE KEY-----\n${v.lines(v.base64(320), 64)}\n-----END RSA PRIVATE KEY-----»`,
    (v) =>
      `«-----BEGIN OPENSSH PRIVATE KEY-----\n${v.lines(v.base64(280), 70)}\n-----END OPENSSH PRIVATE KEY-----»`,
    (v) =>
      JSON.stringify({
        private_key: `-----BEGIN PRIVATE KEY-----\n«${v.lines(v.base64(256), 64).replaceAll("\n", "»\n«")}»\n-----END PRIVATE KEY-----\n`,
      }),
    (v) =>
      `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n«${v.lines(v.base64(256), 64)}»\n=«${v.base64(4)}»\n-----END PGP PRIVATE KEY BLOCK-----`,
  ],
  "percent-encoded": [
    (v) => `https://${v.host()}/cb?next=%2Fapp%3Ftoken%3D«${v.github()}»`,
    (v) => `redirect=https%3A%2F%2Fapi.example.com%2F%3Fpassword%3D«${v.wordy()}»%26x%3D1`,
    (v) => `postgres%3A%2F%2F${v.name()}%3A«${v.wordy()}»%40db.example%2Fshop`,
  ],
  "split over lines": [
    (v) => {
      const key = v.github();
      return `«${key.slice(0, 22)}»\n«${key.slice(22)}»`;
    },
    (v) => {
      const key = `sk-ant-api03-${v.base64url(95)}`;
      return `export KEY=«${key.slice(0, 70)}»\n«${key.slice(70)}»`;
    },
    (v) => {
      const key = `AIza${v.base64url(35)}`;
      return `   12→  «${key.slice(0, 18)}»\n   13→  «${key.slice(18)}»`;
    },
    (v) => {
      const key = v.github();
      return `KEY="«${key.slice(0, 20)}»\\\n«${key.slice(20)}»"`;
    },
  ],
  "base64-wrapped": [
    (v) => `echo «${v.encode64(`DB_PASSWORD=${v.wordy()}\n`)}» | base64 -d`,
    (v) => `«${v.encode64(`token: ${v.github()}`)}»`,
    (v) => `value: «${v.encode64(`postgres://app:${v.wordy()}@db.example/shop`)}»`,
    (v) => `«${v.encode64(v.github())}»`,
  ],
  "escaped characters": [
    (v) => {
      const key = v.github();
      return `"«\\u0067\\u0068${key.slice(2)}»"`;
    },
    (v) => `"password\\u003d«${v.wordy()}»"`,
    (v) => `{"pass\\u0077ord":"«${v.wordy()}»"}`,
    (v) => {
      const key = v.github();
      return `«${[...key].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}»`;
    },
    (v) => {
      const key = v.github();
      return `'«${[...key].map((c) => `\\x${c.charCodeAt(0).toString(16)}`).join("")}»'`;
    },
    (v) => `url: postgres:\\/\\/${v.name()}:«${v.wordy()}»@${v.host()}\\/shop`,
  ],
};
