import { openMemoryHub, type StreamLog } from '@parley/cache'
import { createLogger, createMetrics } from '@parley/kit'
import { expect, it, vi } from 'vitest'
import { createGenerationMetrics } from '../generation-metrics.ts'
import type { Ending, Generation, Progress } from '../store/entities.ts'
import { createSweeper, type SweeperDeps } from './sweeper.ts'
import { defaultTiming } from './timing.ts'

const log = createLogger('test', 'silent')

/** A sweeper of answers of which this was saved, and what it ended with which text, and how. */
function givenSweeper(streamLog: StreamLog, now: () => Date, saved: Partial<Generation> = {}, isRunning = false) {
  const abandoned: string[] = []
  const ended: { readonly id: string; readonly content: string }[] = []
  const endings: Ending[] = []
  const deps = {
    abandoned: {
      takeOver: async () => {
        const id = abandoned.pop()
        const text = {
          content: '',
          reasoning: '',
          frames: [],
          events: [],
          opening: [],
          continued: null,
        }
        return id === undefined
          ? undefined
          : { id, stop: null, guest: null, price: 1, createdAt: now(), ...text, ...saved }
      },
      unsettled: async () => [],
      purgeExpired: async () => undefined,
    },
    generations: {
      finish: async (id: Generation['id'], _owner: string, { content }: Progress, ending: Ending) => {
        ended.push({ id, content })
        endings.push(ending)
        return true
      },
      noteSettled: async () => undefined,
    },
    charges: { settle: async () => ({ charged: 0, remaining: 0 }) },
    changes: { message: async () => undefined },
    metrics: createGenerationMetrics(createMetrics('test', false)),
    waiters: { notify: async () => undefined },
    streamLog,
    timing: { ...defaultTiming, leaseMs: 500 },
    owner: 'this replica',
    isRunning: () => isRunning,
    log,
    now,
    newId: () => 'event',
  }
  return { sweeper: createSweeper(deps as unknown as SweeperDeps), abandoned, ended, endings }
}
const givenLog = (): StreamLog => openMemoryHub({ log }).open('chat').streamLog

it('a sweeper that wakes from a sleep lets owners that live extend their leases before it ends any answer', async () => {
  let at = Date.now()
  const { sweeper, abandoned, ended } = givenSweeper(givenLog(), () => new Date(at))
  await sweeper.end()
  at += 3_600_000
  abandoned.push('asleep as well')
  await sweeper.end()
  expect(ended).toEqual([])
  at += defaultTiming.sweepMs
  await vi.waitFor(async () => {
    await sweeper.end()
    expect(ended).toEqual([{ id: 'asleep as well', content: '' }])
  })
})

it('an abandoned answer ends with all that was delivered, though the engine of its log is slow to answer', async () => {
  const streamLog = givenLog()
  const lines = ['Half ', 'of it'].map((text, index) => ({ seq: index + 1, data: JSON.stringify({ text }) }))
  await streamLog.append('delivered', lines)
  let [reads, states] = [0, 0]
  const slow: StreamLog = {
    ...streamLog,
    async *read(id, afterSeq, signal) {
      reads += 1
      // As an engine does that answers too late: first nothing is had, then the reading breaks off.
      if (reads === 1) return
      for await (const entry of streamLog.read(id, afterSeq, signal)) {
        yield entry
        if (reads === 2) return
      }
    },
    async state(id) {
      states += 1
      if (states === 1) throw new Error('no answer within 200 milliseconds')
      return await streamLog.state(id)
    },
  }
  const { sweeper, abandoned, ended } = givenSweeper(slow, () => new Date())
  abandoned.push('delivered')
  await sweeper.end()
  expect(ended).toEqual([{ id: 'delivered', content: 'Half of it' }])
})

it('an abandoned answer ends with all that was delivered beyond what was saved, including memories and tool calls', async () => {
  const streamLog = givenLog()
  const delivered = [
    { chatId: 'c' },
    { memories_used: [{ id: 'm', text: 'A fact' }] },
    { text: 'Half ' },
    { tool_call_start: { toolName: 'clock', toolCallId: 't', parameters: {} } },
    { text: 'of it' },
  ]
  await streamLog.append(
    'delivered',
    delivered.map((event, index) => ({ seq: index + 1, data: JSON.stringify(event) })),
  )
  // The memories, the first half and the call of the tool were saved.
  const { sweeper, abandoned, ended } = givenSweeper(streamLog, () => new Date(), { frames: [1, 1, 1] })
  abandoned.push('delivered')
  await sweeper.end()
  expect(ended).toEqual([{ id: 'delivered', content: 'Half of it' }])
})

it('an abandoned answer that was to be stopped ends as stopped', async () => {
  const { sweeper, abandoned, endings } = givenSweeper(givenLog(), () => new Date(), { stop: 'user' })
  abandoned.push('stopped')
  await sweeper.end()
  expect(endings).toMatchObject([{ outcome: 'stopped', failure: null }])
})

it('an abandoned answer keeps the text that it had when it was continued, whatever its log says', async () => {
  const streamLog = givenLog()
  await streamLog.append('continued', [{ seq: 1, data: '{"text":" fox"}' }])
  const { sweeper, abandoned, ended } = givenSweeper(streamLog, () => new Date(), { content: 'The quick brown' })
  abandoned.push('continued')
  await sweeper.end()
  expect(ended).toEqual([{ id: 'continued', content: 'The quick brown' }])
})

it('an answer that is made here is not ended the first time that its lease has run out, but the second', async () => {
  const { sweeper, abandoned, ended } = givenSweeper(givenLog(), () => new Date(), {}, true)
  abandoned.push('hanging')
  await sweeper.end()
  expect(ended).toEqual([])
  abandoned.push('hanging', 'another')
  await sweeper.end()
  expect(ended).toEqual([{ id: 'hanging', content: '' }])
})
