import type { LimitArea } from '@parley/contracts'
import type { BillingStores } from '../store/index.ts'
import { type RecordedRequests, refusedBy, type WindowLimit } from './preview.ts'

const pageSize = 1_000
const periodMs = 7 * 86_400_000

/** The subjects that a limit would have affected in the last seven days. Subjects that stay below it are only counted. */
export async function readPreview(
  requests: Pick<BillingStores['requests'], 'countSubjects' | 'page'>,
  { area, ...limit }: WindowLimit & { readonly area: LimitArea },
  now: Date,
) {
  const from = new Date(now.getTime() - periodMs)
  const limited = new Set<string>()
  let refused = 0
  let after: RecordedRequests | undefined
  do {
    const page = await requests.page({ ...limit, area, from, after, limit: pageSize })
    for (const one of page) {
      const count = refusedBy(one, limit)
      refused += count
      if (count > 0) limited.add(one.subject)
    }
    after = page.length < pageSize ? undefined : page.at(-1)
  } while (after !== undefined)
  const subjects = await requests.countSubjects(area, from)
  return { from: from.toISOString(), to: now.toISOString(), subjects, limited: limited.size, refused }
}
