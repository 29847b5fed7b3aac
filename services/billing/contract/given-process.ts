import { billingInternalRoutes as internal, billingRoutes as routes } from '@parley/contracts'
import { newId, newIdentityVariables } from '@parley/kit'
import {
  apiClient,
  type ServiceProcess,
  servicePrincipal,
  startServiceProcess,
  testIdentity,
  userPrincipal,
} from '@parley/testing'
import { engineUrl } from '@parley/testing/test-engines'

/** Billing in a process of its own, with calls to it. */
export interface BillingProcess extends ServiceProcess {
  /** Holds a credit for a user, as chat does. Resolves to the response's status, code and Retry-After. */
  hold(userId: string): Promise<{ status: number; code: string | undefined; retryAfter: string | undefined }>
  /** A user's remaining credits. */
  remaining(userId: string): Promise<number>
  /** The logged reasons why the engine was unusable. */
  reasons(): string[]
  close(): Promise<void>
}

/**
 * @param brokers of Kafka
 * @param changes further variables
 */
export async function startBilling(
  postgresUrl: string,
  brokers: string,
  changes: Readonly<Record<string, string>> = {},
): Promise<BillingProcess> {
  const identity = newIdentityVariables()
  const process = await startServiceProcess('billing', {
    ...identity.billing,
    POSTGRES_URL: postgresUrl,
    AUTH_URL: 'http://127.0.0.1:9',
    KAFKA_BROKERS: brokers,
    KAFKA_TOPIC_PREFIX: `billing-${newId()}`,
    REDIS_URL: engineUrl('redis') ?? '',
    REDIS_PREFIX: `billing-${newId()}`,
    DRAIN_DELAY_MS: '0',
    ...changes,
  })
  const client = apiClient(process.url, testIdentity(identity))
  const chat = client.as(servicePrincipal('chat'))
  return {
    ...process,
    async hold(userId) {
      const body = { userId, amount: 1, generationId: newId(), unlimited: false }
      const answer = await chat.call(internal.hold, { body })
      const { code } = answer.body as { code?: string }
      return { status: answer.status, code, retryAfter: answer.headers['retry-after'] as string | undefined }
    },
    async remaining(userId) {
      const { body } = await client.as(userPrincipal({ userId })).call(routes.credits)
      return body.remaining
    },
    reasons: () => [...process.output().matchAll(/"reason":"([^"\\]*)/g)].map(([, reason]) => reason ?? ''),
    async close() {
      await client.close()
      process.signal('SIGTERM')
      await process.exit
    },
  }
}
