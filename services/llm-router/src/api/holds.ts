import { billingInternalRoutes, mostHolds } from '@parley/contracts'
import {
  AppError,
  type Batched,
  createBatches,
  isAppError,
  type ServiceClient,
  unavailable,
  withTimeout,
} from '@parley/kit'
import type { z } from 'zod'

/** Holds wait for a call in progress, to share the next one, but no longer than this, in milliseconds. */
const patienceMs = 100
/** While several arrive at once, a batch waits this long for more, in milliseconds. */
const gatherMs = 4

type Hold = z.input<typeof billingInternalRoutes.hold.body & {}>
type Held = z.output<typeof billingInternalRoutes.hold.answer & {}>
type OneOfSeveral = z.output<typeof billingInternalRoutes.holdSeveral.answer & {}>['results'][number]

type Asked = Batched<Hold, Held>

/** Requests a hold from billing. @throws AppError with billing's refusal, or unavailable */
export type AskForHold = (hold: Hold) => Promise<Held>

/**
 * Requests holds from billing: immediately if no call is in progress, else in a batch with others, each of which succeeds or fails separately.
 * @param timeoutMs timeout of billing's response
 */
export function createHolds(client: Pick<ServiceClient, 'call'>, timeoutMs: number): AskForHold {
  const alone = (body: Hold): Promise<Held> =>
    client.call(billingInternalRoutes.hold, { body, timeoutMs, repeat: true })
  const several = async (asked: readonly Asked[]): Promise<readonly OneOfSeveral[]> => {
    const holds = asked.map(({ item }) => item)
    try {
      const body = { holds }
      const { results } = await client.call(billingInternalRoutes.holdSeveral, { body, timeoutMs, repeat: true })
      return results
    } catch (error) {
      // A replica of the previous version lacks this call.
      if (isAppError(error, 'not_found')) return asked.map(() => ({ apart: true }))
      throw error
    }
  }
  const ask = async (asked: readonly Asked[]): Promise<void> => {
    const [first] = asked
    if (first !== undefined && asked.length === 1) {
      await alone(first.item).then(first.resolve, first.reject)
      return
    }
    try {
      const results = await several(asked)
      for (const [nth, { item, resolve, reject }] of asked.entries()) {
        const result = results[nth]
        if (result === undefined) reject(unavailable())
        else if ('apart' in result) resolve(alone(item))
        else if ('refusal' in result) reject(refusalOf(result.refusal))
        else resolve(result)
      }
    } catch (error) {
      for (const { reject } of asked) reject(error)
    }
  }
  // `ask` never rejects, so only the timeout is caught; the next call then starts concurrently.
  return createBatches((asked) => withTimeout(patienceMs, ask(asked)).catch(() => undefined), {
    ...{ most: mostHolds, gatherMs },
  })
}

const refusalOf = ({
  code,
  error,
  headers,
}: Extract<OneOfSeveral, { readonly refusal: unknown }>['refusal']): AppError => new AppError(code, error, { headers })
