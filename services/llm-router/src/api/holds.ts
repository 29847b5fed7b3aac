import { billingInternalRoutes, mostHolds } from '@parley/contracts'
import { AppError, createBatches, isAppError, type ServiceClient, unavailable, withTimeout } from '@parley/kit'
import type { z } from 'zod'

/** While a call for others is under way, holds wait for it to go together in the next one, but no longer than this. Milliseconds. */
const patienceMs = 100
/** While several come at once, so long are more of them waited for. Milliseconds. */
const gatherMs = 4

type Hold = z.input<typeof billingInternalRoutes.hold.body & {}>
type Held = z.output<typeof billingInternalRoutes.hold.answer & {}>
type OneOfSeveral = z.output<typeof billingInternalRoutes.holdSeveral.answer & {}>['results'][number]

interface Asked {
  readonly hold: Hold
  readonly resolve: (held: Held | Promise<Held>) => void
  readonly reject: (error: unknown) => void
}

/** Asks billing for a hold. @throws AppError as billing refuses it, or unavailable */
export type AskForHold = (hold: Hold) => Promise<Held>

/**
 * Asks billing for holds: at once where no call is under way, else together with the others that came meanwhile, each of which is answered apart.
 * @param timeoutMs for billing's answer
 */
export function createHolds(client: Pick<ServiceClient, 'call'>, timeoutMs: number): AskForHold {
  const alone = (body: Hold): Promise<Held> =>
    client.call(billingInternalRoutes.hold, { body, timeoutMs, repeat: true })
  const several = async (asked: readonly Asked[]): Promise<readonly OneOfSeveral[]> => {
    const holds = asked.map(({ hold }) => hold)
    try {
      const body = { holds }
      const { results } = await client.call(billingInternalRoutes.holdSeveral, { body, timeoutMs, repeat: true })
      return results
    } catch (error) {
      // A replica of the version before knows no such call.
      if (isAppError(error, 'not_found')) return asked.map(() => ({ apart: true }))
      throw error
    }
  }
  const ask = async (asked: readonly Asked[]): Promise<void> => {
    const [first] = asked
    if (first !== undefined && asked.length === 1) {
      await alone(first.hold).then(first.resolve, first.reject)
      return
    }
    try {
      const results = await several(asked)
      for (const [nth, { hold, resolve, reject }] of asked.entries()) {
        const result = results[nth]
        if (result === undefined) reject(unavailable())
        else if ('apart' in result) resolve(alone(hold))
        else if ('refusal' in result) reject(refusalOf(result.refusal))
        else resolve(result)
      }
    } catch (error) {
      for (const { reject } of asked) reject(error)
    }
  }
  // `ask` never rejects: what is caught is that it takes long, and the next call begins beside it.
  const add = createBatches<Asked>((asked) => withTimeout(patienceMs, ask(asked)).catch(() => undefined), {
    ...{ most: mostHolds, gatherMs },
  })
  return (hold) => new Promise((resolve, reject) => add({ hold, resolve, reject }))
}

const refusalOf = ({
  code,
  error,
  headers,
}: Extract<OneOfSeveral, { readonly refusal: unknown }>['refusal']): AppError => new AppError(code, error, { headers })
