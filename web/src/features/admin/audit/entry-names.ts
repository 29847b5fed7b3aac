import type { AuditEntry } from '@parley/contracts'

/** What users, plans and keys are called now, by their id; without those that are gone. */
export type Names = Readonly<Record<string, string>>

/** The target of an act: as it is called now, else as it was called then, else its id. */
export const targetName = ({ id, name }: AuditEntry['target'], names: Names): string =>
  (id === null ? undefined : names[id]) ?? name ?? id ?? '–'

/** A value of what was changed: where it is the id of another thing that has a name, that. */
export const valueText = (path: string, value: string, names: Names): string =>
  (path === 'id' ? undefined : names[value]) ?? (value || '–')
