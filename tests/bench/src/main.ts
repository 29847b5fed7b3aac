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
import { type Row, tableHead, tableLine } from './table.ts'
import { startWhole, type Whole } from './whole.ts'

/** A run that hangs is aborted after this many minutes, together with its child processes. */
const limitMinutes = 120

/** Measures rows if the first one's id was selected on the command line, and prints them. */
type Measure = (id: string, measure: () => Promise<Row[]>) => Promise<void>

/** A row that could not be measured is shown as missed, so that one failure hides no other figure. */
const measureOnly =
  (only: ReadonlySet<string> | undefined): Measure =>
  async (id, measure) => {
    if (only?.has(id) === false) return
    console.error(`measuring ${id} …`)
    for (const row of await measure().catch((error: unknown) => [unmeasured(id, error)])) console.log(tableLine(row))
  }

function unmeasured(id: string, error: unknown): Row {
  console.error(error)
  return { id, goal: 'could not be measured', measured: String(error).split('\n')[0] ?? '', limit: '', met: false }
}

async function measureAll(plan: Plan, attempt: Measure): Promise<void> {
  await attempt('P8', async () => [await measureChunkCpu(plan)])
  await attempt('P1', () => measureApiHop(plan))
  await attempt('P11', () => measureStreamMemory(plan))
  await attempt('P23', () => measureStart(plan))
  await attempt('P15', () => measureLimitOfReplicas(plan))
  await attempt('W8', () => measureAdministration(plan))
  await using whole = await startWhole(plan)
  const { parley } = whole
  const onWhole = (id: string, measure: (whole: Whole) => Promise<Row[]>): Promise<void> =>
    attempt(id, async () => {
      await parley.signIn()
      return await measure(whole)
    })
  await onWhole('P7', measureFirstByte)
  await onWhole('P2', measureApiCost)
  await onWhole('P21', measureMetering)
  await onWhole('O1', measureObservability)
  await onWhole('P13', measureApiExactness)
  await onWhole('P20', measureLargePrompts)
  await onWhole('P22', measureSoak)
  await onWhole('W2', measureManyChats)
  await onWhole('M1', measureMemoryLookUp)
  await onWhole('R1', measureCuts)
  await onWhole('R2', measureSockets)
  await onWhole('A1', measureSignIn)
  await onWhole('S1', measureHostileBodies)
  await onWhole('W3', measureOpenChat)
  await onWhole('W1', () => inBrowser((browser) => measureFirstPaint(whole, browser)))
  await onWhole('W5', () => inBrowser((browser) => measureBundle(browser, parley.url)))
  await onWhole('W6', () => inBrowser((browser) => measureLongChat(whole, browser)))
  await onWhole('W10', () => inBrowser((browser) => measureSharedPage(whole, browser)))
  // Last, because such a large database may slow down later rows.
  await onWhole('W4', measureHistory)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
setTimeout(() => {
  console.error(`Given up after ${limitMinutes} minutes`)
  process.exit(1)
}, limitMinutes * 60_000).unref()
const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice('--only='.length)
const attempt = measureOnly(only === undefined ? undefined : new Set(only.split(',')))
console.log(tableHead)
await measureAll(process.argv.includes('--quick') ? quickPlan : fullPlan, attempt)
