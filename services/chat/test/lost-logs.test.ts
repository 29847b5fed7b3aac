import { chatRoutes, streamEnd } from '@parley/contracts'
import { readEvents, untilPasses, userPrincipal } from '@parley/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cutOffStores } from './cut-off.ts'
import { echo } from './fake-router.ts'
import { type GivenChat, givenChat, message, type Replica, resume } from './given-chat.ts'
import { expectWhole, follow, reach, storedAnswer, twoReaders } from './two-readers.ts'

let given: GivenChat
let one: Replica
let two: Replica
beforeAll(async () => {
  given = await givenChat()
  one = await given.replica()
  two = await given.replica()
})
afterAll(() => given.stop())
beforeEach(() => {
  given.router.script = echo
})
afterEach(() => given.logs.comeBack())

describe('an engine of stream logs', () => {
  it('that loses all data ends no answer, and every reader gets the whole text', async () => {
    const answer = await twoReaders({ given, one, two })
    answer.call.text('One, ')
    await reach(answer, 'One, ')
    await given.logs.forget()
    answer.call.text('two, ')
    await reach(answer, 'One, two, ')
    await given.logs.forget()
    await given.logs.forget()
    answer.call.text('three.')
    await reach(answer, 'One, two, three.')
    await expectWhole(answer, 'One, two, three.')
  })

  it('that loses all data gets the whole log anew, so that later readers need not wait for the store', async () => {
    const answer = await twoReaders({ given, one, two })
    answer.call.text('One, ')
    await reach(answer, 'One, ')
    await given.logs.forget()
    answer.call.text('two.')
    await untilPasses(async () =>
      expect(await given.logs.streamLog.state(answer.messageId)).toEqual({ lastSeq: 3, closed: false }),
    )
    await expectWhole(answer, 'One, two.')
  })

  it('that is unavailable leaves readers the saved text, and they rejoin the log without a gap', async () => {
    const answer = await twoReaders({ given, one, two })
    answer.call.text('One, ')
    await reach(answer, 'One, ')
    given.logs.goAway()
    answer.call.text('two, ')
    await reach(answer, 'One, two, ')
    answer.call.text('three, ')
    await reach(answer, 'One, two, three, ')
    given.logs.comeBack()
    await untilPasses(async () =>
      expect(await given.logs.streamLog.state(answer.messageId)).toEqual({ lastSeq: 4, closed: false }),
    )
    answer.call.text('four.')
    await reach(answer, 'One, two, three, four.')
    await expectWhole(answer, 'One, two, three, four.')
  })

  it('that is unavailable to the end leaves the end to the store', async () => {
    const answer = await twoReaders({ given, one, two })
    given.logs.goAway()
    answer.call.text('All of it.')
    await expectWhole(answer, 'All of it.')
  })

  it('that was never reachable is not required', async () => {
    given.logs.goAway()
    given.router.script = (call) => {
      call.start()
      call.text('Without it.')
    }
    const user = userPrincipal()
    const body = message('Go', { clientMessageId: 'no-log' })
    const first = follow(readEvents(await one.api.as(user).stream(chatRoutes.send, { body })))
    await untilPasses(() => expect(first.text()).toBe('Without it.'))
    const joined = follow(readEvents(await two.api.as(user).stream(chatRoutes.send, { body })))
    await untilPasses(() => expect(joined.text()).toBe('Without it.'))
    given.router.calls.at(-1)?.end()
    await Promise.all([first.done, joined.done])
    expect(first.seen.at(-1)?.data).toBe(streamEnd)
    expect(joined.seen).toEqual(first.seen)
  })

  it('whose reply is lost on the way gets no entry twice', async () => {
    const answer = await twoReaders({ given, one, two })
    given.logs.loseNextAnswer()
    answer.call.text('One, ')
    await reach(answer, 'One, ')
    answer.call.text('two.')
    await reach(answer, 'One, two.')
    await expectWhole(answer, 'One, two.')
  })
})

it('a replica that reaches neither log nor store continues its answer, and writes the log anew once its lease is confirmed', async () => {
  let away = false
  const storeAway = async (): Promise<never> => {
    throw new Error('The store cannot be reached')
  }
  const cut = await given.replica({
    stores: (stores) => ({
      ...stores,
      generations: {
        ...stores.generations,
        checkpoint: (...args) => (away ? storeAway() : stores.generations.checkpoint(...args)),
      },
    }),
  })
  given.router.script = (call) => call.start()
  const events = readEvents(await cut.api.as(userPrincipal()).stream(chatRoutes.send, { body: message('Go') }))
  const reader = follow(events)
  await untilPasses(() => expect(reader.seen).toHaveLength(1))
  const { messageId } = JSON.parse(reader.seen[0]?.data ?? '') as { messageId: string }
  away = true
  await given.logs.forget()
  const call = given.router.calls.at(-1)
  call?.text('Kept.')
  // As long as the lease is not known to be ours, the forgotten log stays forgotten.
  expect(await given.logs.streamLog.state(messageId)).toBeUndefined()
  away = false
  await untilPasses(() => expect(reader.text()).toBe('Kept.'))
  call?.end()
  await reader.done
  expect(reader.seen.map(({ id }) => id)).toEqual([1, 2, 3, 4])
})

it('an answer taken over while its log is unavailable ends once, with the saved text', async () => {
  let deaf = false
  const cut = await given.replica({
    timing: { leaseMs: 3_000 },
    stores: (stores) => cutOffStores(stores, () => deaf),
  })
  given.router.script = (call) => {
    call.start()
    call.text('Half of it')
  }
  const user = userPrincipal()
  const own = follow(readEvents(await cut.api.as(user).stream(chatRoutes.send, { body: message('Go') })))
  await untilPasses(() => expect(own.text()).toBe('Half of it'))
  const { chatId, messageId } = JSON.parse(own.seen[0]?.data ?? '') as { chatId: string; messageId: string }
  const saved = async () => (await one.stores.generations.find(messageId, user.userId))?.content
  await untilPasses(async () => expect(await saved()).toBe('Half of it'))
  deaf = true
  given.logs.goAway()
  const whole = await resume(two.api.as(user), messageId)
  expect(whole.last).toEqual({ error: 'Streaming was interrupted', code: 'unavailable' })
  await own.done
  expect(own.seen.map(({ data }) => data)).toEqual(whole.data)
  given.router.calls.at(-1)?.text(' too late')
  deaf = false
  given.logs.comeBack()
  expect(await storedAnswer(two.api.as(user), chatId)).toMatchObject({ status: 'interrupted', content: 'Half of it' })
})
