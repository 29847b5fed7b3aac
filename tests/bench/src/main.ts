import { openBrowser } from './browser.ts'
import { fullPlan, type Plan, quickPlan } from './plan.ts'
import { measureBundle } from './rows/bundle.ts'
import { measureChunkCpu } from './rows/chunk-cpu.ts'
import { measureFirstByte } from './rows/first-byte.ts'
import { measureLongChat } from './rows/long-chat.ts'
import { measureManyChats } from './rows/many-chats.ts'
import { measureStart } from './rows/start.ts'
import { type Row, tableOf } from './table.ts'
import { startWhole } from './whole.ts'

/** Minutes after which a run that hangs is given up; its children end with it. */
const limitMinutes = 20

/** A row that could not be measured is shown as missed, so that one failure hides no other figure. */
async function attempt(id: string, measure: () => Promise<Row[]>): Promise<Row[]> {
  console.error(`measuring ${id} …`)
  try {
    return await measure()
  } catch (error) {
    console.error(error)
    return [{ id, goal: 'could not be measured', measured: String(error).split('\n')[0] ?? '', limit: '', met: false }]
  }
}

async function measureAll(plan: Plan): Promise<Row[]> {
  const rows = await attempt('P8', async () => [await measureChunkCpu(plan)])
  rows.push(...(await attempt('P23', () => measureStart(plan))))
  await using whole = await startWhole(plan)
  rows.push(...(await attempt('P7', () => measureFirstByte(whole))))
  rows.push(...(await attempt('W2', () => measureManyChats(whole))))
  await using browser = await openBrowser()
  rows.push(...(await attempt('W5', () => measureBundle(browser, whole.parley.url))))
  rows.push(...(await attempt('W6', () => measureLongChat(whole, browser))))
  return rows
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
setTimeout(() => {
  console.error(`Given up after ${limitMinutes} minutes`)
  process.exit(1)
}, limitMinutes * 60_000).unref()
const rows = await measureAll(process.argv.includes('--quick') ? quickPlan : fullPlan)
console.log(tableOf(rows))
