import { hostname } from 'node:os'
import type { Breaker, Readiness } from '@parley/contracts'
import manifest from '../../package.json' with { type: 'json' }
import { createFreshValue } from '../async/fresh.ts'
import { withTimeout } from '../async/with-timeout.ts'
import { newId } from '../ids.ts'

/** A replica's state as admins see it, besides its readiness. */
export interface ReplicaDeps {
  /** Events that wait to be published. */
  readonly outbox?: { pending(limit: number): Promise<readonly { readonly at: string }[]> }
  readonly mailQueue?: () => Promise<NonNullable<Readiness['mailQueue']>>
  readonly breakers?: () => Promise<readonly Breaker[]>
}

type Figures = Pick<Readiness, 'replica' | 'outbox' | 'mailQueue' | 'breakers'>

/** A figure that takes longer is left out. Milliseconds. */
const limitMs = 2_000
/** Looks within this time share one answer, so that probes cost nothing. Milliseconds. */
const freshMs = 1_000

/** Names a replica, which begins now. Returns how to read its figures; those that cannot be read are left out. */
export function describeReplica({ outbox, mailQueue, breakers }: ReplicaDeps): () => Promise<Figures> {
  const replica = {
    id: newId(),
    host: hostname(),
    version: manifest.version,
    node: process.versions.node,
    startedAt: new Date().toISOString(),
  }
  const read = async (): Promise<Figures> => {
    const [waiting, mails, open] = await Promise.all([
      orNothing(outbox && (() => outbox.pending(1))),
      orNothing(mailQueue),
      orNothing(breakers),
    ])
    return {
      replica,
      ...(waiting && { outbox: { oldestAt: waiting[0]?.at ?? null } }),
      ...(mails && { mailQueue: mails }),
      ...(open && { breakers: [...open] }),
    }
  }
  const fresh = createFreshValue<Figures>({ maxAgeMs: freshMs })
  return () => fresh.get(read)
}

/** Readiness names the engine that is unavailable, and logs why. */
const orNothing = <T>(read: (() => Promise<T>) | undefined): Promise<T | undefined> | undefined =>
  read && withTimeout(limitMs, read()).catch(() => undefined)
