import { billingInternalRoutes, type KeyPrincipal, type Model, mostSettlements } from '@parley/contracts'
import { every, isAppError, type Logger, type ServiceClient } from '@parley/kit'
import { createHolds } from './holds.ts'

/** Timeout in milliseconds of billing's response to a hold or settlement. */
const timeoutMs = 5_000
/** Milliseconds between renewals of a hold. */
const renewMs = 15_000

/**
 * Milliseconds between batches of full captures. They return no credits, and the end events have usually settled them by then, so billing has
 * nothing left to write. While the bus is down they settle holds long before these expire.
 */
const gatherMs = 1_000

interface Settlement {
  readonly generationId: string
  readonly amount: number
}

/** The hold of one request. */
export interface Payment {
  /** The key owner's remaining credits, without held ones. */
  readonly remaining: number
  /** Captures this much of the hold and returns the rest. Best effort: the event of the request's end settles as well. Idempotent. */
  settle(charge: number): void
}

/** Holds the price of requests at billing. */
export type Payments = ReturnType<typeof createPayments>

/** Starts without holds. */
export function createPayments({ client, log }: { readonly client: ServiceClient; readonly log: Logger }) {
  const held = new Set<string>()
  const ask = createHolds(client, timeoutMs)
  const settling = new Set<Promise<unknown>>()
  const renewing = every(renewMs, () => Promise.all([...held].map(renew)), { name: 'hold renewal', log })
  const renew = async (generationId: string): Promise<void> => {
    try {
      await client.call(billingInternalRoutes.renewHold, { params: { generationId }, timeoutMs, repeat: true })
    } catch (error) {
      log.warn({ err: error, generationId }, 'a hold could not be renewed')
    }
  }
  const settle = async (settlements: Settlement[]): Promise<void> => {
    try {
      await client.call(billingInternalRoutes.settleHolds, { body: { settlements }, timeoutMs, repeat: true })
    } catch (error) {
      const generationIds = settlements.map(({ generationId }) => generationId)
      log.warn({ err: error, generationIds }, 'settling holds failed; their events will settle them')
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
  /** @param holdAmount undefined when it is unknown whether the hold exists */
  const settleSoon = (settlement: Settlement, holdAmount?: number): void => {
    held.delete(settlement.generationId)
    ended.push(settlement)
    // The owner may need the returned credits for the next request.
    if (settlement.amount !== holdAmount) settleEnded()
    else gathering ??= setTimeout(settleEnded, gatherMs)
  }
  return {
    /** @throws AppError insufficient_credits, rate_limited by the plan's window, or unavailable */
    async hold(generationId: string, { userId, keyId, rights }: KeyPrincipal, model: Model): Promise<Payment> {
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
        // The hold may have been made nevertheless.
        if (isAppError(error, 'unavailable')) settleSoon({ generationId, amount: 0 })
        throw error
      }
    },
    start: (): void => renewing.start(),
    /** Resolves when no call to billing is in progress. */
    async stop(): Promise<void> {
      await renewing.stop()
      settleEnded()
      await Promise.all(settling)
    },
  }
}
