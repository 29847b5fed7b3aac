import { chatRoutes, type StreamEvent, streamEnd } from '@parley/contracts'
import { newId } from '@parley/kit'
import { type ApiCaller, type OpenAnswer, readEvents, waitUntil } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type Person, unlimited, type World } from './given.ts'

const streams = 100
const atOnce = 25
const cutsEach = 5
/** Events per answer, and milliseconds between them. */
const pieces = 60
const pieceMs = 20

/** A seeded random number generator for [0, 1). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** A device's copy of an answer. */
interface Copy {
  messageId: string
  text: string
  seq: number
  isOver: boolean
}

describe('answers whose readers are disconnected repeatedly', () => {
  let world: World
  let person: Person
  beforeAll(async () => {
    world = await openWorld(2)
    await world.settings(unlimited)
    const admin = await world.admin()
    person = await world.register()
    await admin.api.post(`/api/admin/users/${person.user._id}/credits`, { amount: 100_000 })
  })
  afterAll(() => world.close())

  const wordsOf = (nth: number): string[] => Array.from({ length: pieces }, (_none, at) => `${nth}.${at} ä🙂 `)

  it(`arrive complete, each event once, despite ${cutsEach} cuts of each of ${streams} streams`, async () => {
    world.provider.reset()
    for (let nth = 0; nth < streams; nth += 1) {
      world.provider.always({ chunks: wordsOf(nth), delayMs: pieceMs, splitUtf8: true }, ({ messages }) =>
        String(messages?.at(-1)?.content).endsWith(`#${nth}#`),
      )
    }
    const read = (nth: number) => readThroughCuts((replica) => world.elsewhere(person, replica), nth)
    const results: Awaited<ReturnType<typeof readThroughCuts>>[] = []
    for (let from = 0; from < streams; from += atOnce) {
      results.push(...(await Promise.all(Array.from({ length: atOnce }, (_none, index) => read(from + index)))))
    }
    for (const [nth, { copy, faults, cuts }] of results.entries()) {
      expect({ nth, text: copy.text, faults }).toEqual({ nth, text: wordsOf(nth).join(''), faults: [] })
      expect(cuts).toBeGreaterThanOrEqual(cutsEach)
    }
    expect(world.provider.calls).toHaveLength(streams)
  })
})

/** Cuts at random places; every other time like a reload, which starts over, and on any replica. */
async function readThroughCuts(at: (replica: number) => ApiCaller, nth: number) {
  const random = seeded(nth + 1)
  const copy: Copy = { messageId: '', text: '', seq: 0, isOver: false }
  const faults: string[] = []
  const body = { message: `Count #${nth}#`, model: 'v3', clientMessageId: newId() }
  let answer = await openedBy(() => at(0).stream(chatRoutes.send, { body }))
  let cuts = 0
  for (;;) {
    const until = cuts < cutsEach ? copy.seq + 1 + Math.floor(random() * 8) : Number.POSITIVE_INFINITY
    for await (const { id, data } of readEvents(answer)) {
      if (Number(id) !== copy.seq + 1) faults.push(`${id} after ${copy.seq}`)
      take(copy, Number(id), data)
      if (copy.seq >= until) break
    }
    if (copy.isOver && cuts >= cutsEach) return { copy, faults, cuts }
    if (cuts > 10 * cutsEach) throw new Error(`Answer ${nth} has no end`)
    cuts += 1
    if (copy.isOver || random() < 0.5) Object.assign(copy, { text: '', seq: 0, isOver: false })
    const headers: Record<string, string> = copy.seq === 0 ? {} : { 'last-event-id': String(copy.seq) }
    const [replica, params] = [Math.floor(random() * 2), { id: copy.messageId }]
    answer = await openedBy(() => at(replica).stream(chatRoutes.resume, { params, headers }))
  }
}

/** Retries while the system is overloaded. @throws Error on any other refusal */
const openedBy = (open: () => Promise<OpenAnswer>): Promise<OpenAnswer> =>
  waitUntil(
    async () => {
      const answer = await open()
      if (answer.status === 200) return answer
      const text = await answer.body.text()
      if (answer.status !== 503) throw new Error(`${answer.status} ${text}`)
      return undefined
    },
    'the answer to be open',
    undefined,
    500,
  )

function take(copy: Copy, seq: number, data: string): void {
  copy.seq = seq
  if (data === streamEnd) {
    copy.isOver = true
    return
  }
  const event = JSON.parse(data) as StreamEvent
  if ('userMessageId' in event) copy.messageId = event.messageId
  if ('text' in event) copy.text += event.text
}
