import type { ErrorCode, errorStatus } from '@parley/contracts'
import { AppError, isAppError } from '../errors/app-error.ts'

/** Codes of refusals by a limit, which travel as 429. */
export type LimitCode = { [Code in ErrorCode]: (typeof errorStatus)[Code] extends 429 ? Code : never }[ErrorCode]

/** A limit as it stands for one caller. */
export interface LimitState {
  /** How often in its window. */
  readonly limit: number
  readonly remaining: number
  /** Until its window starts anew, whole and at least 1. */
  readonly seconds: number
}

/** What a limit says of itself with every answer, let through or refused. */
export const limitHeaders = ({ limit, remaining, seconds }: LimitState): Readonly<Record<string, string>> => ({
  'ratelimit-limit': String(limit),
  'ratelimit-remaining': String(remaining),
  'ratelimit-reset': String(seconds),
})

/** The refusal by a limit that has nothing left; its headers speak of that limit and of no other one before it. */
export const limitReached = (
  code: LimitCode,
  message: string,
  { limit, seconds }: Omit<LimitState, 'remaining'>,
): AppError =>
  new AppError(code, message, {
    headers: { 'retry-after': String(seconds), ...limitHeaders({ limit, remaining: 0, seconds }) },
  })

/** The limit that an error tells of; undefined for one that is no refusal by a limit. */
export function limitOf(error: unknown): Omit<LimitState, 'remaining'> | undefined {
  if (!isAppError(error)) return undefined
  const { 'ratelimit-limit': limit, 'retry-after': seconds } = error.headers
  return limit === undefined || seconds === undefined ? undefined : { limit: Number(limit), seconds: Number(seconds) }
}

/** Milliseconds as the seconds that a limit tells: rounded up, so that nobody comes back too early. */
export const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000))
