import type { AuditEntry } from '@parley/contracts'

/** The present names of users, plans and keys by id, without those that were deleted. */
export type Names = Readonly<Record<string, string>>

/** The name of an action's target: the present one, or the one at the time, or the id. */
export const targetName = ({ id, name }: AuditEntry['target'], names: Names): string =>
  (id === null ? undefined : names[id]) ?? name ?? id ?? '–'

/** A changed value for display: the name, if it is the id of something that has one. */
export const valueText = (path: string, value: string, names: Names): string =>
  (path === 'id' ? undefined : names[value]) ?? (value || '–')
