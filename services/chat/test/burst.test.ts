import { setTimeout as delay } from 'node:timers/promises'
import { chatRoutes } from '@parley/contracts'
import { newId } from '@parley/kit'
import { adminPrincipal, userPrincipal, waitUntil } from '@parley/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { defaultTiming } from '../src/generation/timing.ts'
import { echo } from './fake-router.ts'
import { type GivenChat, givenChat, message, type Replica, send } from './given-chat.ts'

let given: GivenChat
let chat: Replica
let mostAtOnce = 0
let claims = 0
/** Users whose storage the store is slow to tell. */
const counting = new Map<string, Promise<void>>()
beforeAll(async () => {
  given = await givenChat()
  let atOnce = 0
  chat = await given.replica({
    // The product's own times: many short ones would be a crowd of another kind. A crowd in one process waits longer for billing.
    timing: { ...defaultTiming, billingMs: 20_000 },
    stores: (stores) => ({
      ...stores,
      usage: {
        ...stores.usage,
        async of(ownerId) {
          await counting.get(ownerId)
          return await stores.usage.of(ownerId)
        },
      },
      sends: {
        ...stores.sends,
        claim(send) {
          claims += 1
          return stores.sends.claim(send)
        },
      },
      generations: {
        ...stores.generations,
        async begin(...args) {
          atOnce += 1
          mostAtOnce = Math.max(mostAtOnce, atOnce)
          await delay(20)
          return await stores.generations.begin(...args).finally(() => {
            atOnce -= 1
          })
        },
      },
    }),
  })
})
afterAll(() => given.stop())

it('150 sends at once to a slow store queue and are all answered', async () => {
  const answers = await Promise.all(
    Array.from({ length: 150 }, (_, nth) =>
      chat.api.as(userPrincipal({ userId: newId() })).post('/api/chat', message(`Send ${nth}`)),
    ),
  )
  expect(answers.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([])
  for (const [nth, { text }] of answers.entries()) expect(text).toContain(`You said: Send ${nth}`)
  expect(mostAtOnce).toBe(8)
})

it('250 sends of one user that each begin a chat share one look at the storage used, which nobody else waits for', async () => {
  const { promise: counted, resolve: proceed } = Promise.withResolvers<void>()
  const userId = newId()
  counting.set(userId, counted)
  const many = Promise.all(
    Array.from({ length: 250 }, (_, nth) =>
      chat.api.as(adminPrincipal({ userId })).post('/api/chat', message(`Chat ${nth}`)),
    ),
  )
  // As many as there are places wait for theirs by then.
  await delay(200)
  const other = await chat.api.as(userPrincipal({ userId: newId() })).post('/api/chat', message('Hi'))
  expect(other.text).toContain('You said: Hi')
  proceed()
  expect((await many).filter(({ status }) => status !== 200)).toEqual([])
})

it('a client that disconnects before its answer begins and repeats the send many times queries the store once', async () => {
  let begin: (() => void) | undefined
  given.router.script = (call) => {
    begin = () => void echo(call)
  }
  const user = chat.api.as(userPrincipal({ userId: newId() }))
  const body = message('Anybody there?', { clientMessageId: 'repeated' })
  const before = claims
  for (let repeat = 0; repeat < 20; repeat += 1) {
    const signal = AbortSignal.timeout(50)
    await expect(user.stream(chatRoutes.send, { body, signal })).rejects.toThrow()
  }
  const answerNow = await waitUntil(() => begin, 'the model to be asked')
  expect(claims - before).toBe(1)
  answerNow()
  expect((await send(user, body)).text).toBe('You said: Anybody there?')
})
