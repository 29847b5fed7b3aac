import type {
  ActiveUsers,
  AdminApiKey,
  AdminPlan,
  AdminSettings,
  AdminUser,
  AuditEntry,
  Model,
} from '@parley/contracts'

const time = '2026-01-15T10:00:00.000Z'
const dateOf = (daysAgo: number): string => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)
const longName = 'someone-with-the-longest-name-32'

const user = (index: number, fields: Partial<AdminUser> = {}): AdminUser => ({
  _id: `user-${index}`,
  username: `person-${index}`,
  email: `person-${index}@example.org`,
  isAdmin: false,
  isSuperAdmin: false,
  banned: false,
  type: 'local',
  createdAt: time,
  lastLoginAt: time,
  emailVerified: true,
  plan: { id: 'free', name: 'Free' },
  credits: { remaining: 100 - index * 4, monthly: 100, resetDate: time },
  ...fields,
})

/** One user of every kind. */
export const someUsers: readonly AdminUser[] = [
  user(1, { isAdmin: true, isSuperAdmin: true, username: 'admin' }),
  user(2, { isAdmin: true }),
  user(3, { banned: true }),
  user(4, { emailVerified: false, lastLoginAt: null }),
  user(5, { username: longName, email: `${longName}.of.a.department@subsidiary.example.org`, type: 'oauth' }),
  user(6, { plan: null, credits: null }),
  ...Array.from({ length: 14 }, (_, index) => user(index + 7)),
]

export const somePlans: readonly (AdminPlan & { users: number })[] = ['Free', 'Plus', 'Pro'].map((name, index) => ({
  id: name.toLowerCase(),
  name,
  description: index === 0 ? 'For trying it out' : 'For everyday work, with all models and long answers of every kind',
  monthlyCredits: 100 * 10 ** index,
  requestsPerWindow: 60,
  windowMs: 60_000,
  default: index === 0,
  version: 1,
  users: [1_180, 96, 0][index] ?? 0,
}))

const model = (index: number, provider: Model['provider'], fields: Partial<Model> = {}): Model => ({
  id: `${provider}/model-${index}`,
  name: `Model ${index}`,
  description: 'Answers questions',
  provider,
  group: index % 2 === 0 ? 'Chat' : 'Reasoning',
  apiEndpoint: '',
  apiModelName: '',
  enabled: index % 3 !== 0,
  contextLength: 128_000,
  maxTokens: 8_192,
  temperature: 1,
  modelType: 'text',
  supportsThinking: false,
  supportsTools: true,
  supportsImageAttachments: false,
  supportsFileAttachments: false,
  creditsPerMessage: index,
  requestsPerMinute: 0,
  tokensPerMinute: 0,
  customHeaders: [{ name: 'X-Team', value: 'research' }],
  sdkType: 'openai-sdk',
  fallbackModels: index === 1 ? [`${provider}/model-2`, `${provider}/model-4`] : [],
  version: 1,
  usage: { totalRequests: 1_200 * index, averageResponseMs: 2_340, lastUsed: index === 4 ? null : time },
  createdAt: time,
  updatedAt: time,
  updatedBy: null,
  ...fields,
})

export const someModels: readonly Model[] = (['openai', 'deepseek'] as const).flatMap((provider) =>
  [1, 2, 3, 4].map((index) => model(index, provider)),
)

const used = { requests: 1_234, inputTokens: 456_000, outputTokens: 98_000, estimated: false, models: [] }
export const someAdminKeys: readonly AdminApiKey[] = ([1, 3, 5] as const).map((tier) => ({
  id: `key-${tier}`,
  label: tier === 5 ? 'A label that goes on and on until no line has room for all of its words' : `Report ${tier}`,
  prefix: 'sk-Ab12',
  lastFour: 'x9Zq',
  tier,
  createdAt: time,
  lastUsed: tier === 3 ? null : time,
  expiresAt: null,
  limits: { requests: 600, windowMinutes: 60, remaining: 412 },
  usage: {
    total: used,
    monthly: used,
    days: Array.from({ length: 20 }, (_, day) => ({ date: dateOf(22 - day), requests: day * (day % 4) })),
  },
  userId: 'user-3',
  username: 'person-3',
  customLimits: tier === 5 ? { requests: 500, windowMinutes: 15 } : null,
  version: 1,
}))

const entry = (index: number, fields: Partial<AuditEntry>): AuditEntry => ({
  id: `entry-${index}`,
  at: time,
  actor: { id: 'user-1', username: 'admin' },
  action: 'user.banned',
  target: { type: 'user', id: 'user-3', name: 'person-3' },
  before: { banned: false },
  after: { banned: true },
  reversible: true,
  requestId: `request-${index}`,
  ...fields,
})
export const someEntries: readonly AuditEntry[] = [
  entry(1, {}),
  entry(2, { undoneBy: 'entry-1' }),
  entry(3, { undoes: 'entry-4', reversible: false }),
  entry(4, {
    action: 'settings.changed',
    target: { type: 'settings', id: null, name: null },
    before: { systemPrompt: '', rateLimits: { web: { maxRequests: 30 } } },
    after: {
      systemPrompt: 'Be brief and kind, and say where you know it from.',
      rateLimits: { web: { maxRequests: 60 } },
    },
  }),
  entry(5, { viewingAs: { id: 'user-4', username: 'person-4' }, before: null, after: null, reversible: false }),
]

export const someSettings: AdminSettings = {
  registration: { local: true, oauth: false },
  registrationEnabled: true,
  guest: { enabled: true, weeklyLimit: 2 },
  rateLimits: { web: { windowMinutes: 1, maxRequests: 30 }, apiV1: { windowMinutes: 1, maxRequests: 60 } },
  systemPrompt: 'You answer briefly.',
  creditWarningThreshold: 80,
  dataExportCooldownMinutes: 1_440,
  emailVerificationRequired: true,
  storage: { maxBytesPerUser: 1_000_000_000, maxChatsPerUser: 10_000 },
  chatTitles: true,
  followUps: false,
  version: 4,
}

const usageOf = (id: string, index: number) => ({
  id,
  requests: 120 + index * 7,
  inputTokens: 40_000 + index * 900,
  outputTokens: 9_000 + index * 200,
  credits: 80 + index * (index % 5),
  keyRequests: 20 + index * 3,
  keyCredits: 10 + index * (index % 3),
  estimated: false,
  errors: index % 4,
  averageResponseMs: 2_100,
  days: [],
})
export const someUsageByDay = Array.from({ length: 30 }, (_, index) => usageOf(dateOf(29 - index), index))
export const someUsageByModel = ['v3', 'openai/model-1'].map(usageOf)
export const someReceipts = [
  {
    generationId: 'g1',
    at: time,
    model: 'v3',
    source: 'web',
    held: 5,
    charged: 3,
    released: 2,
    outcome: 'complete',
    inputTokens: 1_204,
    outputTokens: 300,
    estimated: false,
    balanceAfter: 95,
    reason: 'The answer was made.',
  },
]

const lastDays = Array.from({ length: 20 }, (_, day) => ({ date: dateOf(19 - day), day }))
export const someActiveUsers: ActiveUsers = {
  last30Days: 874,
  days: lastDays.map(({ date, day }) => ({ date, users: 250 + ((day * 37) % 90) })),
}
export const someFirstTokens = {
  total: { answers: 18_400, p50Ms: 840, p95Ms: 3_120 },
  days: lastDays.map(({ date, day }) => ({
    date,
    answers: 900,
    p50Ms: 800 + day * 5,
    p95Ms: 3_000 + ((day * 71) % 400),
  })),
}

/** The refusal of a service that is down. */
export const unavailable = { error: 'The service is unavailable', code: 'unavailable', requestId: 'r' }
