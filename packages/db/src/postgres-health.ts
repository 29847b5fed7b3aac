import type { Logger } from '@parley/kit'

/** The oldest major version that is tried, as the server numbers it. */
const oldest = 150_000
const diskFull = '53100'

const stateQuery = `select current_setting('server_version_num')::int as version, current_setting('server_version') as name,
  current_setting('transaction_read_only') = 'on' as "readOnly"`
/** Grows a file and leaves nothing behind: a block is one statement and, so, one transaction. */
const growthQuery = `do $$ begin
  create table growth_probe as select repeat('x', 100) as filler from generate_series(1, 2000);
  drop table growth_probe;
end $$`

interface ServerState {
  readonly version: number
  readonly name: string
  readonly readOnly: boolean
}

/** Whether a server is usable, and what its failures told about that. @param query runs SQL on any connection */
export function createPostgresHealth(
  query: (text: string) => Promise<{ rows: unknown[] }>,
  log: Pick<Logger, 'warn' | 'error'>,
) {
  let full = false
  return {
    /** Rejects when the server cannot be asked, is too old, or takes no writes. */
    async ping(): Promise<void> {
      const { rows } = await query(stateQuery)
      const { version, name, readOnly } = rows[0] as ServerState
      if (version < oldest) throw new Error(`PostgreSQL 15 or newer is needed, and this one is ${name}`)
      if (readOnly) throw new Error('PostgreSQL is read-only')
      if (!full) return
      await query(growthQuery)
      full = false
      log.warn('the disk of PostgreSQL has space again')
    },
    /** Called with the failure of every statement: a full disk shows in writes alone. */
    failed(error: unknown): void {
      if (full || (error as { code?: unknown } | null)?.code !== diskFull) return
      full = true
      log.error('the disk of PostgreSQL is full: nothing can be written until there is space on it')
    },
  }
}
