import { chatRoutes, streamEnd } from '@parley/contracts'
import { type ApiCaller, readEvents, untilPasses, userPrincipal } from '@parley/testing'
import { expect } from 'vitest'
import type { CompletionCall } from './fake-router.ts'
import { type GivenChat, message, type Replica, resume } from './given-chat.ts'

/** Reads events in the background. */
export function follow(events: ReturnType<typeof readEvents>) {
  const seen: { id: number; data: string }[] = []
  const done = (async () => {
    for await (const { id, data } of events) seen.push({ id: Number(id), data })
  })()
  const text = (): string =>
    seen.map(({ data }) => (data.startsWith('{') ? (JSON.parse(data).text ?? '') : '')).join('')
  return { seen, text, done }
}

/** Two replicas over the same engines. */
export interface TwoReplicas {
  readonly given: GivenChat
  readonly one: Replica
  readonly two: Replica
}

/** Begins an answer on the first replica and reads it there and on the second; the test says what comes. */
export async function twoReaders({ given, one, two }: TwoReplicas) {
  const user = userPrincipal()
  given.router.script = (call) => call.start()
  const owner = follow(readEvents(await one.api.as(user).stream(chatRoutes.send, { body: message('Go') })))
  await untilPasses(() => expect(owner.seen).not.toEqual([]))
  const { chatId, messageId } = JSON.parse(owner.seen[0]?.data ?? '') as { chatId: string; messageId: string }
  const elsewhere = two.api.as(user).stream(chatRoutes.resume, { params: { id: messageId } })
  const other = follow(readEvents(await elsewhere))
  await untilPasses(() => expect(other.seen).toEqual(owner.seen))
  return { user, one, two, chatId, messageId, owner, other, call: given.router.calls.at(-1) as CompletionCall }
}
type TwoReaders = Awaited<ReturnType<typeof twoReaders>>

/** Waits until both readers have this text. */
export const reach = async ({ owner, other }: TwoReaders, text: string): Promise<void> => {
  await untilPasses(() => expect([owner.text(), other.text()]).toEqual([text, text]))
}

/** Ends the answer; every reader must have had every event once, in order, and the store the same. */
export async function expectWhole(answer: TwoReaders, text: string): Promise<void> {
  const { user, one, two, chatId, messageId, owner, other, call } = answer
  call.end()
  await Promise.all([owner.done, other.done])
  expect(owner.text()).toBe(text)
  expect(owner.seen.map(({ id }) => id)).toEqual(owner.seen.map((_event, index) => index + 1))
  expect(owner.seen.at(-1)?.data).toBe(streamEnd)
  expect(other.seen).toEqual(owner.seen)
  expect((await resume(two.api.as(user), messageId)).data).toEqual(owner.seen.map(({ data }) => data))
  expect(await storedAnswer(one.api.as(user), chatId)).toMatchObject({ status: 'complete', content: text })
}

/** The answer as its chat shows it. */
export const storedAnswer = async (caller: ApiCaller, chatId: string) =>
  (await caller.call(chatRoutes.get, { params: { id: chatId } })).body.messages[1]
