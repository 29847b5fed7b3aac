import { billingInternalRoutes } from '@parley/contracts'
import { AppError, isAppError, type Logger, type ServiceClient, unavailable } from '@parley/kit'
import type { z } from 'zod'
import type { GuestAllowance, GuestAllowanceState } from '../guests/guest-allowance.ts'
import type { Ending, NewGeneration } from '../store/entities.ts'
import { hasVisibleText } from './ending.ts'
import type { ChatTiming } from './timing.ts'

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

type Settling = z.input<typeof billingInternalRoutes.settleHold.body & {}>
/** What billing is told of the end of an image or an answer for receipts and usage; the event then has nothing to add. */
export type ToldEnd =
  | { readonly image: Omit<Settling['ended'] & {}, 'source'> }
  | { readonly answer: Settling['answered'] & {} }

/** Charges an answer to a guest's allowance or to a user's credits. */
export interface Charges {
  /**
   * Takes a guest's message or holds a user's credits.
   * @throws AppError guest_limit_reached, guest_mode_disabled, insufficient_credits or rate_limited, with nothing taken; unavailable when it is not known
   */
  reserve(payer: Payer, item: ReceiptItem): Promise<Reservation>
  /** Keeps a hold from expiring; best effort. */
  renew(payer: Payer): Promise<void>
  /**
   * Settles what was taken, by the ending: resolves to the credits as they then are, as far as they can be known. A user's settlement is best effort,
   * since the event of the end of an answer or an image settles it, too, and the hold of what failed expires; a guest's is done when it resolves.
   */
  settle(payer: Payer, content: string, ending: Ending, told?: ToldEnd): Promise<Ending['credits']>
}

export interface ChargesDeps {
  readonly client: ServiceClient
  readonly allowance: GuestAllowance
  readonly timing: ChatTiming
  readonly log: Logger
}

/** Charges over billing and the guests' allowance. */
export function createCharges({ client, allowance, timing, log }: ChargesDeps): Charges {
  const timeoutMs = timing.billingMs
  return {
    async reserve({ id, ownerId, guest }, { credits: amount, ...item }) {
      if (guest !== null) return { remaining: 0, allowance: await allowance.take(guest, id) }
      const body = { generationId: id, userId: ownerId, amount, ...item }
      const hold = () => client.call(billingInternalRoutes.hold, { body, timeoutMs, repeat: true })
      return await atMostTwice(hold, timeoutMs).catch((error: unknown) => {
        if (isAppError(error, 'insufficient_credits')) throw insufficientCredits()
        throw isAppError(error, 'rate_limited') ? error : unavailable(error)
      })
    },
    async renew({ id, guest }) {
      if (guest !== null) return
      await client
        .call(billingInternalRoutes.renewHold, { params: { generationId: id }, timeoutMs, repeat: true })
        .catch((error: unknown) => log.warn({ err: error, generationId: id }, 'a hold could not be renewed'))
    },
    async settle({ id, guest }, content, { credits }, told) {
      if (guest !== null) {
        await allowance.settle(guest, id, hasVisibleText(content))
        return credits
      }
      const body = { amount: credits.charged, ...(told && toldOf(told)) }
      const call = { params: { generationId: id }, body, timeoutMs, repeat: true }
      const settle = () => client.call(billingInternalRoutes.settleHold, call)
      return await atMostTwice(settle, timeoutMs).catch((error: unknown) => {
        log.warn({ err: error, generationId: id }, 'a hold was left to the event to settle')
        return credits
      })
    },
  }
}

const toldOf = (told: ToldEnd): Pick<Settling, 'ended' | 'answered'> =>
  'image' in told ? { ended: { ...told.image, source: 'image' } } : { answered: told.answer }

/** A replica of billing that drains closes its connections: a call that failed early is repeated at another one. Holds go by their generation. */
async function atMostTwice<T>(act: () => Promise<T>, timeoutMs: number): Promise<T> {
  const patience = performance.now() + timeoutMs / 2
  return await act().catch((error: unknown) => {
    if (!isAppError(error, 'unavailable') || performance.now() > patience) throw error
    return act()
  })
}

const insufficientCredits = (): AppError => new AppError('insufficient_credits', 'Insufficient Credits.')
