import { type ErrorCode, errorCodes, errorStatus } from '@parley/contracts'
import { AppError, type LimitCode, limitReached, wholeSeconds } from '@parley/kit'
import type { Ending } from '../store/entities.ts'

/** The failure of an answer as the refusal of a call, now; undefined when it did not fail. */
export function refusalOf({ failure, limit }: Pick<Ending, 'failure' | 'limit'>, now: Date): AppError | undefined {
  if (failure === null) return undefined
  const code = errorCodes.find((known) => known === failure.code) ?? ('provider_error' satisfies ErrorCode)
  if (!isOfLimit(code) || limit === undefined) return new AppError(code, failure.error)
  const seconds = wholeSeconds(Date.parse(limit.resetAt) - now.getTime())
  return limitReached(code, failure.error, { limit: limit.limit, seconds })
}

const isOfLimit = (code: ErrorCode): code is LimitCode => errorStatus[code] === 429
