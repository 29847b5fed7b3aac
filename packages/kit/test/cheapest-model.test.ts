import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { createCheapestModel, createMetrics, type ServiceClient } from '../src/index.ts'
import { recordedLog } from './recorded-log.ts'

const model = { id: 'small', modelType: 'text', locked: false, creditsPerMessage: 1 }
const others = [
  { ...model, id: 'dear', creditsPerMessage: 2 },
  { ...model, id: 'locked', locked: true, creditsPerMessage: 0 },
  { ...model, id: 'painter', modelType: 'image', creditsPerMessage: 0 },
]
const demo = { ...model, id: 'demo', creditsPerMessage: 0 }
const hierarchy = {
  providers: [
    { notice: 'A demo', groups: [{ models: [demo] }] },
    { notice: null, groups: [{ models: [...others, model] }] },
  ],
}
const usage = { inputTokens: 1, outputTokens: 1, estimated: false }

it('the cheapest model of a provider that may be called is asked; if its response cannot be parsed, it gives nothing, and the log does not quote the response', async () => {
  const { log, lines } = recordedLog()
  const answer = [
    { type: 'text', text: 'Ann moves to Oslo' },
    { type: 'end', finishReason: 'stop', usage },
  ]
  const client = {
    call: async () => hierarchy,
    open: async () => Readable.from(answer.map((line) => `${JSON.stringify(line)}\n`)),
  } as unknown as ServiceClient
  const asked = createCheapestModel(
    { client, metrics: createMetrics('chat', false), log, newId: () => 'n1' },
    { prefix: 'test', purpose: 'for a test' },
  )
  expect(await asked.ask([], JSON.parse)).toBeUndefined()
  expect(lines).toMatchObject([{ model: 'small', err: { message: expect.stringContaining('form') } }])
  expect(JSON.stringify(lines)).not.toMatch(/Ann|Oslo/)
})
