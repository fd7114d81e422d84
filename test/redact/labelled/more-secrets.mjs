// More secrets by class, written as an attacker would after the rules were there. Marks as in secrets.mjs.

/** Keys and files of services. */
export const moreSecretsOfKeys = {
  "pgpass and htpasswd": [
    (v) => `${v.host()}:5432:shop:${v.name()}:«${v.oddPassword()}»`,
    (v) => `*:*:*:postgres:«${v.password()}»`,
    (v) => `${v.name()}:«$apr1$${v.base62(8)}$${v.base62(22)}»`,
    (v) => `${v.name()}:«$2y$10$${v.base62(53)}»`,
    (v) => `root:«$6$${v.base62(12)}$${v.base62(86)}»:19000:0:99999:7:::`,
    (v) => `bob:{SHA}«${v.base64(27)}=»`,
  ],
  "aws elsewhere": [
    (v) => `<SecretAccessKey>«${v.base64(40)}»</SecretAccessKey>`,
    (v) => `[aws]\nsecret_access_key = "«${v.base64(40)}»"\nregion = "eu-west-1"`,
    (v) =>
      `new AWS.S3({ accessKeyId: '«AKIA${v.UPPER(16)}»', secretAccessKey: '«${v.base64(40)}»' })`,
    (v) =>
      `provider "aws" {\n  access_key = "«AKIA${v.UPPER(16)}»"\n  secret_key = "«${v.base64(40)}»"\n}`,
    (v) =>
      `https://b.s3.amazonaws.com/f?X-Amz-Credential=«AKIA${v.UPPER(16)}»%2F20260101&X-Amz-Signature=«${v.hex(64)}»`,
  ],
  "google and azure": [
    (v) =>
      JSON.stringify(
        {
          type: "service_account",
          private_key: `-----BEGIN PRIVATE KEY-----\n«${v.base64(64)}»\n«${v.base64(64)}»\n-----END PRIVATE KEY-----\n`,
          client_email: "a@b.iam.gserviceaccount.com",
        },
        null,
        2,
      ),
    (v) =>
      `DefaultEndpointsProtocol=https;AccountName=${v.word()};AccountKey=«${v.base64(86)}==»;EndpointSuffix=core.windows.net`,
    (v) =>
      `https://${v.word()}.blob.core.windows.net/c/f?sv=2023-01-03&se=2026-01-01&sr=b&sp=r&sig=«${v.base64(43).replace(/[+/]/g, "a")}%3D»`,
    (v) =>
      `Endpoint=sb://${v.word()}.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=«${v.base64(43)}=»`,
    (v) => `AZURE_CLIENT_SECRET: «${v.base62(3)}8Q~${v.base62(34)}»`,
    (v) => `client_secret: «GOCSPX-${v.base64url(28)}»`,
    (v) => `refresh_token="«1//0${v.base64url(60)}»"`,
    (v) => `"Ocp-Apim-Subscription-Key": "«${v.hex(32)}»"`,
  ],
  "other services": [
    (v) => `TWILIO_AUTH_TOKEN=«${v.hex(32)}»`,
    (v) => `client = Client("AC${v.hex(32)}", "«${v.hex(32)}»")`,
    (v) => `DISCORD_TOKEN=«${v.base62(26)}.${v.base62(6)}.${v.base62(38)}»`,
    (v) => `Authorization: Bot «${v.base62(26)}.${v.base62(6)}.${v.base62(38)}»`,
    (v) => `curl https://api.telegram.org/bot«${v.digits(10)}:AA${v.base64url(33)}»/getMe`,
    (v) => `«npm_${v.base62(36)}» is my publish token`,
    (v) => `login with «hf_${v.base62(34)}»`,
    (v) => `openai.api_key = "«sk-${v.base62(48)}»"`,
    (v) => `DD_API_KEY=«${v.hex(32)}»`,
    (v) => `HEROKU_API_KEY=«${v.uuid()}»`,
    (v) => `cloudflare: api_token = "«${v.base64url(40)}»"`,
    (v) => `MAILCHIMP_KEY=«${v.hex(32)}-us12»`,
    (v) => `algolia admin key: «${v.hex(32)}»`,
    (v) => `circleci token «CCIPAT_${v.base62(22)}_${v.hex(40)}»`,
    (v) => `"dsn": "https://«${v.hex(32)}»@o${v.digits(6)}.ingest.sentry.io/1"`,
    (v) => `«AGE-SECRET-KEY-1${v.UPPER(58)}»`,
    (v) => `firebase messaging: key=«AAAA${v.base64url(7)}:APA91b${v.base64url(134)}»`,
    (v) =>
      `PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 1\n«${v.base64(48)}»\nPrivate-MAC: ${v.hex(64)}`,
    (v) => `-----BEGIN EC PRIVATE KEY-----\n«${v.lines(v.base64(160), 64)}»`,
    (v) => `"id_token": "«${v.jwt()}»"`,
  ],
};

/** Programs, languages and machines. */
export const moreSecretsOfPrograms = {
  infrastructure: [
    (v) => `variable "db_password" {\n  type    = string\n  default = "«${v.password()}»"\n}`,
    (v) => `terraform apply -var 'db_password=«${v.password()}»'`,
    (v) => `db_password = "«${v.password()}»"`,
    (v) => `ansible-playbook site.yml -e "ansible_become_pass=«${v.password()}»"`,
    (v) => `web1 ansible_host=10.0.0.4 ansible_user=root ansible_ssh_pass=«${v.password()}»`,
    (v) => `vault: |\n  $ANSIBLE_VAULT;1.1;AES256\n  «${v.hex(80)}»\n  «${v.hex(80)}»`,
    (v) =>
      `services:\n  db:\n    environment:\n      - MYSQL_ROOT_PASSWORD=«${v.password()}»\n      - MYSQL_DATABASE=shop`,
    (v) => `env:\n  - name: DB_PASSWORD\n    value: "«${v.password()}»"`,
    (v) => `pulumi config set dbPassword «${v.password()}» --secret`,
    (v) =>
      `kubectl create secret docker-registry r --docker-username=ci --docker-password=«${v.password()}»`,
    (v) => `{"kind":"Secret","apiVersion":"v1","data":{"tls":"«${v.encode64(v.wordy())}»"}}`,
    (v) => `vault kv put secret/app db_password=«${v.password()}» user=app`,
    (v) => `cloudformation --parameters ParameterKey=DBPassword,ParameterValue=«${v.password()}»`,
  ],
  windows: [
    (v) => `net user ${v.name()} «${v.oddPassword()}» /add`,
    (v) => `net use Z: \\\\server\\share «${v.oddPassword()}» /user:corp\\bob`,
    (v) => `$pw = ConvertTo-SecureString "«${v.password()}»" -AsPlainText -Force`,
    (v) => `ConvertTo-SecureString -String '«${v.password()}»' -AsPlainText -Force`,
    (v) => `cmdkey /add:server01 /user:bob /pass:«${v.password()}»`,
    (v) => `schtasks /create /tn job /ru corp\\svc /rp «${v.password()}» /sc daily`,
    (v) => `new NetworkCredential("bob", "«${v.password()}»")`,
    (v) => `<add key="DbPassword" value="«${v.password()}»" />`,
    (v) => `psexec \\\\host -u admin -p «${v.oddPassword()}» cmd`,
    (v) => `setx API_TOKEN «${v.base62(32)}»`,
  ],
  "expect and remote": [
    (v) => `expect "*?assword:*"\nsend "«${v.oddPassword()}»\\r"`,
    (v) => `expect {\n  "password:" { send -- "«${v.oddPassword()}»\\r" }\n}`,
    (v) => `child.expect('Password:')\nchild.sendline('«${v.oddPassword()}»')`,
    (v) => `ssh.connect(host, username="root", password="«${v.password()}»")`,
    (v) => `ldapmodify -D "cn=admin" -w «${v.password()}» -f x.ldif`,
    (v) => `lftp -u ${v.name()},«${v.oddPassword()}» sftp://${v.host()}`,
    (v) => `echo «${v.oddPassword()}» | sudo -S apt update`,
    (v) => `echo "${v.name()}:«${v.oddPassword()}»" | chpasswd`,
    (v) => `sudo -S <<< "«${v.oddPassword()}»" systemctl restart x`,
    (v) => `xfreerdp /u:bob /p:«${v.oddPassword()}» /v:${v.host()}`,
    (v) =>
      `snmpwalk -v3 -u bob -a SHA -A «${v.oddPassword()}» -x AES -X «${v.oddPassword()}» ${v.host()}`,
    (v) => `htpasswd -bc .htpasswd ${v.name()} «${v.oddPassword()}»`,
    (v) => `wpa_passphrase HomeNet «${v.oddPassword()}»`,
    (v) => `network={\n  ssid="home"\n  psk="«${v.password()}»"\n}`,
  ],
  databases: [
    (v) => `CREATE USER ${v.name()} WITH PASSWORD '«${v.password()}»';`,
    (v) => `ALTER USER 'root'@'localhost' IDENTIFIED BY '«${v.password()}»';`,
    (v) => `GRANT ALL ON *.* TO 'bob'@'%' IDENTIFIED BY "«${v.password()}»";`,
    (v) => `SET PASSWORD FOR 'bob'@'%' = PASSWORD('«${v.password()}»');`,
    (v) => `db.createUser({ user: "bob", pwd: "«${v.password()}»", roles: ["root"] })`,
    (v) => `DriverManager.getConnection("jdbc:mysql://db/shop", "bob", "«${v.password()}»")`,
    (v) =>
      `jdbc:sqlserver://${v.host()}:1433;databaseName=shop;user=sa;password=«${v.password()}»;encrypt=true`,
    (v) => `sqlplus system/«${v.oddPassword()}»@//db:1521/XE`,
    (v) => `spring.datasource.password=«${v.password()}»`,
    (v) => `'password' => env('DB_PASSWORD', '«${v.password()}»'),`,
    (v) => `mysql_connect("localhost", "root", "«${v.oddPassword()}»");`,
    (v) => `127.0.0.1:6379> AUTH «${v.password()}»`,
    (v) => `cqlsh -u cassandra -p «${v.oddPassword()}» ${v.host()}`,
    (v) => `spark.hadoop.fs.s3a.secret.key «${v.base64(40)}»`,
    (v) => `clickhouse-client --host h --user default --password «${v.password()}»`,
    (v) => `couchdb: http://admin:«${v.oddPassword()}»@127.0.0.1:5984/`,
  ],
  code: [
    (v) => `const password = "«${v.password()}»";`,
    (v) => `String apiKey = "«${v.base62(32)}»"; // TODO move`,
    (v) => `requests.get(url, auth=("${v.name()}", "«${v.oddPassword()}»"))`,
    (v) => `requests.get(url, headers={"Authorization": f"token «${v.github()}»"})`,
    (v) => `app.use(session({ secret: '«${v.plainWords()}»', resave: false }))`,
    (v) => `jwt.sign(payload, "«${v.oddPassword()}»")`,
    (v) => `#define WIFI_PASSWORD "«${v.password()}»"`,
    (v) => `SECRET_KEY = 'django-insecure-«${v.base62(50)}»'`,
    (v) => `config :app, secret_key_base: "«${v.base64(64)}»"`,
    (v) => `password="«${v.password()}»" username="bob"`,
    (v) => `os.environ["OPENAI_API_KEY"] = "«sk-proj-${v.base64url(60)}»"`,
    (v) => `process.env.DB_PASS = '«${v.password()}»'`,
    (v) => `let dbPass = "«${v.oddPassword()}»"`,
    (v) => `curl_setopt($ch, CURLOPT_USERPWD, "bob:«${v.oddPassword()}»");`,
    (v) => `.setPassword("«${v.password()}»")`,
    (v) => `passphrase: '«${v.joined()}»',`,
    (v) => `GIT_ASKPASS=echo GIT_PASSWORD=«${v.password()}» git push`,
    (v) => `{"username": "bob", "password": ${v.digits(10).replace(/^/, "«")}»}`,
  ],
  "web and mail": [
    (v) => `https://${v.host()}/reset?token=«${v.hex(40)}»&user=bob`,
    (v) => `GET /v1/items?api_key=«${v.base62(32)}» HTTP/1.1`,
    (v) => `https://${v.host()}/oauth/cb#access_token=«${v.base64url(50)}»&token_type=bearer`,
    (v) => `username=bob&password=«${v.password()}»&remember=1`,
    (v) => `x-csrf-token: «${v.base64url(40)}»`,
    (v) => `Cookie: PHPSESSID=«${v.base62(26).toLowerCase()}»; _ga=GA1.2.1`,
    (v) => `document.cookie = "auth_token=«${v.base62(40)}»; path=/"`,
    (v) => `Proxy-Authorization: Basic «${v.encode64(`${v.name()}:${v.password()}`)}»`,
    (v) => `AUTH PLAIN «${v.encode64(`\0bob\0${v.oddPassword()}`)}»`,
    (v) => `smtp: { auth: { user: 'bob', pass: '«${v.password()}»' } }`,
    (v) => `otpauth://totp/Acme:bob?secret=«${v.UPPER(32)}»&issuer=Acme`,
    (v) => `ftp://${v.name()}:«${v.password()}»@${v.host()}/pub`,
    (v) => `postData: "{\\"email\\":\\"bob@x.io\\",\\"password\\":\\"«${v.password()}»\\"}"`,
    (v) => `"webhookSecret": "whsec_«${v.base62(32)}»"`,
  ],
};

/** What is said, split, encoded and hidden. */
export const moreSecretsInDisguise = {
  "said in chat": [
    (v) =>
      `ok so the admin password for staging is «${v.oddPassword()}» and the host is ${v.host()}`,
    (v) => `pw: «${v.oddPassword()}»`,
    (v) => `user ${v.name()}, password «${v.oddPassword()}»`,
    (v) => `I changed the root password to «${v.oddPassword()}»`,
    (v) => `**Password:** \`«${v.oddPassword()}»\``,
    (v) => `| password | «${v.oddPassword()}» |`,
    (v) => `- Username: ${v.name()}\n- Password: «${v.oddPassword()}»`,
    (v) => `Das Passwort lautet «${v.oddPassword()}».`,
    (v) => `la contraseña es «${v.oddPassword()}»`,
    (v) => `creds: ${v.name()}:«${v.oddPassword()}»`,
    (v) => `my secret key is «${v.base62(32)}»`,
    (v) => `use this token: «${v.base64url(36)}»`,
    (v) => `PIN: «${v.digits(6)}»`,
    (v) => `seed phrase: «${Array.from({ length: 12 }, () => v.word().slice(0, 8)).join(" ")}»`,
    (v) => `password = «${v.oddPassword()}»`,
    (v) => `Password\n«${v.oddPassword()}»`,
  ],
  "split in code": [
    (v) => {
      const k = v.github();
      return `const key = "«${k.slice(0, 15)}»" + "«${k.slice(15)}»";`;
    },
    (v) => {
      const k = v.github();
      return `key = ['«${k.slice(0, 12)}»', '«${k.slice(12, 25)}»', '«${k.slice(25)}»'].join('')`;
    },
    (v) => {
      const p = v.wordy();
      return `password = "«${p.slice(0, 5)}»" + "«${p.slice(5)}»"`;
    },
    (v) => {
      const k = `sk-ant-api03-${v.base64url(95)}`;
      return `key = ("«${k.slice(0, 40)}»"\n       "«${k.slice(40)}»")`;
    },
    (v) => {
      const k = v.github();
      return `$k = '«${k.slice(0, 18)}»' . '«${k.slice(18)}»';`;
    },
    (v) => {
      const k = `AKIA${v.UPPER(16)}`;
      return `"«${k.slice(0, 8)}»" +\n  "«${k.slice(8)}»"`;
    },
    (v) => {
      const k = v.jwt();
      return `Bearer «${k.slice(0, 60)}»\n«${k.slice(60)}»`;
    },
    (v) => {
      const k = v.github();
      return `> «${k.slice(0, 20)}»\n> «${k.slice(20)}»`;
    },
  ],
  hidden: [
    (v) => {
      const k = v.github();
      return `«${k.slice(0, 10)}\u200b${k.slice(10)}»`;
    },
    (v) => `pass\u200bword=«${v.wordy()}»`,
    (v) => `DB_PASSWORD=«${v.word()}\u200d${v.digits(4)}${v.word()}»`,
    (v) => `&lt;password&gt;«${v.oddPassword().replace(/[^A-Za-z0-9]/g, "x")}»&lt;/password&gt;`,
    (v) => `password=&quot;«${v.wordy()}»&quot;`,
    (v) => `&#112;assword: &quot;«${v.wordy()}»&quot;`,
    (v) => `"{\\\\\\"password\\\\\\":\\\\\\"«${v.wordy()}»\\\\\\"}"`,
    (v) => `%7B%22password%22%3A%22«${v.wordy()}»%22%7D`,
    (v) => `hex: «${Buffer.from(`password=${v.wordy()}`).toString("hex")}»`,
    (v) => `«${v.encode64(`{"user":"bob","password":"${v.wordy()}"}`)}»`,
    (v) => `Authorization: Basic «${v.encode64(`x-access-token:${v.github()}`)}»`,
    (v) =>
      `«${v.lines(v.encode64(`# settings\nHOST=db.example\nDB_PASSWORD=${v.wordy()}\nAPI_TOKEN=${v.github()}\nPORT=5432\n`), 76)}»`,
    (v) =>
      `printf '«${[...v.github()].map((c) => `\\x${c.charCodeAt(0).toString(16)}`).join("")}»'`,
    (v) => `ｐassword=hidden password=«${v.wordy()}»`,
    (v) => `token%3d«${v.github()}»`,
    (v) => `url=https%253A%252F%252Fx%253Ftoken%253D«${v.github()}»`,
    (v) => `data: «${v.encode64(v.encode64(`token=${v.github()}`))}»`,
  ],
};
