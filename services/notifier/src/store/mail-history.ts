import type { MailKind } from '@parley/contracts'
import { type Kysely, sql } from 'kysely'
import type { NotifierTables } from './delivery-store.ts'

/** A mail to a user, without its content. */
export interface MailRecord {
  readonly kind: MailKind
  readonly queuedAt: Date
  readonly state: 'queued' | 'sent' | 'failed'
  readonly settledAt: Date | null
}

/** The mails of the last 30 days to a user whose event named them, oldest first. */
export const createMailHistory = (db: Kysely<NotifierTables>) => ({
  async ofUser(userId: string): Promise<readonly MailRecord[]> {
    const { rows } = await sql<MailRecord>`
      select kind, created_at as "queuedAt", state, finished_at as "settledAt"
      from deliveries where user_id = ${userId} order by created_at, event_id collate "C"
    `.execute(db)
    return rows
  },
})
export type MailHistory = ReturnType<typeof createMailHistory>
