import { sql } from 'kysely'
import type { UsageItem } from './usage-store.ts'

/** What every reader of the sums adds up, of rows of any of their tables. */
export type Sums = Pick<UsageItem, 'requests' | 'inputTokens' | 'outputTokens' | 'credits' | 'estimated'>
export const sums = sql`sum(requests)::bigint as requests, sum(input_tokens)::bigint as "inputTokens",
  sum(output_tokens)::bigint as "outputTokens", sum(credits)::bigint as credits, bool_or(estimated) as estimated`
/** The average time of an answer, in whole milliseconds. */
export const average = sql`round(coalesce(sum(response_ms) / nullif(sum(timed), 0), 0))::integer as "averageResponseMs"`
/** The sums of a line of everybody's usage. */
export const totals = sql`${sums}, sum(errors)::bigint as errors, ${average}`
/** Its days, of rows that have each day once. */
export const dailyOf = sql`jsonb_agg(jsonb_build_object('date', day, 'requests', requests, 'credits', credits) order by day) as days`
/** The columns of which those are made, of rows of one day. */
export const sumsOfDay = sql`sum(requests) as requests, sum(errors) as errors, sum(input_tokens) as input_tokens,
  sum(output_tokens) as output_tokens, sum(credits) as credits, bool_or(estimated) as estimated, sum(response_ms) as response_ms,
  sum(timed) as timed`
