/** Something that was said, what was said later, and the question it answers. */
export interface FactPair {
  readonly question: string;
  readonly older: string;
  readonly newer: string;
}

type Row = readonly [question: string, older: string, ...newer: readonly string[]];

const updateRows: readonly Row[] = [
  [
    "When is the release deadline for Apollo?",
    "The release deadline for Apollo is March 3.",
    "The Apollo release deadline was moved to March 17.",
    "New deadline for the Apollo release: April 2.",
    "Actually, the Apollo release deadline is March 24.",
  ],
  [
    "Which port does the billing service listen on?",
    "The billing service listens on port 8080.",
    "The billing service now listens on port 9443.",
    "We changed the billing service to port 7001.",
    "Correction: the billing service listens on port 8443.",
  ],
  [
    "Which database do we use for orders?",
    "We use MySQL as the database for orders.",
    "We migrated the orders database to PostgreSQL.",
    "We use PostgreSQL as the database for orders.",
    "The orders database is no longer MySQL, we switched it to SQLite.",
  ],
  [
    "Who reviews the payment changes?",
    "Anna reviews the payment changes.",
    "Boris reviews the payment changes from now on.",
    "Carla reviews the payment changes.",
    "The payment changes are reviewed by Dmitri instead of Anna.",
  ],
  [
    "How large is the marketing budget?",
    "The marketing budget is 20,000 dollars.",
    "The marketing budget was raised to 35,000 dollars.",
    "The marketing budget is 28,000 dollars.",
    "They reduced the marketing budget to 12,000 dollars.",
  ],
  [
    "Which editor do I use for Go?",
    "I use vim for Go.",
    "I use Zed for Go.",
    "I switched to GoLand for Go.",
    "For Go I no longer use vim, I use Helix.",
  ],
  [
    "What is the timeout of the upload worker?",
    "The timeout of the upload worker is 30 seconds.",
    "The timeout of the upload worker is 120 seconds.",
    "We increased the upload worker timeout to 90 seconds.",
    "I set the upload worker timeout to 45 seconds instead.",
  ],
  [
    "Where is the staging cluster hosted?",
    "The staging cluster is hosted in Frankfurt.",
    "The staging cluster is hosted in Dublin.",
    "We moved the staging cluster to Stockholm.",
    "Staging cluster update: it is now hosted in Paris.",
  ],
  [
    "Which version of Node does the gateway require?",
    "The gateway requires Node 18.",
    "The gateway requires Node 22.",
    "We upgraded the gateway, it now requires Node 20.",
    "As of today the gateway requires Node 24.",
  ],
  [
    "What is the retry limit of the mail queue?",
    "The retry limit of the mail queue is 3.",
    "The retry limit of the mail queue is 10.",
    "We raised the mail queue retry limit to 5.",
    "Actually the mail queue retry limit should be 7.",
  ],
  [
    "When does the weekly sync meeting start?",
    "The weekly sync meeting starts at 9:00.",
    "The weekly sync meeting starts at 10:30.",
    "The weekly sync meeting was rescheduled to 14:00.",
    "They moved the weekly sync meeting to 11:15.",
  ],
  [
    "Which test runner does the frontend use?",
    "The frontend uses Jest as its test runner.",
    "The frontend uses Vitest as its test runner.",
    "We replaced Jest, the frontend test runner is Vitest.",
    "The frontend test runner was switched to Playwright.",
  ],
  [
    "What is the name of the export job?",
    "The export job is called nightly-dump.",
    "The export job is called lake-sync.",
    "We renamed the export job to warehouse-feed.",
    "The export job got a new name, it is now called parquet-push.",
  ],
  [
    "How often are backups taken?",
    "Backups are taken every 24 hours.",
    "Backups are taken every 6 hours.",
    "Backups are now taken every 2 hours.",
    "We changed it so that backups are taken every 12 hours.",
  ],
  [
    "Which branch do we release from?",
    "We release from the branch main.",
    "We release from the branch stable.",
    "From now on we release from the branch release-2.",
    "We no longer release from main, we release from the branch production.",
  ],
  [
    "What is my phone plan limit?",
    "My phone plan has a limit of 10 GB.",
    "My phone plan has a limit of 25 GB.",
    "I upgraded my phone plan, the limit is 40 GB now.",
    "The limit of my phone plan was changed to 15 GB.",
  ],
  [
    "Which queue does the importer publish to?",
    "The importer publishes to the queue `raw-events`.",
    "The importer publishes to the queue `events-v2`.",
    "The importer was changed to publish to the queue `ingest`.",
    "Let's use the queue `landing` for the importer instead of `raw-events`.",
  ],
  [
    "How many replicas does the search service run?",
    "The search service runs 2 replicas.",
    "The search service runs 5 replicas.",
    "We scaled the search service, it now runs 4 replicas.",
    "The search service replicas were increased from 2 to 6.",
  ],
  [
    "What is the maximum upload size?",
    "The maximum upload size is 5 MB.",
    "The maximum upload size is 50 MB.",
    "The maximum upload size was raised to 20 MB.",
    "Actually, the maximum upload size is 10 MB.",
  ],
  [
    "Who is the owner of the login module?",
    "The owner of the login module is Priya.",
    "The owner of the login module is Tomas.",
    "Ownership changed: the login module owner is now Ines.",
    "The login module has a new owner, Wei.",
  ],
  [
    "Which region do customer invoices go to?",
    "Customer invoices go to region eu-west-1.",
    "Customer invoices go to region eu-north-1.",
    "We moved customer invoices to region us-east-2.",
    "Customer invoices no longer go to eu-west-1 but to region ap-south-1.",
  ],
  [
    "What colour is the primary button?",
    "The primary button is blue.",
    "The primary button is green.",
    "We changed the primary button to teal.",
    "The primary button is no longer blue, it is orange.",
  ],
  [
    "Which license does the parser package have?",
    "The parser package has the MIT license.",
    "The parser package has the Apache license.",
    "The parser package license was changed to BSD.",
    "We relicensed: the parser package license is now MPL.",
  ],
  [
    "When do I fly to Lisbon?",
    "I fly to Lisbon on May 4.",
    "I fly to Lisbon on May 9.",
    "My Lisbon flight was rescheduled to May 11.",
    "I changed my flight to Lisbon to May 6.",
  ],
  [
    "What is the interest rate of the loan?",
    "The interest rate of the loan is 4.1 percent.",
    "The interest rate of the loan is 3.6 percent.",
    "The bank lowered the interest rate of the loan to 3.2 percent.",
    "Update: the loan interest rate is 3.9 percent.",
  ],
  [
    "Which framework is the admin panel built with?",
    "The admin panel is built with Angular.",
    "The admin panel is built with Svelte.",
    "We rewrote the admin panel, it is built with React now.",
    "The admin panel was migrated from Angular to Vue.",
  ],
  [
    "How long is the trial period?",
    "The trial period is 14 days.",
    "The trial period is 30 days.",
    "The trial period was extended to 21 days.",
    "We reduced the trial period to 7 days.",
  ],
  [
    "What is the log level in production?",
    "The log level in production is info.",
    "The log level in production is warn.",
    "We lowered the production log level to error.",
    "The production log level was changed to debug.",
  ],
  [
    "Which cache does the session store use?",
    "The session store uses Memcached as its cache.",
    "The session store uses Redis as its cache.",
    "The session store cache was switched to Valkey.",
    "We use Redis instead of Memcached as the session store cache.",
  ],
  [
    "How many people are on the mobile team?",
    "There are 6 people on the mobile team.",
    "There are 9 people on the mobile team.",
    "The mobile team grew, there are now 8 people on it.",
    "The mobile team was reduced to 4 people.",
  ],
];

const contradictionRows: readonly Row[] = [
  [
    "Have I used Flask before?",
    "I have never used Flask in any project.",
    "I have used Flask in a project for the school.",
  ],
  [
    "Do we support Windows in the installer?",
    "The installer supports Windows.",
    "The installer does not support Windows.",
  ],
  ["Do I eat meat?", "I eat meat at lunch.", "I don't eat meat at lunch."],
  [
    "Is the audit log encrypted?",
    "The audit log is encrypted on disk.",
    "The audit log is not encrypted on disk.",
  ],
  [
    "Have I met the new manager?",
    "I have met the new manager in Berlin.",
    "I have never met the new manager in Berlin.",
  ],
  [
    "Are feature flags cached?",
    "Feature flags are cached for a minute.",
    "Feature flags are never cached.",
  ],
  [
    "Does the CLI send telemetry?",
    "The CLI sends telemetry once a day.",
    "The CLI never sends telemetry.",
  ],
  [
    "Did I finish the onboarding course?",
    "I finished the onboarding course last week.",
    "I haven't finished the onboarding course.",
  ],
  [
    "Can guests download invoices?",
    "Guests can download invoices from the portal.",
    "Guests cannot download invoices from the portal.",
  ],
  [
    "Is the migration reversible?",
    "The schema migration is reversible.",
    "The schema migration isn't reversible.",
  ],
  [
    "Do we pin dependency versions?",
    "We pin dependency versions in every service.",
    "We don't pin dependency versions in every service.",
  ],
  [
    "Have I integrated Stripe webhooks?",
    "I have integrated Stripe webhooks already.",
    "I have not integrated Stripe webhooks.",
  ],
  [
    "Does the parser accept comments?",
    "The config parser accepts comments.",
    "The config parser does not accept comments.",
  ],
  ["Do I own a car?", "I own a car in the city.", "I don't own a car in the city."],
  [
    "Is the staging data anonymised?",
    "The staging data is anonymised every night.",
    "The staging data is not anonymised.",
  ],
  [
    "Do uploads go through the proxy?",
    "Uploads go through the proxy.",
    "Uploads never go through the proxy.",
  ],
  [
    "Was the pentest report shared?",
    "The pentest report was shared with the client.",
    "The pentest report was not shared with the client.",
  ],
  [
    "Do we run tests on ARM?",
    "We run the integration tests on ARM.",
    "We do not run the integration tests on ARM.",
  ],
  [
    "Is two factor login required?",
    "Two factor login is required for admins.",
    "Two factor login isn't required for admins.",
  ],
  [
    "Have I written Rust professionally?",
    "I have written Rust professionally for years.",
    "I have never written Rust professionally.",
  ],
];

/** Facts that were updated, each in several wordings. */
export const updates = pairsOf(updateRows);
/** Facts that one statement affirms and another denies. */
export const contradictions = pairsOf(contradictionRows);

function pairsOf(rows: readonly Row[]): readonly FactPair[] {
  return rows.flatMap(([question, older, ...newer]) =>
    newer.map((one) => ({ question, older, newer: one })),
  );
}

/** What people say beside it. */
export const smallTalk: readonly string[] = [
  "Please run the tests again.",
  "What do you think about the layout?",
  "The weather is awful today.",
  "Let me know when the build is done.",
  "Thanks, that looks good.",
  "Can you explain the error message?",
  "I will be back after lunch.",
  "Show me the diff of the last commit.",
  "Which files did you change?",
  "Please write a short summary.",
];
