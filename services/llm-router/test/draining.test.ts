import { completionLineSchema, modelInternalRoutes } from '@parley/contracts'
import { collect, readLines } from '@parley/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type GivenRouter, givenRouter, promptOf, textOf } from './given-router.ts'

let router: GivenRouter
beforeEach(async () => {
  router = await givenRouter()
  await router.model({ id: 'asked', sdkType: 'openai-sdk' })
})
afterEach(() => router.stop())

/** Opens a completion and resolves once its first line has arrived. */
async function open() {
  const lines = readLines(await router.chat.stream(modelInternalRoutes.complete, { body: promptOf('asked') }))
  const first = (await lines.next()).value
  return { first, rest: collect(lines) }
}

test('200 running completions end normally while the router drains', async () => {
  const chunks = Array.from({ length: 30 }, (_, nth) => `${nth} `)
  for (let nth = 0; nth < 200; nth += 1) router.provider.reply({ chunks, delayMs: 20 })
  const running = await Promise.all(Array.from({ length: 200 }, open))
  await router.leave(60_000)
  for (const { first, rest } of running) {
    const lines = [first, ...(await rest)].map((line) => completionLineSchema.parse(line))
    expect(textOf(lines, 'text')).toBe(chunks.join(''))
    expect(lines.at(-1)).toMatchObject({ type: 'end', finishReason: 'stop' })
  }
})

test('a completion longer than the grace period is cut, and the provider’s call cancelled', async () => {
  router.provider.reply({ chunks: ['one ', 'two'], hang: { after: 1 } })
  const { rest } = await open()
  const cut = expect(rest).rejects.toThrow()
  await router.leave(100)
  await cut
  await router.provider.aborted(1)
})
