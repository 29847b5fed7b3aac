import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type LoadUser, openLoadUsers } from '@parley/testing'
import { bottleneckOf, type Sample, sampleOf, type Work, workBetween } from './bottleneck.ts'
import { type Level, levelOf, levelsUpTo, tableOf } from './capacity.ts'
import { type Prepared, type PreparedUser, profileNames, scenarioNames } from './prepared.ts'
import { iterationsOf, linesOf, type Summary } from './report.ts'

const usage = `Usage: PARLEY_ADMIN_PASSWORD=… npm run k6 -- <${scenarioNames.join('|')}> [--profile ${profileNames.join('|')}] [--url http://localhost:8080] [--peak 50] [--users 20] [--metrics URL]…`

/** `npm run k6`: loads a running system with k6 (in PATH or K6_BIN) and prints a report. Exits with 99 when a threshold was crossed, 1 without iterations. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    profile: { type: 'string', default: 'smoke' },
    url: { type: 'string', default: 'http://localhost:8080' },
    /** Virtual users at the profile's peak. */
    peak: { type: 'string', default: '50' },
    /** Number of accounts, shared by the virtual users. */
    users: { type: 'string', default: '20' },
    /** URLs of the processes' metrics. */
    metrics: { type: 'string', multiple: true, default: [] },
  },
})
const scenario = scenarioNames.find((name) => name === positionals[0])
const profile = profileNames.find((name) => name === values.profile)
const [peak, count] = [Number(values.peak), Number(values.users)]
const password = process.env.PARLEY_ADMIN_PASSWORD
if (!scenario || !profile || positionals.length !== 1 || !(peak >= 1) || !(count >= 1) || !password) {
  console.error(usage)
  process.exit(2)
}

const url = values.url.replace(/\/$/, '')
const folder = await mkdtemp(join(tmpdir(), 'parley-k6-'))
try {
  const { admin, users, restore } = await openLoadUsers(
    url,
    password,
    scenario === 'admin' || scenario === 'guest' ? 1 : count,
  )
  try {
    const prepared: Prepared = {
      ...{ url, profile, peak },
      admin: { ...credentials(admin), key: '' },
      users: await Promise.all(users.map(prepare)),
    }
    if (profile === 'capacity') await measureCapacity(scenario, prepared)
    else await measure(scenario, prepared)
  } finally {
    await restore()
  }
} finally {
  await rm(folder, { recursive: true })
}

/** Runs the profile once and prints its report. */
async function measure(scenario: string, prepared: Prepared): Promise<void> {
  const { code, work, summary } = await runOnce(scenario, prepared)
  process.exitCode = code
  // Without a summary, k6 has already printed why it did not run.
  if (summary === undefined) return
  for (const line of linesOf(summary)) console.log(line)
  console.log(`Bottleneck: ${bottleneckOf(work)}`)
  if (iterationsOf(summary) === 0) {
    console.log('✗ nothing came to its end in this time')
    process.exitCode ||= 1
  }
}

/** Doubles the virtual users until a threshold is crossed or the peak is reached, and prints a row per level. */
async function measureCapacity(scenario: string, prepared: Prepared): Promise<void> {
  const levels: Level[] = []
  for (const users of levelsUpTo(prepared.peak)) {
    const { code, work, summary } = await runOnce(scenario, { ...prepared, peak: users })
    if (summary === undefined) {
      process.exitCode = code
      break
    }
    levels.push(levelOf(users, summary, work))
    if (code !== 0 || iterationsOf(summary) === 0) break
  }
  for (const line of tableOf(levels)) console.log(line)
  if (levels[0]?.isServed !== true) process.exitCode ||= 99
}

interface Run {
  readonly code: number
  readonly work: readonly Work[]
  readonly summary: Summary | undefined
}

async function runOnce(scenario: string, prepared: Prepared): Promise<Run> {
  const [input, output] = [join(folder, 'prepared.json'), join(folder, 'summary.json')]
  await writeFile(input, JSON.stringify(prepared), { mode: 0o600 })
  await rm(output, { force: true })
  const [before, began] = [await samples(), performance.now()]
  const code = await k6(scenario, { PREPARED: input, SUMMARY: output })
  const work = workBetween(before, await samples(), (performance.now() - began) / 1_000)
  const summary = existsSync(output) ? (JSON.parse(await readFile(output, 'utf8')) as Summary) : undefined
  return { code, work, summary }
}

function credentials({ username, password, token }: LoadUser) {
  return { username, password, token }
}

/** Signs the user in and creates an API key. The key is never revoked, because the account exists only for load tests. */
async function prepare(user: LoadUser): Promise<PreparedUser> {
  const { status, text, body } = await user.api.post('/api/user/keys', { label: 'Load' })
  assert.equal(status, 201, text)
  return { ...credentials(user), key: (body as { readonly secret: string }).secret }
}

async function samples(): Promise<readonly Sample[]> {
  const read = async (from: string) => sampleOf(await (await fetch(from)).text())
  return (await Promise.all(values.metrics.map(read))).filter((sample) => sample !== undefined)
}

/** Resolves to k6's exit code: 99 when a threshold was crossed. @throws when k6 is not installed */
async function k6(scenario: string, variables: Readonly<Record<string, string>>): Promise<number> {
  const script = join(import.meta.dirname, `scenarios/${scenario}.ts`)
  const env = { ...process.env, ...variables, K6_NO_USAGE_REPORT: 'true', K6_AUTO_EXTENSION_RESOLUTION: 'false' }
  const child = spawn(process.env.K6_BIN ?? 'k6', ['run', '--quiet', '--include-system-env-vars', script], {
    env,
    stdio: 'inherit',
  })
  const [code] = await once(child, 'close')
  return code ?? 1
}
