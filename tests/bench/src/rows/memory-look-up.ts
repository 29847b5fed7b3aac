import { type Parley, startParley } from '../parley.ts'
import { type Registered, register } from '../register.ts'
import { median, quantile, withSpread } from '../statistics.ts'
import type { Row } from '../table.ts'
import type { Whole } from '../whole.ts'

const limitMs = 50
const mostMemories = 5_000
const fewMemories = 5
const importedAtOnce = 500
const chatsAtOnce = 10
/** Some five answers begin each second, which is less than a processor can make. */
const pace = { tokens: 50, everyMs: 40, padding: 0 }

const names = ['Ada', 'Bela', 'Chen', 'Dana', 'Emil', 'Fatima', 'Goran', 'Hana', 'Igor', 'Jun']
const topics = ['gardens', 'trains', 'cheese', 'chess', 'opera', 'harbours', 'maps']
const textOf = (nth: number): string =>
  `My colleague ${names[nth % 10]} of team ${nth} prefers ${topics[nth % 7]} over meetings on ${1 + (nth % 28)} March`
const messageOf = (nth: number): string =>
  `What would a colleague like ${names[nth % 10]} of team ${(nth * 37) % mostMemories} say about ${topics[nth % 7]}? I am not sure what is best.`

/** M1: the look-up of memories that each prompt waits for, of a user with as many as one may have: beside chats, and its CPU when nothing else runs. */
export async function measureMemoryLookUp({ plan, stub, stubUrl, load }: Whole): Promise<Row[]> {
  await stub.ask('pace', pace)
  const parley = await startParley(`${stubUrl}/v1`, { monitor: 'look-ups' })
  try {
    const [many, few] = [await register(parley, 'm1-many'), await register(parley, 'm1-few')]
    await remember(parley, many, mostMemories)
    await remember(parley, few, fewMemories)
    await parley.call('POST', `/admin/users/${many.id}/credits`, { amount: 1_000_000 })
    const cpus = { many: [] as number[], few: [] as number[] }
    // The first round warms up code and caches.
    for (let round = -1; round < plan.rounds; round += 1) {
      const costs = [await cpuOf(parley, many, plan.lookUps), await cpuOf(parley, few, plan.lookUps)] as const
      if (round < 0) continue
      cpus.many.push(costs[0])
      cpus.few.push(costs[1])
    }
    const target = {
      ...parley.chat(),
      headers: { authorization: `Bearer ${many.token}` },
      body: { message: messageOf(1), model: 'v3' },
    }
    const chats = (count: number) => load.ask('requests', { target, count, atOnce: chatsAtOnce })
    await chats(chatsAtOnce)
    await parley.ask('lookUps')
    const p99s: number[] = []
    let counted = 0
    for (let round = 0; round < plan.rounds; round += 1) {
      await chats(plan.lookUps)
      const times = await parley.ask<number[]>('lookUps')
      counted += times.length
      p99s.push(quantile(times, 0.99))
    }
    const cost = `CPU of one alone ${median(cpus.many).toFixed(2)} ms, of ${fewMemories} memories ${median(cpus.few).toFixed(2)} ms`
    return [
      {
        id: 'M1',
        goal: `p99 of ${counted} look-ups of ${mostMemories} memories beside ${chatsAtOnce} chats (${cost})`,
        measured: withSpread(p99s, 0, ' ms'),
        limit: `≤ ${limitMs} ms`,
        met: median(p99s) <= limitMs && counted >= plan.rounds * plan.lookUps,
      },
    ]
  } finally {
    await parley.stop()
  }
}

async function remember({ callAs }: Parley, { token }: Registered, count: number): Promise<void> {
  for (let from = 0; from < count; from += importedAtOnce) {
    const memories = Array.from({ length: Math.min(importedAtOnce, count - from) }, (_none, nth) => ({
      text: textOf(from + nth),
      category: 'general',
    }))
    await callAs(token, 'POST', '/memory/import', { memories })
  }
}

/** Milliseconds of CPU per look-up in Parley's process, the call and its answer included, PostgreSQL not. @throws Error when nothing is found */
async function cpuOf({ ask }: Parley, { id: userId }: Registered, count: number): Promise<number> {
  const messages = Array.from({ length: count }, (_none, nth) => messageOf(nth))
  const before = await ask<number>('cpu')
  const found = await ask<number>('lookUp', { userId, messages })
  if (found < count) throw new Error(`${found} memories were found in ${count} look-ups`)
  return ((await ask<number>('cpu')) - before) / count
}
