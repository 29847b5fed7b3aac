import type { Counter, CountResult, Take } from '@parley/cache'
import type { Model } from '@parley/contracts'
import { isAppError, limitReached, wholeSeconds } from '@parley/kit'

const minuteMs = 60_000

/** Tokens reserved by a request in its model's minute. */
export interface Reservation {
  /** Adjusts the reservation to the tokens used. Call it once. */
  settle(usedTokens: number): Promise<void>
}

/** A reservation in the minute of the model that is called, which may become a fallback's. */
export interface MovingReservation extends Reservation {
  /** Takes a request and its tokens from a fallback's minute, and gives the tokens of the model before it back; false if too few are left. */
  take(fallback: Model): Promise<boolean>
}

const tokensKey = ({ id }: Model): string => `model-tokens:${id}`

/** A request larger than a minute's tokens takes the whole minute. */
const reservedOf = ({ tokensPerMinute }: Model, tokens: number): number => Math.min(tokens, tokensPerMinute)

/** What a request takes from its model's minute: itself, and last its tokens, as far as they are limited. */
export function takesOfModel(model: Model, tokens: number): Take[] {
  const takes: Take[] = []
  const limited = (key: string, points: number, cost: number): void => {
    if (points > 0) takes.push({ key, limit: { points, windowMs: minuteMs }, cost })
  }
  limited(`model:${model.id}`, model.requestsPerMinute, 1)
  limited(tokensKey(model), model.tokensPerMinute, reservedOf(model, tokens))
  return takes
}

/** The reservation of taken tokens. @param ofTokens what is left of the model's tokens; undefined without a limit */
export function reservationOf(
  counter: Counter,
  { model, tokens }: { readonly model: Model; readonly tokens: number },
  ofTokens: CountResult | undefined,
): Reservation {
  const reserved = reservedOf(model, tokens)
  const endsAt = performance.now() + (ofTokens?.resetMs ?? 0)
  return {
    async settle(used) {
      // A reservation of a past minute has expired with it.
      if (ofTokens === undefined || performance.now() >= endsAt || used === reserved) return
      const perMinute = { points: model.tokensPerMinute, windowMs: minuteMs }
      await counter.adjust(tokensKey(model), perMinute, used - reserved)
    },
  }
}

/** Takes a request and its tokens from a model's minute, atomically. @throws AppError rate_limited when too few are left */
export async function takeOfModel(counter: Counter, model: Model, tokens: number): Promise<Reservation> {
  const takes = takesOfModel(model, tokens)
  const { results } = takes.length === 0 ? { results: [] } : await counter.consumeAll(takes)
  const refused = results.find(({ allowed }) => !allowed)
  if (refused !== undefined) {
    throw limitReached('rate_limited', 'This model is receiving too many requests. Please try again in a moment.', {
      limit: refused.limit,
      seconds: wholeSeconds(refused.resetMs),
    })
  }
  return reservationOf(counter, { model, tokens }, model.tokensPerMinute > 0 ? results.at(-1) : undefined)
}

/** A reservation that follows the fallbacks. @param first of the requested model @param tokensOf tokens that the request may take of a model */
export function movingReservation(
  counter: Counter,
  first: Reservation,
  tokensOf: (model: Model) => number,
): MovingReservation {
  let reservation = first
  return {
    async take(fallback) {
      try {
        const own = await takeOfModel(counter, fallback, tokensOf(fallback))
        await reservation.settle(0)
        reservation = own
        return true
      } catch (error) {
        if (isAppError(error, 'rate_limited')) return false
        throw error
      }
    },
    settle: (used) => reservation.settle(used),
  }
}
