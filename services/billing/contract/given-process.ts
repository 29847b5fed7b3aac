import { billingInternalRoutes as internal, billingRoutes as routes } from '@parley/contracts'
import { createIdentityCodec, newId } from '@parley/kit'
import { apiClient, type ServiceProcess, servicePrincipal, startServiceProcess, userPrincipal } from '@parley/testing'

/** Billing as a process of its own, and what is asked of it. */
export interface BillingProcess extends ServiceProcess {
  /** Sets a credit aside for a user, as chat does. Resolves to the answer's status, code and Retry-After. */
  hold(userId: string): Promise<{ status: number; code: string | undefined; retryAfter: string | undefined }>
  /** Credits that a user has left. */
  remaining(userId: string): Promise<number>
  /** Why the engine was not usable, each time that it was logged. */
  reasons(): string[]
  close(): Promise<void>
}

/** @param brokers of a Kafka */
export async function startBilling(postgresUrl: string, brokers: string): Promise<BillingProcess> {
  const secret = 'a secret of at least thirty-two characters'
  const process = await startServiceProcess('billing', {
    INTERNAL_SECRET: secret,
    POSTGRES_URL: postgresUrl,
    AUTH_URL: 'http://127.0.0.1:9',
    KAFKA_BROKERS: brokers,
    KAFKA_TOPIC_PREFIX: `billing-${newId()}`,
    DRAIN_DELAY_MS: '0',
  })
  const client = apiClient(process.url, createIdentityCodec(secret))
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
