import type { usageItemSchema } from '@parley/contracts'
import { sql } from 'kysely'
import type { z } from 'zod'

/** A row of all users' usage: the sums of a day, model, user or key. */
export type UsageItem = z.infer<typeof usageItemSchema>

/** The sums that every reader aggregates, over rows of any of the tables. */
export type Sums = Pick<UsageItem, 'requests' | 'inputTokens' | 'outputTokens' | 'credits' | 'estimated'>
export const sums = sql`sum(requests)::bigint as requests, sum(input_tokens)::bigint as "inputTokens",
  sum(output_tokens)::bigint as "outputTokens", sum(credits)::bigint as credits, bool_or(estimated) as estimated`
/** The average duration of an answer, in whole milliseconds. */
export const average = sql`round(coalesce(sum(response_ms) / nullif(sum(timed), 0), 0))::integer as "averageResponseMs"`
/** The sums of a row of all users' usage. */
export const totals = sql`${sums}, sum(errors)::bigint as errors, ${average}`
/** Its days, from rows with one day each. */
export const dailyOf = sql`jsonb_agg(jsonb_build_object('date', day, 'requests', requests, 'credits', credits) order by day) as days`
/** The columns of those sums, from rows of one day. */
export const sumsOfDay = sql`sum(requests) as requests, sum(errors) as errors, sum(input_tokens) as input_tokens,
  sum(output_tokens) as output_tokens, sum(credits) as credits, bool_or(estimated) as estimated, sum(response_ms) as response_ms,
  sum(timed) as timed`
