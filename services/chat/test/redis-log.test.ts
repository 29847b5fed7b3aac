import { mkdtemp, rm } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CacheEngine } from '@parley/cache'
import { openRedisEngine } from '@parley/cache/redis'
import { chatRoutes, streamEnd, type UserPrincipal } from '@parley/contracts'
import { type NativeEngine, startNativeRedis } from '@parley/engines'
import { createLogger } from '@parley/kit'
import { apiClient, collect, readEvents, untilPasses, userPrincipal } from '@parley/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ChatProcess, startChatProcess } from './chat-process.ts'
import { givenChat, identity, message, type Replica, resume } from './given-chat.ts'
import { expectWhole, follow, reach, type TwoReplicas, twoReaders } from './two-readers.ts'

let folder: string
let redis: NativeEngine
let replicas: TwoReplicas
const engines: CacheEngine[] = []
const log = createLogger('test', 'silent')
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-chat-redis-'))
  redis = await startNativeRedis({ folder })
  const given = await givenChat()
  replicas = { given, one: await onRedis(), two: await onRedis() }
  async function onRedis(): Promise<Replica> {
    const engine = openRedisEngine({ url: redis.url, scope: 'chat', log, budgetMs: 5_000 })
    engines.push(engine)
    return await given.replica({ cache: () => engine })
  }
})
afterAll(async () => {
  await replicas.given.stop()
  for (const engine of engines) await engine.close()
  await redis.close()
  await rm(folder, { recursive: true })
})

/** Sends one command and resolves to what came back first. */
const say = (command: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = createConnection(Number(new URL(redis.url).port), '127.0.0.1', () => socket.write(`${command}\r\n`))
    socket.once('data', (answer) => {
      socket.destroy()
      resolve(answer.toString())
    })
    socket.once('error', reject)
  })

it('an answer outlives FLUSHALL', async () => {
  const answer = await twoReaders(replicas)
  answer.call.text('One, ')
  await reach(answer, 'One, ')
  expect(await say('FLUSHALL')).toBe('+OK\r\n')
  answer.call.text('two, ')
  await reach(answer, 'One, two, ')
  await untilPasses(async () => expect((await engines[1]?.streamLog.state(answer.messageId))?.lastSeq).toBe(3))
  answer.call.text('three.')
  await expectWhole(answer, 'One, two, three.')
})

it('an answer outlives a Redis that is killed, and one that starts with nothing', async () => {
  const answer = await twoReaders(replicas)
  answer.call.text('One, ')
  await reach(answer, 'One, ')
  await redis.kill('SIGKILL')
  answer.call.text('two, ')
  await reach(answer, 'One, two, ')
  await redis.start()
  await untilPasses(async () => expect((await engines[0]?.streamLog.state(answer.messageId))?.lastSeq).toBe(3))
  answer.call.text('three.')
  await expectWhole(answer, 'One, two, three.')
})

it('an answer outlives a Redis that hangs', async () => {
  const answer = await twoReaders(replicas)
  answer.call.text('One, ')
  await reach(answer, 'One, ')
  redis.freeze()
  answer.call.text('two, ')
  await reach(answer, 'One, two, ')
  redis.thaw()
  answer.call.text('three.')
  await expectWhole(answer, 'One, two, three.')
})

it('an answer is begun, read and ended without any Redis', async () => {
  await redis.kill('SIGKILL')
  const answer = await twoReaders(replicas)
  answer.call.text('All of it.')
  await expectWhole(answer, 'All of it.')
  await redis.start()
})

describe('a replica in the middle of its answers', () => {
  const answers = 10
  let child: ChatProcess | undefined
  afterEach(() => child?.kill())

  /** Begins answers on the process and resolves once each has been delivered as far as it goes. */
  async function halfAnswers() {
    const { given } = replicas
    const started = await startChatProcess(given, {
      redisUrl: redis.url,
      savesNothing: true,
      timing: { leaseMs: 10_000 },
    })
    given.router.script = (call) => {
      call.start()
      call.text(`Half of ${call.body.messages.at(-1)?.content}`)
    }
    child = started
    const client = apiClient(started.url, identity)
    const begin = async (nth: number) => {
      const user = userPrincipal()
      const reader = follow(
        readEvents(await client.as(user).stream(chatRoutes.send, { body: message(`answer ${nth}`) })),
      )
      // Whoever is killed ends its readers in the middle.
      reader.done.catch(() => undefined)
      await untilPasses(() => expect(reader.text()).toBe(`Half of answer ${nth}`))
      return { user, reader, messageId: JSON.parse(reader.seen[0]?.data ?? '').messageId as string }
    }
    const begun = await Promise.all(Array.from({ length: answers }, (_, nth) => begin(nth)))
    return { begun, started, leave: () => client.close() }
  }

  const expectEndedOnce = async (user: UserPrincipal, messageId: string, nth: number): Promise<void> => {
    const { given, two } = replicas
    const { data, text, last } = await resume(two.api.as(user), messageId)
    expect(text).toBe(`Half of answer ${nth}`)
    expect(last).toEqual({ error: 'Streaming was interrupted', code: 'unavailable' })
    expect(data.at(-1)).toBe(streamEnd)
    await untilPasses(() => expect(given.events.filter(({ key }) => key === messageId)).toHaveLength(1))
  }

  it('that is killed leaves readers on other replicas the delivered text at once, and one end each', async () => {
    const { begun, started, leave } = await halfAnswers()
    await started.kill()
    await Promise.all(
      begun.map(async ({ user, reader, messageId }, nth) => {
        const events = readEvents(
          await replicas.one.api.as(user).stream(chatRoutes.resume, { params: { id: messageId } }),
        )
        // Nothing was saved: it can only come from the log, which needs no owner for that.
        for (const { data } of reader.seen) expect((await events.next()).value?.data).toBe(data)
        expect((await collect(events)).map(({ data }) => data).slice(1)).toEqual([streamEnd])
        await expectEndedOnce(user, messageId, nth)
      }),
    )
    await leave()
  })

  it('that is paused for longer than its lease writes nothing when it resumes', async () => {
    const { begun, started, leave } = await halfAnswers()
    started.freeze()
    await Promise.all(begun.map(({ user, messageId }, nth) => expectEndedOnce(user, messageId, nth)))
    started.thaw()
    for (const call of replicas.given.router.calls) {
      call.text(' too late')
      call.end()
    }
    await Promise.all(begun.map(({ reader }) => reader.done))
    for (const [nth, { user, reader, messageId }] of begun.entries()) {
      expect(reader.text()).toBe(`Half of answer ${nth}`)
      await expectEndedOnce(user, messageId, nth)
      const stored = await replicas.one.stores.generations.find(messageId, user.userId)
      expect(stored).toMatchObject({ status: 'interrupted', content: `Half of answer ${nth}` })
    }
    await leave()
  })
})
