import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { collect, readEvents, waitUntil } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type World } from './given.ts'

const list = readFileSync(join(import.meta.dirname, '../../../deploy/METRICS.md'), 'utf8')
/** Metrics of the documented list as `name type label,label`. */
const documented = [...list.matchAll(/^\| `(\w+)` \| (\w+) \|([^|]*)\|/gm)].map(([, name, type, labels = '']) =>
  `${name} ${type} ${labels.replaceAll(/[` ]/g, '')}`.trim(),
)

const isOfProcess = (name: string): boolean => /^(process|nodejs)_/.test(name)

/** One sample: its metric, its labels and its value. */
interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const samplesOf = (text: string): Sample[] =>
  [...text.matchAll(/^(\w+)\{(.*)\} (\S+)$/gm)].map(([, name = '', labels = '', value]) => ({
    name,
    labels: Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, of]) => [label, of])),
    value: Number(value),
  }))

describe('the metrics of a running Parley', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world.close())
  const read = async (): Promise<string> => (await world.replicas[0]?.metrics()) ?? ''
  const figure = async (name: string, labels: Readonly<Record<string, string>>): Promise<number | undefined> =>
    samplesOf(await read()).find(
      (sample) => sample.name === name && Object.entries(labels).every(([label, of]) => sample.labels[label] === of),
    )?.value

  it('match the documented list by name, type and labels', async () => {
    const text = await read()
    const types = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].filter(([, name = '']) => !isOfProcess(name))
    expect(types.map(([, name, type]) => `${name} ${type}`).sort()).toEqual(
      documented.map((line) => line.split(' ').slice(0, 2).join(' ')).sort(),
    )
    for (const { name, labels } of samplesOf(text).filter((sample) => !isOfProcess(sample.name))) {
      const line = documented.find(
        (one) => name.replace(/_(bucket|sum|count)$/, '') === one.split(' ', 1)[0] || name === one.split(' ', 1)[0],
      )
      const listed = line?.split(' ')[2]?.split(',') ?? []
      const undocumented = Object.keys(labels).filter((label) => !['service', 'le', ...listed].includes(label))
      expect(undocumented, `undocumented labels of ${name}`).toEqual([])
    }
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds')
  })

  it('record an answer by route template, outcome and first token, and never contain an id', async () => {
    const countOf = async (name: string, labels: Readonly<Record<string, string>>): Promise<number> =>
      (await figure(name, labels)) ?? 0
    const answers = () =>
      countOf('chat_generations_total', { service: 'chat', model: 'v3', outcome: 'complete', code: 'none' })
    const firstTokens = () => countOf('chat_first_token_seconds_count', { model: 'v3' })
    const reads = () =>
      countOf('http_request_duration_seconds_count', {
        ...{ service: 'gateway', method: 'GET', route: '/api/chat/history/:id', status: '200' },
      })
    const before = { answers: await answers(), firstTokens: await firstTokens(), reads: await reads() }
    const ann = await world.register()
    world.provider.reply({ chunks: ['Fine.'], usage: { inputTokens: 1, outputTokens: 1 } })
    const answer = await ann.api.open('POST', '/api/chat', { body: { message: 'How are you?', model: 'v3' } })
    const [first] = await collect(readEvents(answer))
    const { chatId } = JSON.parse(first?.data ?? '{}') as { chatId: string }
    expect((await ann.api.get(`/api/chat/history/${chatId}`)).status).toBe(200)
    await waitUntil(async () => (await answers()) === before.answers + 1, 'the end of the answer in the metrics')
    expect(await firstTokens()).toBe(before.firstTokens + 1)
    await waitUntil(async () => (await reads()) === before.reads + 1, 'the request by its route template')
    await waitUntil(async () => (await figure('gateway_open_streams', {})) === 0, 'no open stream')
    await waitUntil(async () => (await figure('chat_generations_running', {})) === 0, 'no running answer')
    expect(await figure('billing_open_holds', {})).toBeGreaterThanOrEqual(0)
    expect(await figure('billing_ledger_drift_credits', {})).toBe(0)
    const text = await read()
    for (const id of [chatId, ann.user._id, ann.user.username]) expect(text).not.toContain(id)
  })
})
