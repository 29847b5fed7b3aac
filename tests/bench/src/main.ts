import { inBrowser } from './browser.ts'
import { fullPlan, type Plan, quickPlan } from './plan.ts'
import { measureAdministration } from './rows/administration.ts'
import { measureApiCost } from './rows/api-cost.ts'
import { measureApiExactness } from './rows/api-exact.ts'
import { measureApiHop } from './rows/api-hop.ts'
import { measureBundle } from './rows/bundle.ts'
import { measureChunkCpu } from './rows/chunk-cpu.ts'
import { measureCuts } from './rows/cuts.ts'
import { measureFirstByte } from './rows/first-byte.ts'
import { measureFirstPaint } from './rows/first-paint.ts'
import { measureHistory } from './rows/history.ts'
import { measureHostileBodies } from './rows/hostile.ts'
import { measureLargePrompts } from './rows/large-prompts.ts'
import { measureLimitOfReplicas } from './rows/limit-replicas.ts'
import { measureLongChat } from './rows/long-chat.ts'
import { measureManyChats } from './rows/many-chats.ts'
import { measureMemoryLookUp } from './rows/memory-look-up.ts'
import { measureMetering } from './rows/metering.ts'
import { measureObservability } from './rows/observability.ts'
import { measureOpenChat } from './rows/open-chat.ts'
import { measureSharedPage } from './rows/shared-page.ts'
import { measureSignIn } from './rows/sign-in.ts'
import { measureSoak } from './rows/soak.ts'
import { measureSockets } from './rows/sockets.ts'
import { measureStart } from './rows/start.ts'
import { measureStreamMemory } from './rows/stream-memory.ts'
import { type Row, tableOf } from './table.ts'
import { startWhole } from './whole.ts'

/** A run that hangs is aborted after this many minutes, together with its child processes. */
const limitMinutes = 45

/** Runs a measurement if its id was selected on the command line. */
type Measure = (id: string, measure: () => Promise<Row[]>) => Promise<Row[]>

/** A row that could not be measured is shown as missed, so that one failure hides no other figure. */
const measureOnly =
  (only: ReadonlySet<string> | undefined): Measure =>
  async (id, measure) => {
    if (only?.has(id) === false) return []
    console.error(`measuring ${id} …`)
    try {
      return await measure()
    } catch (error) {
      console.error(error)
      return [
        { id, goal: 'could not be measured', measured: String(error).split('\n')[0] ?? '', limit: '', met: false },
      ]
    }
  }

async function measureAll(plan: Plan, attempt: Measure): Promise<Row[]> {
  const rows = await attempt('P8', async () => [await measureChunkCpu(plan)])
  rows.push(...(await attempt('P1', () => measureApiHop(plan))))
  rows.push(...(await attempt('P11', () => measureStreamMemory(plan))))
  rows.push(...(await attempt('P23', () => measureStart(plan))))
  rows.push(...(await attempt('P15', () => measureLimitOfReplicas(plan))))
  rows.push(...(await attempt('W8', () => measureAdministration(plan))))
  await using whole = await startWhole(plan)
  rows.push(...(await attempt('P7', () => measureFirstByte(whole))))
  rows.push(...(await attempt('P2', () => measureApiCost(whole))))
  rows.push(...(await attempt('P21', () => measureMetering(whole))))
  rows.push(...(await attempt('O1', () => measureObservability(whole))))
  rows.push(...(await attempt('P13', () => measureApiExactness(whole))))
  rows.push(...(await attempt('P20', () => measureLargePrompts(whole))))
  rows.push(...(await attempt('P22', () => measureSoak(whole))))
  rows.push(...(await attempt('W2', () => measureManyChats(whole))))
  rows.push(...(await attempt('M1', () => measureMemoryLookUp(whole))))
  rows.push(...(await attempt('R1', () => measureCuts(whole))))
  rows.push(...(await attempt('R2', () => measureSockets(whole))))
  rows.push(...(await attempt('A1', () => measureSignIn(whole))))
  rows.push(...(await attempt('S1', () => measureHostileBodies(whole))))
  rows.push(...(await attempt('W3', () => measureOpenChat(whole))))
  rows.push(...(await attempt('W1', () => inBrowser((browser) => measureFirstPaint(whole, browser)))))
  rows.push(...(await attempt('W5', () => inBrowser((browser) => measureBundle(browser, whole.parley.url)))))
  rows.push(...(await attempt('W6', () => inBrowser((browser) => measureLongChat(whole, browser)))))
  rows.push(...(await attempt('W10', () => inBrowser((browser) => measureSharedPage(whole, browser)))))
  // Last, because such a large database may slow down later rows.
  rows.push(...(await attempt('W4', () => measureHistory(whole))))
  return rows
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
setTimeout(() => {
  console.error(`Given up after ${limitMinutes} minutes`)
  process.exit(1)
}, limitMinutes * 60_000).unref()
const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice('--only='.length)
const attempt = measureOnly(only === undefined ? undefined : new Set(only.split(',')))
const rows = await measureAll(process.argv.includes('--quick') ? quickPlan : fullPlan, attempt)
console.log(tableOf(rows))
