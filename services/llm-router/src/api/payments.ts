import { billingInternalRoutes, type KeyPrincipal, type Model, mostSettlements } from '@parley/contracts'
import { every, isAppError, type Logger, type ServiceClient } from '@parley/kit'
import { createHolds } from './holds.ts'

/** For billing's answer to a hold or a settlement. Milliseconds. */
const timeoutMs = 5_000
/** A hold is kept alive this often. Milliseconds. */
const renewMs = 15_000

/**
 * Captures of all that was held are told together, so often: by them nothing comes back to anybody, and the events of the ends have mostly settled them by then, so that
 * billing finds nothing left to write. While the bus is away they settle them long before a hold ends. Milliseconds.
 */
const gatherMs = 1_000

interface Settlement {
  readonly generationId: string
  readonly amount: number
}

/** The hold of one request. */
export interface Payment {
  /** What the key's owner can spend beside what is held. */
  readonly remaining: number
  /** Captures so much of the hold and gives back the rest. Best effort: the event of the request's end settles as well. Idempotent. */
  settle(charge: number): void
}

/** Holds the price of requests at billing. */
export interface Payments {
  /** @throws AppError insufficient_credits, rate_limited by the plan's window, or unavailable */
  hold(generationId: string, key: KeyPrincipal, model: Model): Promise<Payment>
  start(): void
  /** Resolves when nothing is under way at billing any more. */
  stop(): Promise<void>
}

/** Nothing is held yet. */
export function createPayments({ client, log }: { readonly client: ServiceClient; readonly log: Logger }): Payments {
  const held = new Set<string>()
  const ask = createHolds(client, timeoutMs)
  const settling = new Set<Promise<unknown>>()
  const renewing = every(renewMs, () => Promise.all([...held].map(renew)), { name: 'hold renewal', log })
  const renew = async (generationId: string): Promise<void> => {
    try {
      await client.call(billingInternalRoutes.renewHold, { params: { generationId }, timeoutMs })
    } catch (error) {
      log.warn({ err: error, generationId }, 'a hold could not be renewed')
    }
  }
  const settle = async (settlements: Settlement[]): Promise<void> => {
    try {
      await client.call(billingInternalRoutes.settleHolds, { body: { settlements }, timeoutMs, repeat: true })
    } catch (error) {
      const generationIds = settlements.map(({ generationId }) => generationId)
      log.warn({ err: error, generationIds }, 'holds were left to their events to settle')
    }
  }
  const ended: Settlement[] = []
  let gathering: NodeJS.Timeout | undefined
  const settleEnded = (): void => {
    clearTimeout(gathering)
    gathering = undefined
    while (ended.length > 0) {
      const settled = settle(ended.splice(0, mostSettlements)).finally(() => settling.delete(settled))
      settling.add(settled)
    }
  }
  /** @param holdAmount undefined when it is not known whether anything is held */
  const settleSoon = (settlement: Settlement, holdAmount?: number): void => {
    held.delete(settlement.generationId)
    ended.push(settlement)
    // What comes back may be all that its owner has for the next request.
    if (settlement.amount !== holdAmount) settleEnded()
    else gathering ??= setTimeout(settleEnded, gatherMs)
  }
  return {
    async hold(generationId, { userId, keyId, rights }, model) {
      const body = {
        ...{ generationId, userId, keyId, model: model.id, source: 'key' as const },
        amount: model.creditsPerMessage,
        unlimited: rights.isAdmin,
      }
      try {
        const { remaining } = await ask(body)
        held.add(generationId)
        return { remaining, settle: (amount) => settleSoon({ generationId, amount }, body.amount) }
      } catch (error) {
        // It may have been made all the same.
        if (isAppError(error, 'unavailable')) settleSoon({ generationId, amount: 0 })
        throw error
      }
    },
    start: () => renewing.start(),
    async stop() {
      await renewing.stop()
      settleEnded()
      await Promise.all(settling)
    },
  }
}
