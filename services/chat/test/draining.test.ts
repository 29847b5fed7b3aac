import { setTimeout as delay } from 'node:timers/promises'
import { chatRoutes, streamEnd } from '@parley/contracts'
import { readEvents, untilPasses, userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type CompletionCall, echo, type Script } from './fake-router.ts'
import {
  type Answer,
  type GivenChat,
  givenChat,
  message,
  type Replica,
  readAnswer,
  resume,
  send,
} from './given-chat.ts'
import { follow } from './two-readers.ts'

let given: GivenChat
beforeAll(async () => {
  given = await givenChat()
})
afterAll(() => given.stop())
beforeEach(() => given.router.reset())

const pieces = Array.from({ length: 40 }, (_, nth) => `${nth} `)

/** Says all pieces, the second half of them once `halfway` allows it. */
const longAnswer =
  (halfway: Promise<void>): Script =>
  async (call) => {
    call.start()
    for (const [nth, piece] of pieces.entries()) {
      if (nth === pieces.length / 2) await halfway
      call.text(piece)
      await delay(10)
    }
    call.end()
  }

/** Begins 100 answers on each replica, few enough at once that none is refused for waiting too long, and waits until all are being made. */
async function beginOn(replicas: readonly Replica[]): Promise<Promise<Answer>[]> {
  const answers: Promise<Answer>[] = []
  for (let wave = 0; wave < 10; wave += 1) {
    for (const { api } of replicas.flatMap((replica) => Array<Replica>(10).fill(replica))) {
      answers.push(
        api
          .as(userPrincipal())
          .stream(chatRoutes.send, { body: message('Go') })
          .then(readAnswer),
      )
    }
    await untilPasses(() => expect(given.router.calls).toHaveLength(answers.length))
  }
  return answers
}

it('200 running answers on two replicas are all complete when one replica after the other is replaced', async () => {
  // For crowds on a busy machine.
  const timing = { drainMs: 50_000, checkpointMs: 1_000, billingMs: 20_000 }
  const [one, two] = [await given.replica({ timing }), await given.replica({ timing })]
  const { promise: halfway, resolve: proceed } = Promise.withResolvers<void>()
  given.router.script = longAnswer(halfway)
  const answers = await beginOn([one, two])
  const left = one.stop(55_000)
  const next = await given.replica()
  const allLeft = Promise.all([left, two.stop(55_000)])
  proceed()
  await allLeft
  for (const { ids, text, data, last } of await Promise.all(answers)) {
    expect(text).toBe(pieces.join(''))
    expect(last).toMatchObject({ done: true, finishReason: 'stop' })
    expect(data.at(-1)).toBe(streamEnd)
    expect(ids).toEqual(ids.map((_id, index) => index + 1))
  }
  given.router.script = echo
  expect((await send(next.api.as(userPrincipal()), message('And on'))).text).toBe('You said: And on')
})

it('a draining replica begins no answer (503), finishes those begun, and streams other replicas’ answers to their end', async () => {
  const [leaving, other] = [await given.replica({ timing: { drainMs: 20_000 } }), await given.replica()]
  const user = userPrincipal()
  given.router.script = (call) => call.start()
  const own = leaving.api.as(userPrincipal()).stream(chatRoutes.send, { body: message('Mine') })
  const foreign = await other.api.as(user).stream(chatRoutes.send, { body: message('Theirs') })
  await untilPasses(() => expect(given.router.calls).toHaveLength(2))
  const { messageId } = JSON.parse((await readEvents(foreign).next()).value?.data ?? '')
  leaving.drain()
  const body = message('New', { clientMessageId: 'while-it-leaves' })
  const refused = await leaving.api.as(user).post('/api/chat', body)
  expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '2' }, body: { code: 'unavailable' } })
  const reading = resume(leaving.api.as(user), messageId)
  for (const call of given.router.calls) {
    call.text('Whole')
    call.end()
  }
  expect((await reading).text).toBe('Whole')
  expect((await readAnswer(await own)).last).toMatchObject({ done: true })
  given.router.script = echo
  expect((await send(other.api.as(user), body)).text).toBe('You said: New')
})

it('a replica whose drain time is over disconnects readers of other replicas’ answers, without an end event', async () => {
  const [leaving, other] = [await given.replica({ timing: { drainMs: 50 } }), await given.replica()]
  const user = userPrincipal()
  given.router.script = (call) => {
    call.start()
    call.text('Half')
  }
  const answer = readEvents(await other.api.as(user).stream(chatRoutes.send, { body: message('Go') }))
  const { messageId } = JSON.parse((await answer.next()).value?.data ?? '')
  await answer.next()
  const resumed = leaving.api.as(user).stream(chatRoutes.resume, { params: { id: messageId } })
  const reading = follow(readEvents(await resumed))
  await untilPasses(() => expect(reading.seen).toHaveLength(2))
  leaving.drain()
  await reading.done
  expect(reading.seen.map(({ data }) => data)).toEqual([expect.stringContaining(messageId), '{"text":"Half"}'])
  const call = given.router.calls.at(-1) as CompletionCall
  call.text(' and half')
  call.end()
  expect((await resume(other.api.as(user), messageId, reading.seen.at(-1)?.id)).text).toBe(' and half')
})

/** A replica that stores the beginning of an answer once `begun` resolves; `asked` resolves when it is about to. */
async function beginningLate(drainMs: number) {
  const [asked, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const leaving = await given.replica({
    timing: { drainMs },
    stores: (stores) => ({
      ...stores,
      generations: {
        ...stores.generations,
        async begin(...args) {
          asked.resolve()
          await begun.promise
          return await stores.generations.begin(...args)
        },
      },
    }),
  })
  given.router.script = (call) => {
    call.start()
    call.text('Half of it')
  }
  return { leaving, asked, begun }
}

it('an answer begun while its replica drains is ended in time, too, and its text kept', async () => {
  const { leaving, asked, begun } = await beginningLate(5_000)
  const other = await given.replica()
  const user = userPrincipal()
  const answer = leaving.api.as(user).stream(chatRoutes.send, { body: message('Go') })
  await asked.promise
  const left = leaving.stop(30_000)
  begun.resolve()
  const { data, start } = await readAnswer(await answer)
  expect(data.slice(1)).toEqual([
    '{"text":"Half of it"}',
    '{"error":"Streaming was interrupted","code":"unavailable"}',
    streamEnd,
  ])
  await left
  expect(await other.stores.generations.find(start.messageId, user.userId)).toMatchObject({
    status: 'interrupted',
    content: 'Half of it',
  })
})

it('an answer begun when its replica’s drain time is over is refused (503), and the replica stops', async () => {
  const { leaving, asked, begun } = await beginningLate(50)
  const answer = leaving.api.as(userPrincipal()).post('/api/chat', message('Go'))
  await asked.promise
  const left = leaving.stop(30_000)
  await delay(300)
  begun.resolve()
  expect(await answer).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  await left
  expect(given.router.calls).toEqual([])
})
