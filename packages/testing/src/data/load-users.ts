import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { authAdminRoutes, billingAdminRoutes, type SignInAnswer } from '@parley/contracts'
import { newId } from '@parley/kit'
import { type ApiClient, apiClient } from '../calls/api.ts'
import { waitUntil } from './wait-until.ts'

/** A user of a load test; `id`, `api` and `token` are those of the last sign-in. */
export type LoadUser = ReturnType<typeof userOf>
type SignedIn = Extract<SignInAnswer, { emailVerificationRequired: false }>

const password = 'correct horse battery'
const limitMs = 120_000

function userOf(client: ApiClient, username: string, password: string) {
  let token = ''
  let id = ''
  return {
    get id() {
      return id
    },
    username,
    password,
    api: client.with(() => ({ authorization: `Bearer ${token}` })),
    get token() {
      return token
    },
    /** Signs in again, since a token expires after 15 minutes. */
    async signIn(): Promise<void> {
      const ask = () => client.post('/api/auth/login', { identifier: username, password })
      let answer = await ask()
      if (answer.status === 429) {
        // An earlier load has exhausted the current limit.
        await pause(Number(answer.headers['retry-after']) * 1_000)
        answer = await ask()
      }
      assert.equal(answer.status, 200, answer.text)
      const signedIn = answer.body as SignedIn
      token = signedIn.token
      id = signedIn.user._id
    },
  }
}

/**
 * Signs in as the admin of a running system, lifts its limits, and registers users with ample credits.
 * @throws if a call is refused
 */
export async function openLoadUsers(url: string, adminPassword: string, count: number) {
  const client = apiClient(url)
  const admin = userOf(client, 'admin', adminPassword)
  await admin.signIn()
  const change = async (settings: object, plan: object): Promise<void> => {
    for (const [path, body] of [
      ['settings', settings],
      ['plans/free', plan],
    ] as const) {
      const { status, text } = await admin.api.patch(`/api/admin/${path}`, body)
      assert.equal(status, 200, text)
    }
  }
  const [settings, plans] = [
    await admin.api.call(authAdminRoutes.settings),
    await admin.api.call(billingAdminRoutes.plans),
  ]
  const plan = plans.body.plans.find(({ id }) => id === 'free')
  const limit = { windowMinutes: 1, maxRequests: 1_000_000 }
  await change(
    {
      rateLimits: { web: limit, apiV1: limit },
      guest: { weeklyLimit: 100_000 },
      storage: { maxBytesPerUser: 0, maxChatsPerUser: 0 },
      emailVerificationRequired: false,
    },
    { requestsPerWindow: 1_000_000 },
  )
  const users: LoadUser[] = []
  for (let nth = 0; nth < count; nth += 1) {
    const user = userOf(client, `load-${newId().slice(-8)}`, password)
    const { username } = user
    const registration = { username, email: `${username}@parley.test`, password }
    const { status, body, text } = await client.post('/api/auth/register', registration)
    assert.equal(status, 201, text)
    const { _id: id } = (body as SignedIn).user
    const grant = () => admin.api.post(`/api/admin/users/${id}/credits`, { amount: 1_000_000 })
    // Billing learns of a registration by an event.
    await waitUntil(async () => (await grant()).status < 300, `the credits of ${username}`, limitMs, 500)
    await user.signIn()
    users.push(user)
  }
  return {
    admin,
    users,
    /** Restores the limits of the settings and the plan. */
    async restore(): Promise<void> {
      await admin.signIn()
      const { rateLimits, guest, storage, emailVerificationRequired } = settings.body
      await change(
        { rateLimits, guest, storage, emailVerificationRequired },
        { requestsPerWindow: plan?.requestsPerWindow },
      )
    },
    close: () => client.close(),
  }
}
