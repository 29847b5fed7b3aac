import { join } from 'node:path'
import { type Finding, reasonOf } from '@parley/kit'
import { parts } from '../data-dir.ts'

/** The errors of an embedded PostgreSQL whose folder another process has claimed, and of one that does not start. */
const claimed = /is in use by another Parley(?: \((process \d+)\))?/
const notStarted = /^PostgreSQL did not start/

/** Why the data in a data directory could not be examined, and what to do. */
export function judgeData(error: unknown, root: string): Finding {
  const what = 'data'
  const found = reasonOf(error)
  const claim = claimed.exec(found)
  if (claim !== null) {
    // It may be starting, or the machine be busy: a command opens the database itself only if the running one does not answer in time.
    const running = claim[1] === undefined ? 'Parley' : `Parley (${claim[1]})`
    const advice = 'run npm run doctor again in a minute; if this remains, restart Parley'
    return { what, state: 'notice', found: `${running} is running, and its database did not answer in time`, advice }
  }
  // Its text has the remedy.
  if ((error as { code?: unknown }).code === 'DATA_DIR') return { what, state: 'wrong', found }
  const log = `read ${join(root, parts.postgres, 'postgres.log')}`
  const advice = notStarted.test(found) ? `${log}; npm run restore restores a backup` : log
  return { what, state: 'wrong', found, advice }
}
