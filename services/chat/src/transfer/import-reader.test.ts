import { expect, it } from 'vitest'
import type { PlannedChat } from './import-plan.ts'
import { importCaps, readImport } from './import-reader.ts'

const at = new Date('2030-01-01T00:00:00.000Z')
async function read(file: unknown, caps?: typeof importCaps): Promise<(PlannedChat | undefined)[]> {
  const chats: (PlannedChat | undefined)[] = []
  const question = { bytes: Buffer.from(JSON.stringify(file)), ownerId: 'u1', at }
  for await (const chat of readImport(question, caps && { caps })) chats.push(chat)
  return chats
}
const thread = (conversationId: string, length: number, more: object = {}) => ({
  ...{ conversationId, title: conversationId },
  messages: Array.from({ length }, (_none, nth) => ({
    messageId: `m${nth}`,
    parentMessageId: `m${nth - 1}`,
    isCreatedByUser: nth % 2 === 0,
    text: `${conversationId} ${nth}`,
  })),
  ...more,
})

it.each([3, 1_501])('a chat of %s messages comes whole and in order between others', async (length) => {
  const files = [thread('first', 2), thread('silent', 0), thread('middle', length), thread('last', 1)]
  const chats = await read(files)
  expect(chats.map((found) => found?.chat.title)).toEqual(['first', undefined, 'middle', 'last'])
  const texts = chats[2]?.messages.map(({ content }) => content)
  expect(texts).toEqual(Array.from({ length }, (_none, nth) => `middle ${nth}`))
})

const unique = Array.from({ length: 100_000 }, (_none, nth) => ({ [`k${nth}`]: {} }))

it('a file that takes more memory than it may is refused, and this process goes on', async () => {
  const greedy = thread('greedy', 1, { unique })
  const refused = { code: 'validation_failed', message: expect.stringContaining('too complex') }
  await expect(read(greedy, { ...importCaps, heapMb: 16 })).rejects.toMatchObject(refused)
  expect(await read(thread('after', 1))).toHaveLength(1)
})

it('a file that takes more time than it may is refused', async () => {
  const slow = thread('slow', 1, { unique })
  const refused = { code: 'validation_failed', message: expect.stringContaining('too complex') }
  await expect(read(slow, { ...importCaps, timeoutMs: 1 })).rejects.toMatchObject(refused)
})
