import type { GuestSession } from '@parley/contracts'
import { AppError, type Clock, type LiveSettings, limitReached, wholeSeconds } from '@parley/kit'
import type { GuestOrigin } from '../store/documents.ts'
import type { BucketUse, GuestStore } from '../store/guest-store.ts'

const windowMs = 7 * 24 * 60 * 60 * 1000
/** A network's guests share this many times one guest's limit, so that a new session id does not refill. */
const networkFactor = 5

/** The messages that guests may send: a weekly limit per guest and one per network. */
export interface GuestAllowance {
  /** What is left. @throws AppError guest_not_allowed while guest mode is off */
  read(guest: GuestOrigin): Promise<GuestAllowanceState>
  /**
   * Takes one message for a generation; once, however often it is asked.
   * @throws AppError guest_limit_reached or guest_mode_disabled; nothing is taken then
   */
  take(guest: GuestOrigin, generationId: string): Promise<GuestAllowanceState>
  /** @throws AppError guest_limit_reached or guest_mode_disabled. Decides nothing: only `take` grants */
  refuseEarly(guest: GuestOrigin): Promise<void>
  /** Gives the message back unless it is kept. Idempotent. */
  settle(guest: GuestOrigin, generationId: string, kept: boolean): Promise<void>
}

/** A guest's allowance without the session id. */
export type GuestAllowanceState = Omit<GuestSession, 'id'>

/** What the allowance uses. */
export interface GuestAllowanceDeps {
  readonly guests: GuestStore
  readonly settings: LiveSettings
  readonly now: Clock
}

/** The allowance as the settings have it, counted in the store. */
export function createGuestAllowance({ guests, settings, now }: GuestAllowanceDeps): GuestAllowance {
  const limits = async () => {
    const { guest } = await settings.current()
    return { enabled: guest.enabled, guest: guest.weeklyLimit, network: guest.weeklyLimit * networkFactor }
  }
  const read = async (guest: GuestOrigin): Promise<GuestAllowanceState & { enabled: boolean }> => {
    const limit = await limits()
    const [own, shared] = await Promise.all([
      guests.use(guestBucket(guest), windowMs, now()),
      guests.use(networkBucket(guest), windowMs, now()),
    ])
    return { ...stateOf(limit, own, shared, now()), enabled: limit.enabled }
  }
  return {
    async read(guest) {
      const { enabled, ...state } = await read(guest)
      if (!enabled) throw new AppError('guest_not_allowed', 'Guest mode is switched off. Please sign in to continue.')
      return state
    },
    async take(guest, generationId) {
      const limit = await limits()
      if (!limit.enabled) throw guestModeDisabled()
      const own = await guests.take(guestBucket(guest), generationId, { messages: limit.guest, windowMs }, now())
      if (!own.granted) throw allowanceSpent(own, limit.guest, now())
      const shared = await guests.take(networkBucket(guest), generationId, { messages: limit.network, windowMs }, now())
      if (!shared.granted) {
        await guests.settle(guestBucket(guest), generationId, false)
        throw allowanceSpent(shared, limit.guest, now())
      }
      return stateOf(limit, own, shared, now())
    },
    async refuseEarly(guest) {
      const { enabled, ...state } = await read(guest)
      if (!enabled) throw guestModeDisabled()
      if (state.remainingMessages > 0) return
      throw allowanceSpent({ resetAt: new Date(state.nextResetDate) }, state.messageLimit, now())
    },
    async settle(guest, generationId, kept) {
      await guests.settle(guestBucket(guest), generationId, kept)
      await guests.settle(networkBucket(guest), generationId, kept)
    },
  }
}

const guestBucket = ({ sessionId }: GuestOrigin): string => `guest:${sessionId}`
const networkBucket = ({ network }: GuestOrigin): string => `network:${network}`

function stateOf(limit: { guest: number; network: number }, own: BucketUse, shared: BucketUse, now: Date) {
  const ownLeft = Math.max(0, limit.guest - own.used)
  const sharedLeft = Math.max(0, limit.network - shared.used)
  // The date tells when more can be sent, so it is that of the bucket that holds the guest up.
  const resetAt = sharedLeft < ownLeft ? shared.resetAt : own.resetAt
  return {
    remainingMessages: Math.min(ownLeft, sharedLeft),
    messageLimit: limit.guest,
    nextResetDate: (resetAt ?? new Date(now.getTime() + windowMs)).toISOString(),
  }
}

function allowanceSpent({ resetAt }: Pick<BucketUse, 'resetAt'>, limit: number, now: Date): AppError {
  const waitMs = (resetAt?.getTime() ?? now.getTime() + windowMs) - now.getTime()
  return limitReached(
    'guest_limit_reached',
    'Message limit reached: you have used all your guest messages; sign in to continue.',
    { limit, seconds: wholeSeconds(waitMs) },
  )
}

const guestModeDisabled = (): AppError =>
  new AppError('guest_mode_disabled', 'Guest mode is switched off. Please sign in to continue.')
