/*
 * What projects choose one of, by the names people ask for it with, and what there is to choose. General knowledge of the
 * field, by three rules:
 *
 * - A category is something that most projects decide once and that newcomers ask about.
 * - A member is known well enough to have a place in general introductions to its category; it is not here because some
 *   question missed it.
 * - A word that mostly means something else, also among developers, is not here: `go`, `make`, `just`, `black`, `next`,
 *   `fish`, `linear`, `cursor`.
 *
 * A name or a member of several words is there if all of them are, in any order.
 */

/** A kind of thing: names and members, each a list with commas. */
interface Category {
  readonly names: string;
  readonly members: string;
}

/** What projects choose one of. */
export const categories: readonly Category[] = [
  {
    names:
      "package manager, dependency manager, package installer, install package, install dependency, install library, install module, add package, add dependency",
    members:
      "npm, pnpm, yarn, bun, pip, pipx, uv, poetry, pipenv, conda, mamba, cargo, rubygems, bundler, composer, nuget, maven, gradle, sbt, leiningen, cocoapods, homebrew, brew, apt, vcpkg, conan",
  },
  {
    names: "test runner, test framework, test library, test tool, run test, execute test",
    members:
      "jest, vitest, mocha, jasmine, karma, pytest, unittest, tox, rspec, minitest, junit, testng, phpunit, nextest, xunit, nunit, mstest, ginkgo, gtest, ctest, exunit, cypress, playwright, selenium, bun test, cargo test, npm test, go test",
  },
  {
    names: "database, db, datastore, data store, data storage",
    members:
      "postgres, postgresql, mysql, mariadb, sqlite, mssql, sql server, mongodb, mongo, redis, cassandra, dynamodb, couchdb, neo4j, duckdb, clickhouse, cockroachdb, firestore, supabase, snowflake, bigquery",
  },
  {
    names: "orm, database library, query builder",
    members:
      "prisma, drizzle, typeorm, sequelize, knex, kysely, sqlalchemy, hibernate, activerecord, mongoose, ecto, gorm, diesel, entity framework",
  },
  {
    names: "language, programming language",
    members:
      "javascript, typescript, python, ruby, rust, golang, java, kotlin, scala, swift, php, perl, haskell, elixir, erlang, clojure, csharp, cpp, julia, lua, dart, zig, ocaml, fortran",
  },
  {
    names: "runtime, interpreter",
    members: "node, nodejs, deno, bun, python, cpython, pypy, jvm, dotnet",
  },
  {
    names: "formatter, format code, code style, code format",
    members:
      "prettier, biome, dprint, gofmt, rustfmt, ruff, yapf, autopep8, clang format, shfmt, ktlint, swiftformat, rubocop",
  },
  {
    names: "linter, lint, static analysis",
    members:
      "eslint, biome, oxlint, tslint, jshint, stylelint, ruff, flake8, pylint, clippy, golangci, rubocop, checkstyle, ktlint, detekt, swiftlint, shellcheck, phpstan, psalm, sonarqube",
  },
  { names: "type checker, type check", members: "tsc, mypy, pyright, sorbet, pytype" },
  {
    names: "framework, web framework, frontend framework, backend framework",
    members:
      "react, vue, svelte, angular, solidjs, preact, nextjs, nuxt, remix, astro, ember, django, flask, fastapi, rails, sinatra, laravel, symfony, spring, express, koa, fastify, nestjs, hono, phoenix, actix, axum",
  },
  {
    names: "css, styling, style sheet, component library, ui library",
    members:
      "tailwind, bootstrap, chakra, shadcn, radix, mui, material ui, sass, scss, bulma, styled components",
  },
  {
    names: "state management, state library",
    members: "redux, zustand, mobx, jotai, recoil, pinia, vuex",
  },
  {
    names: "bundler, bundle, build tool, build system",
    members:
      "webpack, vite, rollup, rolldown, esbuild, parcel, turbopack, rspack, swc, tsup, babel, cmake, bazel, gradle, maven, meson, nx, turborepo",
  },
  { names: "monorepo", members: "turborepo, nx, lerna, bazel, npm workspaces, pnpm workspaces" },
  {
    names: "editor, ide",
    members:
      "vscode, vs code, vim, neovim, nvim, emacs, intellij, webstorm, pycharm, zed, sublime, xcode, android studio, eclipse",
  },
  {
    names: "cloud, cloud provider, hosting, hosted, host, deploy",
    members:
      "aws, azure, gcp, google cloud, heroku, vercel, netlify, cloudflare, flyio, digitalocean, linode, hetzner, railway, firebase",
  },
  {
    names: "ci, continuous integration, pipeline, build server",
    members:
      "github actions, gitlab ci, jenkins, circleci, travis, buildkite, teamcity, azure pipelines, woodpecker",
  },
  {
    names: "container, container runtime, orchestration",
    members: "docker, podman, containerd, kubernetes, k8s, helm, nomad, ecs",
  },
  {
    names: "infrastructure, provisioning",
    members: "terraform, opentofu, pulumi, ansible, cloudformation, puppet, packer",
  },
  {
    names: "web server, reverse proxy, load balancer",
    members: "nginx, apache, caddy, traefik, haproxy, envoy",
  },
  {
    names: "version control, vcs, source control, code host",
    members: "git, github, gitlab, bitbucket, mercurial, svn, perforce",
  },
  {
    names: "git hook, commit hook, pre commit",
    members: "husky, lefthook, lint staged",
  },
  {
    names: "queue, message queue, broker, message broker, job queue",
    members: "kafka, rabbitmq, sqs, nats, pulsar, celery, sidekiq, bullmq, zeromq",
  },
  { names: "cache, caching", members: "redis, memcached, valkey, varnish" },
  {
    names: "search engine, full text",
    members: "elasticsearch, opensearch, meilisearch, typesense, solr, algolia, lucene",
  },
  { names: "api, api style, api protocol", members: "graphql, grpc, trpc, openapi, swagger" },
  {
    names: "auth, authentication, login, identity",
    members: "oauth, oidc, saml, jwt, auth0, keycloak, okta, cognito, passkey",
  },
  {
    names: "monitoring, observability, metrics, error tracking, tracing",
    members:
      "datadog, grafana, prometheus, sentry, new relic, opentelemetry, otel, loki, kibana, splunk, honeycomb",
  },
  {
    names: "validation, validation library, schema library",
    members: "zod, yup, joi, ajv, valibot, pydantic",
  },
  {
    names: "documentation tool, docs site, documentation site",
    members: "docusaurus, mkdocs, sphinx, vitepress, typedoc, javadoc, storybook",
  },
  {
    names: "issue tracker, ticket system, task tracker, bug tracker",
    members: "jira, trello, asana, github issues, youtrack, redmine, bugzilla",
  },
  { names: "chat, messenger", members: "slack, discord, mattermost, telegram, irc" },
  { names: "payment, payment provider", members: "stripe, paypal, braintree, adyen, paddle" },
  { names: "email provider, mail provider", members: "sendgrid, mailgun, postmark, smtp" },
  {
    names: "secret manager, secret store",
    members: "vault, doppler, dotenv, sops, secrets manager",
  },
  {
    names: "mobile, mobile framework",
    members: "react native, flutter, swiftui, expo, ionic, capacitor, android, ios",
  },
  { names: "game engine", members: "unity, unreal, godot" },
  { names: "shell", members: "bash, zsh, powershell" },
  {
    names: "operating system, os, platform",
    members: "linux, macos, windows, ubuntu, debian, fedora, alpine, freebsd, android, ios",
  },
  { names: "browser", members: "chrome, chromium, firefox, safari, webkit" },
  {
    names: "model, llm, language model",
    members:
      "claude, gpt, gemini, llama, mistral, deepseek, qwen, sonnet, opus, haiku, ollama, openai, anthropic",
  },
  {
    names: "agent, coding agent, coding assistant",
    members: "claude code, codex, aider, copilot, gemini cli, opencode",
  },
  { names: "license, licence", members: "mit, apache, gpl, lgpl, agpl, bsd, mpl" },
];
