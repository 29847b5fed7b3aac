import type { Settings } from '@parley/contracts'
import type { Kysely, Transaction } from 'kysely'
import {
  addChanges,
  presentAdminSettings,
  type SettingsChanges,
  settingsOf,
  type VersionedSettings,
} from '../../administration/settings.ts'
import type { AuthTables } from '../tables.ts'
import { type AuditEntry, lockUndo, writeAudit } from './audit-store.ts'

/** The settings: one row that holds what differs from the defaults. */
export const createSettingsStore = (db: Kysely<AuthTables>) => ({
  /** The current values, never a copy. */
  read: (): Promise<VersionedSettings> => readSettings(db),

  /** Merges a change, raises the version and writes the audit entry in one transaction. Nothing is written when nothing changes, or when `changesOf` throws. */
  async change(
    changesOf: (present: VersionedSettings) => SettingsChanges,
    entry: AuditEntry,
  ): Promise<VersionedSettings & { changed: boolean }> {
    return await db.transaction().execute(async (tx) => {
      const row = await settingsRow(tx).forUpdate().executeTakeFirstOrThrow()
      const before = settingsOf(row.changes)
      const present = { version: row.version, settings: before }
      await lockUndo(tx, entry, { ...presentAdminSettings(present) })
      const changes = addChanges(row.changes, changesOf(present))
      const settings = settingsOf(changes)
      if (JSON.stringify(settings) === JSON.stringify(before)) {
        return { version: row.version, settings, changed: false }
      }
      const version = row.version + 1
      await tx
        .updateTable('settings')
        .set({ version, changes: JSON.stringify(changes) })
        .execute()
      await writeAudit(tx, { ...entry, before, after: settings })
      return { version, settings, changed: true }
    })
  },
})

const settingsRow = (db: Kysely<AuthTables>) => db.selectFrom('settings').select(['version', 'changes'])

const readSettings = async (db: Kysely<AuthTables>): Promise<VersionedSettings> => {
  const row = await settingsRow(db).executeTakeFirstOrThrow()
  return { version: row.version, settings: settingsOf(row.changes) }
}

/** The settings as they stay until this transaction ends: a change waits for it. */
export const holdSettings = async (tx: Transaction<AuthTables>): Promise<Settings> =>
  settingsOf((await settingsRow(tx).forShare().executeTakeFirstOrThrow()).changes)
