import { type AuditEntry, billingInternalRoutes, idSchema } from '@parley/contracts'
import type { AuthParts } from '../parts.ts'
import { type AskingBilling, orWithout } from './billing-view.ts'

/** What entries name by an id: their targets, and the plans of an assignment. Erased users have none. */
function namedIds(entries: readonly Pick<AuditEntry, 'target' | 'before' | 'after'>[]) {
  const targets = (type: string) => entries.flatMap(({ target }) => (target.type === type ? [target.id] : []))
  const assigned = entries.flatMap(({ before, after }) => [planIdOf(before), planIdOf(after)])
  return { users: idsIn(targets('user')), plans: idsIn([...targets('plan'), ...assigned]), keys: idsIn(targets('key')) }
}

const planIdOf = (state: unknown): unknown => (state as { planId?: unknown } | null)?.planId

const idsIn = (values: readonly unknown[]): string[] => [
  ...new Set(values.flatMap((value) => idSchema.safeParse(value).data ?? [])),
]

/** What users, plans and keys of entries are called now: one look for all of them, without what billing knows while it is unavailable. */
export async function namesIn(
  { stores, ...asking }: Pick<AuthParts, 'stores'> & AskingBilling,
  entries: readonly AuditEntry[],
): Promise<Record<string, string>> {
  const { users, plans, keys } = namedIds(entries)
  const [ofUsers, ofBilling] = await Promise.all([
    stores.userAdmin.names(users),
    plans.length + keys.length === 0 ? {} : orWithout(asking, askBilling(asking, plans, keys), {}),
  ])
  return { ...ofBilling, ...Object.fromEntries(ofUsers.map(({ userId, username }) => [userId, username])) }
}

async function askBilling(
  { client, requestId }: AskingBilling,
  planIds: string[],
  keyIds: string[],
): Promise<Record<string, string>> {
  const body = { planIds, keyIds }
  return (await client.call(billingInternalRoutes.names, { body, timeoutMs: 2_000, requestId })).names
}
