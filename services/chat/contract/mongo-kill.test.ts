import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventOf } from '@parley/bus'
import { type NativeEngine, startNativeMongo } from '@parley/engines'
import { createLogger, newId } from '@parley/kit'
import { onEngine } from '@parley/testing/test-engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Begun } from '../src/store/generation-store.ts'
import type { ChatStores } from '../src/store/index.ts'
import { openMongoChatStores } from '../src/store/mongo/open-stores.ts'
import {
  held,
  runOut,
  sampleChat,
  sampleEnding,
  sampleGeneration,
  sampleMessage,
  sampleProgress,
  second,
} from './suites/samples.ts'

const log = createLogger('chat-contract', 'silent')
const eventually = { interval: 50 }
const chats = 50

/** What callers were told of one answer before the engine died; undefined where they were told of a failure. */
interface Told {
  readonly chat: number
  readonly round: number
  begun?: Begun
  saved?: boolean
  finished?: boolean
}

onEngine('mongo', () => {
  describe('MongoDB killed while answers are begun, saved and ended', () => {
    let folder: string
    let server: NativeEngine
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'parley-mongo-'))
      server = await startNativeMongo({ folder: join(folder, 'mongo') })
    })
    afterAll(async () => {
      await server.close()
      await rm(folder, { recursive: true, force: true })
    })

    it.each([1, 100])('after %i ended answers has every acknowledged answer and no partial one', async (enough) => {
      const url = `${server.url}/test_${newId()}`
      const stores = openMongoChatStores({ url, log })
      const replica = openMongoChatStores({ url, log })
      await stores.migrate()
      const told: Told[] = []
      const dead = Promise.withResolvers<void>()
      const tell = (each: Told): void => void told.push(each)
      const ended = (): void => {
        if (told.filter(({ finished }) => finished).length === enough) dead.resolve(server.kill('SIGKILL'))
      }
      const lives = Array.from({ length: chats }, (_, chat) => live(chat % 2 ? stores : replica, chat, tell, ended))
      const outcomes = await Promise.allSettled(lives)
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toEqual([])
      await dead.promise
      await server.start()
      await expect.poll(() => isReached(replica), eventually).toBe(true)
      await checkAcknowledged(stores, told)
      await repairAll(replica)
      await checkWhole(stores)
      await Promise.all([stores.close(), replica.close()])
    })
  })
})

const idsOf = ({ chat, round }: Pick<Told, 'chat' | 'round'>) => ({
  id: `g${chat}.${round}`,
  chatId: `chat ${chat}`,
  parentId: `q${chat}.${round}`,
})

const finished = (which: Told) => {
  const { id, chatId } = idsOf(which)
  const { usage } = sampleEnding()
  const data = {
    generationId: id,
    chatId,
    userId: 'owner',
    model: 'v3',
    outcome: 'complete' as const,
    charge: 1,
    usage,
  }
  return eventOf('chat.generation-finished', id, data, { id: `event of ${id}`, at: second(9) })
}

/** Turn after turn in one chat until the engine is gone, under leases that run out as soon as their replica is. */
async function live(stores: ChatStores, chat: number, tell: (told: Told) => void, ended: () => void): Promise<void> {
  for (let round = 0; ; round += 1) {
    const told: Told = { chat, round }
    tell(told)
    await answer(stores, told)
    ended()
  }
}

async function answer({ generations }: ChatStores, told: Told): Promise<void> {
  const { chat, round } = told
  const { id, chatId, parentId } = idsOf(told)
  const follows = round === 0 ? null : idsOf({ chat, round: round - 1 }).id
  const message = sampleMessage(parentId, { chatId, parentId: follows, createdAt: second(2 * round) })
  const generation = sampleGeneration(id, { chatId, parentId, createdAt: second(2 * round + 1) })
  told.begun = await generations.begin(generation, runOut('r'), { newChat: sampleChat(chatId), message, follows })
  told.saved = (await generations.checkpoint(id, runOut('r'), sampleProgress())) !== undefined
  told.finished = await generations.finish(id, 'r', sampleProgress(), sampleEnding(), finished(told))
}

async function checkAcknowledged({ generations, messages, outbox }: ChatStores, told: readonly Told[]): Promise<void> {
  const events = new Set((await outbox.pending(10_000)).map(({ id }) => id))
  for (const each of told) {
    const { id, chatId, parentId } = idsOf(each)
    const found = await generations.find(id, 'owner')
    if (each.begun !== undefined) {
      expect([id, each.begun]).toEqual([id, 'begun'])
      expect(found).toMatchObject({ id, parentId })
      expect(await messages.find(chatId, parentId)).toBeDefined()
    }
    if (each.saved) expect(found).toMatchObject({ content: sampleProgress().content })
    if (each.finished) expect(found?.status).toBe('complete')
    // The end and its event are there together or not at all.
    expect([id, events.has(`event of ${id}`)]).toEqual([id, found?.status === 'complete'])
  }
}

/** What the sweeper does. */
async function repairAll({ abandoned, generations }: ChatStores): Promise<void> {
  for (;;) {
    const lost = await abandoned.takeOver(held('sweeper'))
    if (lost === undefined) return
    const ending = sampleEnding({ outcome: 'interrupted' })
    expect(await generations.finish(lost.id, 'sweeper', lost, ending, undefined)).toBe(true)
  }
}

/** Every chat that is there goes question, answer, question, answer; and every answer has ended. */
async function checkWhole({ chats: kept, messages }: ChatStores): Promise<void> {
  for (const { id } of await kept.list('owner')) {
    const path = await messages.path(id, 'shown', 1_000)
    expect(path.length).toBeGreaterThan(0)
    expect(path.map(({ role }) => role)).toEqual(path.map((_message, nth) => (nth % 2 ? 'user' : 'assistant')))
    expect(path.length % 2).toBe(0)
    for (const { status } of path) expect(['complete', 'interrupted']).toContain(status)
  }
}

const isReached = ({ ping }: ChatStores): Promise<boolean> =>
  ping().then(
    () => true,
    () => false,
  )
