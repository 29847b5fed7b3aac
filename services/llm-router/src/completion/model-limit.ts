import type { Counter } from '@parley/cache'
import type { Model } from '@parley/contracts'
import { limitReached, wholeSeconds } from '@parley/kit'

const minuteMs = 60_000

/** Takes one request from a model's per-minute limit. @throws AppError rate_limited when none is left */
export async function takeRequest(counter: Counter, model: Model): Promise<void> {
  if (model.requestsPerMinute === 0) return
  const taken = await counter.consume(`model:${model.id}`, { points: model.requestsPerMinute, windowMs: minuteMs })
  if (taken.allowed) return
  throw limitReached('rate_limited', 'This model is receiving too many requests. Please try again in a moment.', {
    limit: taken.limit,
    seconds: wholeSeconds(taken.resetMs),
  })
}
