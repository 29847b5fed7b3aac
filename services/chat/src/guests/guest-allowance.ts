import type { GuestSession } from '@parley/contracts'
import { AppError, limitReached, networkBuckets, wholeSeconds } from '@parley/kit'
import type { Common } from '../common.ts'
import type { GuestOrigin } from '../store/entities.ts'
import type { BucketUse, GuestStore } from '../store/guest-store.ts'

const windowMs = 7 * 24 * 60 * 60 * 1000
/** All guests of a network share this multiple of one guest's limit, so that a new session id does not refill it; wider networks have multiples of their own. */
const networkFactor = 5

/** The messages that guests may send: a weekly limit per guest and one for each of their networks. */
export type GuestAllowance = ReturnType<typeof createGuestAllowance>

/** A guest's allowance without the session id. */
export type GuestAllowanceState = Omit<GuestSession, 'id'>

export interface GuestAllowanceDeps extends Pick<Common, 'settings' | 'now'> {
  readonly guests: GuestStore
}

/** The allowance as the settings have it, counted in the store. */
export function createGuestAllowance({ guests, settings, now }: GuestAllowanceDeps) {
  const limits = async () => {
    const { guest } = await settings.current()
    return { enabled: guest.enabled, guest: guest.weeklyLimit }
  }
  const read = async (guest: GuestOrigin): Promise<GuestAllowanceState & { enabled: boolean }> => {
    const limit = await limits()
    const uses = bucketsOf(guest, limit.guest).map(async ({ bucket, messages }) => ({
      messages,
      ...(await guests.use(bucket, windowMs, now())),
    }))
    return { ...stateOf(limit.guest, await Promise.all(uses), now()), enabled: limit.enabled }
  }
  const giveBack = async (buckets: readonly Bucket[], generationId: string): Promise<void> => {
    for (const { bucket } of buckets) await guests.settle(bucket, generationId, false)
  }
  return {
    /** The remaining messages. @throws AppError guest_not_allowed while guest mode is off */
    async read(guest: GuestOrigin): Promise<GuestAllowanceState> {
      const { enabled, ...state } = await read(guest)
      if (!enabled) throw new AppError('guest_not_allowed', 'Guest mode is off. Please sign in to continue.')
      return state
    },
    /**
     * Takes one message for a generation; idempotent.
     * @throws AppError guest_limit_reached or guest_mode_disabled; nothing is taken then
     */
    async take(guest: GuestOrigin, generationId: string): Promise<GuestAllowanceState> {
      const limit = await limits()
      if (!limit.enabled) throw guestModeDisabled()
      const buckets = bucketsOf(guest, limit.guest)
      const uses: (BucketUse & Pick<Bucket, 'messages'>)[] = []
      for (const { bucket, messages } of buckets) {
        const use = await guests.take(bucket, generationId, { messages, windowMs }, now())
        if (!use.granted) {
          await giveBack(buckets.slice(0, uses.length), generationId)
          throw allowanceExhausted(use, limit.guest, now())
        }
        uses.push({ ...use, messages })
      }
      return stateOf(limit.guest, uses, now())
    },
    /** @throws AppError guest_limit_reached or guest_mode_disabled. Decides nothing: only `take` grants */
    async refuseEarly(guest: GuestOrigin): Promise<void> {
      const { enabled, ...state } = await read(guest)
      if (!enabled) throw guestModeDisabled()
      if (state.remainingMessages > 0) return
      throw allowanceExhausted({ resetAt: new Date(state.nextResetDate) }, state.messageLimit, now())
    },
    /** Gives the message back unless it is kept. Idempotent. */
    async settle(guest: GuestOrigin, generationId: string, kept: boolean): Promise<void> {
      for (const { bucket } of bucketsOf(guest, 0)) await guests.settle(bucket, generationId, kept)
    },
  }
}

interface Bucket {
  readonly bucket: string
  /** That may be sent in a window. */
  readonly messages: number
}

/** The buckets that count a guest's messages: their own, then those of their networks, the narrowest first. */
function bucketsOf({ sessionId, network }: GuestOrigin, limit: number): Bucket[] {
  const networks = networkBuckets(network).map((each) => ({
    bucket: `network:${each.network}`,
    messages: limit * networkFactor * each.times,
  }))
  return [{ bucket: `guest:${sessionId}`, messages: limit }, ...networks]
}

function stateOf(limit: number, uses: readonly (BucketUse & Pick<Bucket, 'messages'>)[], now: Date) {
  const left = uses.map(({ used, messages, resetAt }) => ({ messages: Math.max(0, messages - used), resetAt }))
  const fewest = Math.min(...left.map(({ messages }) => messages))
  // The reset time tells when more can be sent, so it is that of the exhausted bucket.
  const { resetAt } = left.find(({ messages }) => messages === fewest) ?? {}
  return {
    remainingMessages: fewest,
    messageLimit: limit,
    nextResetDate: (resetAt ?? new Date(now.getTime() + windowMs)).toISOString(),
  }
}

function allowanceExhausted({ resetAt }: Pick<BucketUse, 'resetAt'>, limit: number, now: Date): AppError {
  const waitMs = (resetAt?.getTime() ?? now.getTime() + windowMs) - now.getTime()
  return limitReached(
    'guest_limit_reached',
    'Message limit reached: you have used all your guest messages; sign in to continue.',
    { limit, seconds: wholeSeconds(waitMs) },
  )
}

const guestModeDisabled = (): AppError =>
  new AppError('guest_mode_disabled', 'Guest mode is off. Please sign in to continue.')
