import { moneyInternalRoutes, type RequestCount } from '@parley/contracts'
import { every } from '../async/every.ts'
import { isAppError } from '../errors/app-error.ts'
import { newId } from '../ids.ts'
import type { Logger } from '../observability/log.ts'
import type { ServiceClient } from './service-client.ts'

/** The caller of a request, and how they are limited. */
export type CountedSubject = Omit<RequestCount, 'minute' | 'count'>

export type RequestCounts = ReturnType<typeof createRequestCounts>

export interface RequestCountsDeps {
  readonly client: Pick<ServiceClient, 'call'>
  readonly log: Logger
}

/** Between two reports to billing, in milliseconds. */
const everyMs = 20_000

/** Rows of one report, and rows kept while billing is unavailable; more are not counted. */
const most = { called: 500, kept: 50_000 }

/** Whether a report is refused for good: sent again, it would only hold up those after it. */
const isRefusedForGood = (error: unknown): boolean =>
  isAppError(error) && error.status < 500 && error.status !== 408 && error.status !== 429

/**
 * Counts limited requests by minute for billing, which computes what other limits would have refused. Its end reports everything counted before it.
 */
export function createRequestCounts({ client, log }: RequestCountsDeps) {
  const counts = new Map<string, RequestCount>()
  /** Sent again under the same id until it is known to have arrived, or to be refused. */
  let sending: { readonly id: string; readonly counts: readonly RequestCount[] } | undefined
  const next = (): typeof sending => {
    const taken = [...counts].slice(0, most.called)
    for (const [key] of taken) counts.delete(key)
    return taken.length === 0 ? undefined : { id: newId(), counts: taken.map(([, count]) => count) }
  }
  const send = async (): Promise<void> => {
    for (;;) {
      sending ??= next()
      if (sending === undefined) return
      const { id, counts: told } = sending
      try {
        await client.call(moneyInternalRoutes.countRequests, { body: { id, counts: [...told] }, repeat: true })
      } catch (error) {
        if (!isRefusedForGood(error)) throw error
        log.error({ err: error, rows: told.length }, 'billing refused counts of limited requests, which are dropped')
      }
      sending = undefined
    }
  }
  const periodic = every(everyMs, send, { name: 'report limited requests to billing', log })
  return {
    start: periodic.start,
    /** Notes one request, of this moment. Costs no call. */
    note(subject: CountedSubject): void {
      const minute = Math.floor(Date.now() / 60_000)
      const key = `${subject.area} ${subject.subject} ${subject.kind} ${minute}`
      const known = counts.get(key)
      if (known !== undefined) known.count += 1
      else if (counts.size < most.kept) counts.set(key, { ...subject, minute, count: 1 })
    },
    async stop(): Promise<void> {
      await periodic.stop()
      await send().catch((error: unknown) => log.warn({ err: error }, 'some limited requests were not counted'))
    },
  }
}
