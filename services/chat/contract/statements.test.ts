import { testEvent } from '@parley/testing'
import { onEngine } from '@parley/testing/test-engines'
import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { givenChatEngine, openPgEngine } from './chat-engines.ts'
import { held, sampleEnding, sampleGeneration, sampleProgress } from './suites/samples.ts'

/** The statements that `act` makes, each of which is a round trip. */
async function statementsOf(act: () => Promise<unknown>): Promise<readonly string[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await act()
    const asked = query.mock.calls.map(([config]) => config as unknown as string | pg.QueryConfig)
    return asked.map((config) => (typeof config === 'string' ? config : config.text))
  } finally {
    query.mockRestore()
  }
}

onEngine('postgres', () => {
  const engine = givenChatEngine(openPgEngine)

  it('the end of an answer is stored with its event by one statement, and nothing where the answer has another owner', async () => {
    const { generations, outbox } = engine.stores
    await generations.begin(sampleGeneration('g'), held('replica'))
    const { usage } = sampleEnding()
    const ended = { generationId: 'g', chatId: 'chat', userId: 'owner', model: 'v3', outcome: 'complete' } as const
    const data = { ...ended, charge: 1, usage }
    const event = testEvent('chat.generation-finished', 'g', data, 'event of g')
    const finish = (owner: string) => generations.finish('g', owner, sampleProgress(), sampleEnding(), event)
    let hasEnded = true
    expect(await statementsOf(async () => (hasEnded = await finish('another')))).toHaveLength(1)
    expect([hasEnded, await outbox.pending(9)]).toEqual([false, []])
    expect(await statementsOf(async () => (hasEnded = await finish('replica')))).toHaveLength(1)
    expect([hasEnded, await outbox.pending(9)]).toEqual([true, [event]])
  })

  it('a look for messages to index that finds none is one statement in a transaction', async () => {
    expect(await statementsOf(() => engine.stores.search.index(new Date()))).toEqual([
      'begin',
      expect.stringMatching(/^select .*"search_pending"/),
      'commit',
    ])
  })
})
