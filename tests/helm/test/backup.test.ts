import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const scripts = join(import.meta.dirname, '../../../helm/parley/files/backup')

/**
 * Stands in for the engines' dump and restore programs: a dump writes its arguments to the target; each fails if the URL says so. Like mongorestore,
 * it succeeds without restoring anything if the URL has another database than the backup.
 */
const program = `#!/usr/bin/env bash
for word in "$@"; do
  case "$word" in --archive=*) to="\${word#--archive=}" ;; *broken*) echo "refused" >&2; exit 1 ;; esac
  if [ "\${before:-}" = --file ]; then to="$word"; fi
  before="$word"
done
case "$0" in *dump) ;; *) to=/dev/null ;; esac
echo "$(basename "$0") $*" | tee -a "$CALLS" >"$to"
case "$0 $*" in
  *mongorestore*renamed*) echo "2026-01-31T02:15:00.000+0000	0 document(s) restored successfully. 0 document(s) failed to restore." >&2 ;;
  *mongorestore*) echo "2026-01-31T02:15:00.000+0000	10 document(s) restored successfully. 0 document(s) failed to restore." >&2 ;;
esac
`

describe('the backup scripts', () => {
  let folder: string
  const path = (...parts: string[]): string => join(folder, ...parts)
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-backup-'))
    for (const name of ['bin', 'postgres', 'mongo', 'backups']) mkdirSync(path(name))
    for (const name of ['pg_dump', 'pg_restore', 'psql', 'mongodump', 'mongorestore']) {
      writeFileSync(path('bin', name), program, { mode: 0o755 })
    }
    writeFileSync(path('postgres', 'llm-router'), 'postgres://router')
    writeFileSync(path('mongo', 'chat'), 'mongodb://chat')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const runIn = (pod: string, script: string, ...args: string[]) => {
    const env = { PATH: `${path('bin')}:${process.env.PATH}`, CALLS: path('calls'), HOSTNAME: pod }
    return spawnSync('bash', [join(scripts, script), ...args], { encoding: 'utf8', env })
  }
  const run = (script: string, ...args: string[]) => runIn('pod', script, ...args)
  const deadlineSeconds = 3_600
  const dumpPostgres = (pod = 'pod') =>
    runIn(pod, 'dump-postgres.sh', path('postgres'), path('backups'), String(deadlineSeconds))
  const backup = (keep = 2) => {
    const first = dumpPostgres()
    return first.status === 0 ? run('dump-mongo.sh', path('mongo'), path('backups'), String(keep)) : first
  }
  const kept = (): string[] => readdirSync(path('backups')).sort()

  it('dump each service with its own URL, and keep the newest backups and unrelated files', () => {
    for (const old of ['2020-01-01T000000Z', '2021-01-01T000000Z', 'mine']) mkdirSync(path('backups', old))
    expect(backup()).toMatchObject({ status: 0, stderr: '' })
    const [older, made = '', foreign] = kept()
    expect([older, foreign]).toEqual(['2021-01-01T000000Z', 'mine'])
    expect(made).toMatch(/^2\d{3}-\d\d-\d\dT\d{6}Z$/)
    expect(readdirSync(path('backups', made)).sort()).toEqual(['SHA256SUMS', 'chat.mongodump', 'llm-router.pgdump'])
    const dump = readFileSync(path('backups', made, 'llm-router.pgdump'), 'utf8')
    // pg_restore reads no other format that is a single file.
    expect(dump).toMatch(/^pg_dump --format custom --schema llm_router .*--dbname postgres:\/\/router$/m)
    expect(readFileSync(path('backups', made, 'chat.mongodump'), 'utf8')).toContain('--uri mongodb://chat')
    // They contain everything that users wrote.
    for (const name of ['', 'chat.mongodump', 'llm-router.pgdump'])
      expect(statSync(path('backups', made, name)).mode & 0o007, name).toBe(0)
  })

  it('try at once whether backups can be written, leave nothing behind, and fail where they cannot', () => {
    const tried = run('check-claim.sh', path('backups'))
    expect(tried).toMatchObject({ status: 0, stderr: '' })
    expect(tried.stdout).toMatch(/^The claim is writable and has \d\S* left\n$/)
    expect(kept()).toEqual([])
    writeFileSync(path('file'), '')
    expect(run('check-claim.sh', path('file')).status).not.toBe(0)
  })

  it('leave nothing behind when they fail, delete no backup, and say why', () => {
    mkdirSync(path('backups', '2020-01-01T000000Z'))
    writeFileSync(path('mongo', 'share'), 'mongodb://broken')
    expect(backup(1)).toMatchObject({ status: 1, stderr: 'refused\n' })
    rmSync(path('mongo', 'share'))
    writeFileSync(path('postgres', 'auth'), 'postgres://broken')
    expect(backup(1)).toMatchObject({ status: 1, stderr: 'refused\n' })
    expect(kept()).toEqual(['2020-01-01T000000Z'])
    rmSync(path('postgres', 'auth'))
    expect(backup(1)).toMatchObject({ status: 0 })
    expect(kept()).toEqual([expect.stringMatching(/^2\d{3}-/)])
    expect(kept()).not.toContain('2020-01-01T000000Z')
  })

  it('leave a backup that runs at the same time alone, and remove what a killed one left', () => {
    dumpPostgres('other')
    mkdirSync(path('backups', '.part-killed'))
    const longAgo = Date.now() / 1_000 - deadlineSeconds - 60
    utimesSync(path('backups', '.part-killed'), longAgo, longAgo)
    expect(backup()).toMatchObject({ status: 0 })
    expect(kept()).toEqual(['.part-other', expect.stringMatching(/^2\d{3}-/)])
    expect(readdirSync(path('backups', '.part-other'))).toEqual(['llm-router.pgdump'])
  })

  it('restore an intact backup, and change nothing for a damaged one', () => {
    backup()
    const [made = ''] = kept()
    rmSync(path('calls'))
    const restore = () => run('restore-postgres.sh', path('postgres'), path('backups', made))
    expect(restore()).toMatchObject({ status: 0 })
    expect(run('restore-mongo.sh', path('mongo'), path('backups', made))).toMatchObject({ status: 0 })
    const calls = readFileSync(path('calls'), 'utf8').split('\n')
    expect(calls[0]).toMatch(
      /^psql .*ON_ERROR_STOP=1 .*schema=llm_router .*empty-schema\.sql --dbname postgres:\/\/router$/,
    )
    // The role of a service may set neither owners nor privileges.
    const restored = '--no-owner --no-privileges --exit-on-error --single-transaction --dbname postgres://router'
    expect(calls[1]).toMatch(`pg_restore --schema llm_router ${restored} `)
    expect(calls[2]).toMatch(/^mongorestore --drop --stopOnError .*chat\.mongodump --uri mongodb:\/\/chat$/)
    writeFileSync(path('mongo', 'chat'), 'mongodb://renamed')
    expect(run('restore-mongo.sh', path('mongo'), path('backups', made))).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('must have the same name as in the backup'),
    })
    writeFileSync(path('mongo', 'chat'), 'mongodb://broken')
    expect(run('restore-mongo.sh', path('mongo'), path('backups', made)).status).toBe(1)
    rmSync(path('calls'))
    for (const damaged of ['chat.mongodump', 'llm-router.pgdump']) {
      const whole = readFileSync(path('backups', made, damaged))
      writeFileSync(path('backups', made, damaged), 'half')
      expect(restore(), damaged).toMatchObject({ status: 1 })
      writeFileSync(path('backups', made, damaged), whole)
    }
    expect(readdirSync(folder)).not.toContain('calls')
  })
})
