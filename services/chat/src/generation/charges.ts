import { billingInternalRoutes } from '@parley/contracts'
import { AppError, isAppError, unavailable } from '@parley/kit'
import type { z } from 'zod'
import type { Common } from '../common.ts'
import type { GuestAllowance, GuestAllowanceState } from '../guests/guest-allowance.ts'
import type { Ending, NewGeneration } from '../store/entities.ts'
import { hasVisibleText } from './ending.ts'

/** The reservation made before an answer is generated. */
export interface Reservation {
  /** Credits left while it is held; 0 for a guest. */
  readonly remaining: number
  /** For a guest. */
  readonly allowance?: GuestAllowanceState
}

/** The payer of the generation `id`. */
export type Payer = Pick<NewGeneration, 'id' | 'ownerId' | 'guest'>

interface ReceiptItem {
  readonly credits: number
  readonly unlimited: boolean
  readonly model: string
  readonly source: 'web' | 'image'
}

/** What billing is told of the end of an image or an answer for receipts and usage; the event then has nothing to add. */
type ToldEnd = Pick<z.input<typeof billingInternalRoutes.settleHold.body & {}>, 'ended' | 'answered'>

/** Charges an answer to a guest's allowance or to a user's credits. */
export type Charges = ReturnType<typeof createCharges>

export interface ChargesDeps extends Pick<Common, 'client' | 'timing' | 'log'> {
  readonly allowance: GuestAllowance
}

/** Charges over billing and the guests' allowance. */
export function createCharges({ client, allowance, timing, log }: ChargesDeps) {
  const timeoutMs = timing.billingMs
  return {
    /**
     * Takes a guest's message or holds a user's credits.
     * @throws AppError guest_limit_reached, guest_mode_disabled, insufficient_credits or rate_limited, with nothing taken; unavailable when it is not known
     */
    async reserve({ id, ownerId, guest }: Payer, { credits: amount, ...item }: ReceiptItem): Promise<Reservation> {
      if (guest !== null) return { remaining: 0, allowance: await allowance.take(guest, id) }
      const body = { generationId: id, userId: ownerId, amount, ...item }
      const hold = () => client.call(billingInternalRoutes.hold, { body, timeoutMs, repeat: true })
      return await atMostTwice(hold, timeoutMs).catch((error: unknown) => {
        if (isAppError(error, 'insufficient_credits')) throw insufficientCredits()
        throw isAppError(error, 'rate_limited') ? error : unavailable(error)
      })
    },
    /** Keeps a hold from expiring; best effort. */
    async renew({ id, guest }: Payer): Promise<void> {
      if (guest !== null) return
      await client
        .call(billingInternalRoutes.renewHold, { params: { generationId: id }, timeoutMs, repeat: true })
        .catch((error: unknown) => log.warn({ err: error, generationId: id }, 'a hold could not be renewed'))
    },
    /**
     * Settles what was taken, by the ending: resolves to the credits as they then are, as far as they can be known. A user's settlement is best effort,
     * since the event of the end of an answer or an image settles it, too, and the hold of what failed expires; a guest's is done when it resolves.
     */
    async settle({ id, guest }: Payer, content: string, ending: Ending, told?: ToldEnd): Promise<Ending['credits']> {
      const { credits } = ending
      if (guest !== null) {
        await allowance.settle(guest, id, hasVisibleText(content))
        return credits
      }
      const body = { amount: credits.charged, ...told }
      const call = { params: { generationId: id }, body, timeoutMs, repeat: true }
      const settle = () => client.call(billingInternalRoutes.settleHold, call)
      return await atMostTwice(settle, timeoutMs).catch((error: unknown) => {
        log.warn({ err: error, generationId: id }, 'a hold was left to the event to settle')
        return credits
      })
    },
  }
}

/** A replica of billing that drains closes its connections: a call that failed early is repeated at another one. Holds go by their generation. */
async function atMostTwice<T>(act: () => Promise<T>, timeoutMs: number): Promise<T> {
  const patience = performance.now() + timeoutMs / 2
  return await act().catch((error: unknown) => {
    if (!isAppError(error, 'unavailable') || performance.now() > patience) throw error
    return act()
  })
}

const insufficientCredits = (): AppError => new AppError('insufficient_credits', 'Insufficient Credits.')
