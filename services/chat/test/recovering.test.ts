import { chatRoutes, streamEnd } from '@parley/contracts'
import { openPostgres } from '@parley/db'
import { type ApiCaller, readEvents, testLog, userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type CompletionCall, echo } from './fake-router.ts'
import { type GivenChat, givenChat, message, type Replica, type ReplicaOptions, resume, send } from './given-chat.ts'
import { follow } from './two-readers.ts'

let given: GivenChat
let one: Replica
/** Without a replica that takes over what others leave. */
let alone: GivenChat
beforeAll(async () => {
  ;[given, alone] = await Promise.all([givenChat(), givenChat()])
  one = await given.replica()
})
afterAll(async () => {
  await Promise.all([given.stop(), alone.stop()])
})
beforeEach(() => {
  given.router.script = echo
})

/** For things that take a moment on a busy machine. */
const patience = 20_000
const interrupted = { error: 'Streaming was interrupted', code: 'unavailable' }

/** Starts an answer that stands still, and reads it. */
async function begunAnswer(caller: ApiCaller, { router } = given) {
  router.script = (call) => call.start()
  const reader = follow(readEvents(await caller.stream(chatRoutes.send, { body: message('Go') })))
  // An owner that dies cuts its readers off.
  reader.done.catch(() => undefined)
  // On a busy machine the news of a delay may follow already.
  await vi.waitFor(() => expect(reader.seen).not.toHaveLength(0), patience)
  const { messageId, chatId } = JSON.parse(reader.seen[0]?.data ?? '') as { messageId: string; chatId: string }
  return {
    messageId,
    chatId,
    reader,
    call: router.calls.find(({ body }) => body.generationId === messageId) as CompletionCall,
  }
}

/** A replica that saves no text, and from `dies` on nothing at all; one that does not come back takes long to stop. */
function mortal(): { options: ReplicaOptions; dies(): void; comesBack(): void } {
  let isDead = false
  const away = (): Promise<never> => Promise.reject(new Error('dead'))
  const options: ReplicaOptions = {
    timing: { leaseMs: 700 },
    stores: (stores) => ({
      ...stores,
      generations: {
        ...stores.generations,
        checkpoint: (id, lease) => (isDead ? away() : stores.generations.checkpoint(id, lease)),
        finish: (...end) => (isDead ? away() : stores.generations.finish(...end)),
      },
      abandoned: {
        ...stores.abandoned,
        keepAlive: (lease) => (isDead ? away() : stores.abandoned.keepAlive(lease)),
        takeOver: async () => undefined,
      },
    }),
  }
  return {
    options,
    dies() {
      isDead = true
    },
    comesBack() {
      isDead = false
    },
  }
}

describe('an answer whose replica and log are lost', () => {
  it("has an end for every reader, above the reader's Last-Event-ID", async () => {
    const { options, dies, comesBack } = mortal()
    const owner = await given.replica(options)
    const user = userPrincipal()
    const { messageId, reader, call } = await begunAnswer(owner.api.as(user))
    for (const text of ['One, ', 'two, ', 'three']) {
      const before = reader.seen.length
      call.text(text)
      await vi.waitFor(() => expect(reader.seen.length).toBeGreaterThan(before), patience)
    }
    dies()
    await given.logs.forget()
    const stored = async () => await one.stores.generations.find(messageId, user.userId)
    await vi.waitFor(async () => expect((await stored())?.status).toBe('interrupted'), patience)
    for (let after = 1; after <= reader.seen.length + 3; after += 1) {
      const { data, ids } = await resume(one.api.as(user), messageId, after)
      expect(data).toEqual([JSON.stringify(interrupted), streamEnd])
      expect(ids).toEqual([after + 1, after + 2])
    }
    comesBack()
  })
})

describe('an answer whose replica dies while it is continued', () => {
  async function continued(says: string) {
    const { options, dies, comesBack } = mortal()
    const owner = await given.replica(options)
    const user = userPrincipal()
    given.router.script = (call) => {
      call.start()
      call.text('The quick brown')
      call.end('length')
    }
    const { start } = await send(one.api.as(user), message('Go'))
    given.router.script = (call) => {
      call.start()
      call.text(says)
    }
    const body = { model: 'v3', chatId: start.chatId, continueMessageId: start.messageId }
    const reader = follow(readEvents(await owner.api.as(user).stream(chatRoutes.send, { body })))
    reader.done.catch(() => undefined)
    await vi.waitFor(() => expect(reader.text()).toBe(`The quick brown${says}`), patience)
    dies()
    const params = { params: { id: start.chatId } }
    const answer = async () => (await one.api.as(user).call(chatRoutes.get, params)).body.messages.at(-1)
    await vi.waitFor(async () => expect((await answer())?.status).not.toBe('generating'), patience)
    comesBack()
    const { generationId } = JSON.parse(reader.seen[0]?.data ?? '') as { generationId: string }
    return { answer: await answer(), hold: given.billing.holds.get(generationId) }
  }

  it('has the earlier text and what was delivered, and costs both', async () => {
    const { answer, hold } = await continued(' fox')
    expect(answer).toMatchObject({ content: 'The quick brown fox', status: 'interrupted', credits: 2 })
    expect(hold).toMatchObject({ captured: 1 })
  })

  it('stays as it was if nothing was delivered, and costs nothing more', async () => {
    const { answer, hold } = await continued('')
    expect(answer).toMatchObject({ content: 'The quick brown', status: 'complete', finishReason: 'length', credits: 1 })
    expect(hold).toMatchObject({ captured: 0 })
  })
})

it('a stopped answer has an end above a Last-Event-ID that was never reached', async () => {
  const user = userPrincipal()
  const { messageId, call, reader } = await begunAnswer(one.api.as(user))
  call.text('Half of it')
  await vi.waitFor(() => expect(reader.text()).toBe('Half of it'), patience)
  const params = { id: messageId }
  // The next event will tell that it was stopped, and the one after it be the end mark.
  const last = reader.seen.length
  const afters = [0, 1, 2, 7].map((more) => last + more)
  const answers = await Promise.all(
    afters.map((after) =>
      one.api.as(user).stream(chatRoutes.resume, { params, headers: { 'last-event-id': String(after) } }),
    ),
  )
  const early = answers.map((answer) => follow(readEvents(answer)))
  await one.api.as(user).call(chatRoutes.stop, { params })
  await Promise.all(early.map(({ done }) => done))
  for (const [nth, { seen }] of early.entries()) {
    const after = afters[nth] ?? 0
    expect(seen.map(({ id }) => id)).toEqual([after + 1, after + 2])
    expect(JSON.parse(seen[0]?.data ?? '')).toMatchObject({ done: true, finishReason: 'stopped' })
    expect(seen[1]?.data).toBe(streamEnd)
    expect((await resume(one.api.as(user), messageId, after)).data).toEqual(seen.map(({ data }) => data))
  }
})

describe('the text of an answer', () => {
  it('is saved as soon as it is visible, and again soon after', async () => {
    // Far longer than the test: what is saved is saved because text began.
    const rare = await given.replica({ timing: { checkpointMs: 600_000, earlyCheckpointMs: 50, earlyMs: 60_000 } })
    const user = userPrincipal()
    const { messageId, call } = await begunAnswer(rare.api.as(user))
    const saved = async () => (await one.stores.generations.find(messageId, user.userId))?.content
    call.text(' \n')
    for (const [text, whole] of [
      ['Hello', ' \nHello'],
      [', you', ' \nHello, you'],
    ] as const) {
      call.text(text)
      await vi.waitFor(async () => expect(await saved()).toBe(whole), patience)
    }
    call.end()
  })
})

it('an answer whose replica could not renew the lease in time continues when no other replica took it over', async () => {
  const taken: string[] = []
  // As on a machine that stood still: the lease is over long before the next save.
  const slow = await alone.replica({
    timing: { leaseMs: 200, sweepMs: 50, checkpointMs: 600_000 },
    stores: (stores) => ({
      ...stores,
      abandoned: {
        ...stores.abandoned,
        async takeOver(lease) {
          // Once: an answer whose lease runs out again hangs.
          if (taken.length > 0) return undefined
          const found = await stores.abandoned.takeOver(lease)
          if (found !== undefined) taken.push(found.id)
          return found
        },
      },
    }),
  })
  const { messageId, reader, call } = await begunAnswer(slow.api.as(userPrincipal()), alone)
  call.text('Before, ')
  await vi.waitFor(() => expect(taken).toEqual([messageId]), patience)
  call.text('and after')
  call.end()
  await reader.done
  expect(reader.text()).toBe('Before, and after')
  expect(reader.seen.slice(-2)).toMatchObject([{ data: expect.stringContaining('"done":true') }, { data: streamEnd }])
})

it('an answer whose replica died is ended while the indexing of messages hangs', async () => {
  const indexing = Promise.withResolvers<number>()
  const index = vi.fn(() => indexing.promise)
  const isIndexing = await alone.replica({
    timing: { leaseMs: 700 },
    stores: (stores) => ({ ...stores, search: { ...stores.search, index } }),
  })
  const { options, dies, comesBack } = mortal()
  const dying = await alone.replica(options)
  const user = userPrincipal()
  const { messageId } = await begunAnswer(dying.api.as(user), alone)
  try {
    await vi.waitFor(() => expect(index).toHaveBeenCalledOnce(), patience)
    dies()
    const status = async () => (await isIndexing.stores.generations.find(messageId, user.userId))?.status
    await vi.waitFor(async () => expect(await status()).toBe('interrupted'), patience)
    expect(index).toHaveBeenCalledOnce()
  } finally {
    indexing.resolve(0)
    comesBack()
  }
})

it('an answer whose replica died is ended while a hundred thousand messages are being indexed', async () => {
  const busy = await givenChat()
  const tables = openPostgres({ url: busy.url, schema: 'chat', log: testLog })
  const pending = async (): Promise<number> => {
    const waiting = `select count(*)::int as count from messages where search_pending and owner_id = 'the past'`
    return (await tables.pool.query<{ count: number }>(waiting)).rows[0]?.count ?? 0
  }
  const { options, dies, comesBack } = mortal()
  try {
    const indexing = await busy.replica({ timing: { leaseMs: 700 } })
    // The replica that ends the answer is the only one that indexes.
    const dying = await busy.replica({ ...options, timing: { ...options.timing, reconcileMs: 600_000 } })
    const user = userPrincipal()
    const { messageId } = await begunAnswer(dying.api.as(user), busy)
    await tables.pool.query(
      `insert into messages (id, chat_id, owner_id, role, parent_id, status, content, created_at)
       select 'old' || nth, 'chat' || nth / 100, 'the past', 'user', '', 'complete', repeat('Message ' || nth || ' ', 20), now() - interval '1 day'
       from generate_series(1, 100000) as nth`,
    )
    await vi.waitFor(async () => expect(await pending()).toBeLessThan(100_000), patience)
    dies()
    const atDeath = await pending()
    const status = async () => (await indexing.stores.generations.find(messageId, user.userId))?.status
    await vi.waitFor(async () => expect(await status()).toBe('interrupted'), { timeout: patience, interval: 20 })
    const atEnd = await pending()
    expect(atEnd).toBeLessThan(atDeath)
    expect(atEnd).toBeGreaterThan(0)
  } finally {
    comesBack()
    await tables.close()
    await busy.stop()
  }
})
