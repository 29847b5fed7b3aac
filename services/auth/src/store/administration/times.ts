import { unknownCursor } from '@parley/kit'
import { type Expression, type RawBuilder, sql } from 'kysely'

/** A time as its microseconds since 1970, in text, so that pages continue exactly. */
export const microsOf = (time: Expression<unknown>): RawBuilder<string> =>
  sql<string>`(extract(epoch from ${time}) * 1000000)::bigint::text`

/** The time again. @throws AppError validation_failed for a text that is none */
export function timeOfMicros(micros: string | undefined): RawBuilder<Date> {
  if (micros === undefined || !/^\d{1,16}$/.test(micros)) throw unknownCursor()
  return sql<Date>`timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond'`
}
