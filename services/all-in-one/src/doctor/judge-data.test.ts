import { describe, expect, it } from 'vitest'
import { DataDirError } from '../secret-files.ts'
import { judgeData } from './judge-data.ts'

const of = (error: Error) => judgeData(error, '/srv/parley')

describe('the doctor on data that it cannot examine', () => {
  it('notes that Parley is running, and advises to ask again', () => {
    expect(of(new Error('/srv/parley/postgres is in use by another Parley (process 12): stop it first'))).toEqual({
      what: 'data',
      state: 'notice',
      found: 'Parley (process 12) is running, and its database did not answer in time',
      advice: 'run npm run doctor again in a minute; if this remains, restart Parley',
    })
    expect(of(new Error('/srv/parley/postgres is in use by another Parley: stop it first'))).toMatchObject({
      found: 'Parley is running, and its database did not answer in time',
    })
  })

  it('advises to restore a backup only if PostgreSQL does not start', () => {
    const log = 'read /srv/parley/postgres/postgres.log'
    const failed = of(new Error('PostgreSQL did not start: FATAL: incorrect checksum in control file'))
    expect(failed).toMatchObject({ state: 'wrong', advice: `${log}; npm run restore restores a backup` })
    expect(of(new Error('no answer within 10 s'))).toMatchObject({ state: 'wrong', advice: log })
  })

  it('leaves the advice to a text that has a remedy', () => {
    const found = '/srv/parley/auth-secrets is missing: restore that file from a backup'
    expect(of(new DataDirError(found))).toEqual({ what: 'data', state: 'wrong', found })
  })
})
