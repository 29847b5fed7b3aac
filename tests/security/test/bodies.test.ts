import { chatRoutes, type ErrorCode, errorBodySchema, errorStatus, type Route } from '@parley/contracts'
import { tinyPng } from '@parley/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  addressOf,
  deepBody,
  largeImport,
  nameOf,
  packedBody,
  routesOfPeople,
  routesWithBody,
  routesWithMethod,
  tooDeepBody,
  wideBody,
} from '../src/hostile-body.ts'
import { beginSlowRequest, readRawAnswer, type SlowRequest } from '../src/slow-request.ts'
import { openSystem, type System } from '../src/system.ts'

let system: System
let before: number | undefined
beforeAll(async () => {
  system = await openSystem()
  before = await system.mostMemory()
})
afterAll(() => system.close())
afterEach(async () => {
  expect(await system.isAlive()).toBe(true)
})

interface Answered {
  readonly status: number
  readonly body: unknown
}

/** Names of the routes whose refusal is not as documented. */
const notRefused = (answers: readonly (readonly [Route, Answered])[], code: ErrorCode): string[] =>
  answers
    .filter(([, { status, body }]) => {
      const read = errorBodySchema.safeParse(body)
      return status !== errorStatus[code] || read.data?.code !== code
    })
    .map(([route, { status, body }]) => `${nameOf(route)}: ${status} ${JSON.stringify(body)}`)

/** In sequence, so that each request meets an idle system. */
async function sendEach(
  routes: readonly Route[],
  bodyOf: (route: Route) => string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): Promise<[Route, Answered][]> {
  const answers: [Route, Answered][] = []
  for (const route of routes) {
    const options = { raw: bodyOf(route), headers: { 'content-type': 'application/json', ...headers } }
    answers.push([route, await system.callerOf(route).send(route.method, addressOf(route), options)])
  }
  return answers
}

describe('a hostile body', () => {
  it.each(['gzip', 'deflate', 'br', 'zstd', 'identity'])(
    'packed by %s is refused by every route with 415, before it is unpacked',
    async (encoding) => {
      const answers = await sendEach(routesOfPeople, () => packedBody, { 'content-encoding': encoding })
      expect(notRefused(answers, 'unsupported_media')).toEqual([])
    },
  )

  it('deeper than its route accepts is refused by every route with 400, before it is parsed', async () => {
    expect(notRefused(await sendEach(routesWithBody, tooDeepBody), 'validation_failed')).toEqual([])
    expect(notRefused(await sendEach(routesWithBody, deepBody), 'validation_failed')).toEqual([])
  })

  it('with more values than its route needs is refused by every route with 400, before it is parsed', async () => {
    expect(notRefused(await sendEach(routesWithBody, wideBody), 'validation_failed')).toEqual([])
  })

  it('that stalls is refused by every route with 408, and its connection is closed', async () => {
    const { token } = system.admin
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answerTo = async (route: Route, length?: number) => {
      const { method } = route
      const slow = await beginSlowRequest(system.url, {
        ...{ method, path: addressOf(route), headers },
        ...(length && { length }),
      })
      return [route, readRawAnswer(await slow.answer)] as const
    }
    const answers = await Promise.all([
      // The gateway's own routes take no body and refuse one before it arrives.
      ...routesWithMethod.filter(({ service }) => service !== 'gateway').map((route) => answerTo(route, 2_000)),
      // The gateway reads short bodies of declared length, and the services all others.
      ...routesWithBody.map((route) => answerTo(route)),
      answerTo(chatRoutes.upload, 2_000_000),
    ])
    expect(notRefused(answers, 'request_timeout')).toEqual([])
  })

  it('of any kind leaves the process below 400 MB', async () => {
    if (before !== undefined) expect((await system.mostMemory()) ?? 0).toBeLessThan(before + 400 * 1024 * 1024)
  })
})

describe('while one account attacks,', () => {
  it('the largest allowed import does not delay a later request', async () => {
    const person = await system.person()
    let isDone = false
    const importing = person.api
      .send('POST', addressOf(chatRoutes.importChats), {
        raw: largeImport(),
        headers: { 'content-type': 'application/json' },
      })
      .finally(() => {
        isDone = true
      })
    expect((await system.client.get('/api/auth/config')).status).toBe(200)
    expect(isDone).toBe(false)
    expect(await importing).toMatchObject({ status: 200, body: { imported: 1, skipped: 0 } })
  })

  interface Sent {
    readonly what: string
    readonly route: Route
    readonly status: number
    readonly raw: string | Buffer
    readonly headers: Readonly<Record<string, string>>
  }
  const json = { 'content-type': 'application/json' }
  /** Padding that makes a body large. */
  const space = ' '.repeat(2 * 1024 * 1024)
  it.each<Sent>([
    {
      what: 'uploads',
      route: chatRoutes.upload,
      status: 201,
      raw: Buffer.from(tinyPng, 'base64'),
      headers: { 'content-type': 'application/octet-stream', 'x-file-name': 'a.png' },
    },
    {
      what: 'large messages',
      route: chatRoutes.send,
      status: 200,
      raw: JSON.stringify({ message: 'Hello', model: 'v3' }) + space,
      headers: { ...json, accept: 'application/json' },
    },
    {
      what: 'imports',
      route: chatRoutes.importChats,
      status: 200,
      raw: JSON.stringify({ conversationId: 'own', title: 'Own', messages: [] }) + space,
      headers: json,
    },
  ])('slow $what of four accounts do not block those of a fifth', async ({ route, status, raw, headers }) => {
    const people = await Promise.all(Array.from({ length: 5 }, () => system.person()))
    const [fifth, ...others] = people
    const slow: SlowRequest[] = await Promise.all(
      others.flatMap(({ token }) =>
        Array.from({ length: 6 }, () =>
          beginSlowRequest(system.url, {
            method: route.method,
            path: addressOf(route),
            headers: { ...headers, authorization: `Bearer ${token}` },
            length: 5_000_000,
            // The minimum pace that a service accepts, for as long as the fifth account's request takes.
            bytesPerSecond: 32 * 1024,
          }),
        ),
      ),
    )
    const answer = await fifth?.api.send(route.method, addressOf(route), { raw, headers })
    expect([answer?.status, answer?.text]).toEqual([status, expect.anything()])
    expect(slow.filter((request) => !request.isOpen())).toEqual([])
    for (const request of slow) request.stall()
    const [first] = await Promise.all(slow.slice(0, 1).map(({ answer }) => answer))
    expect(readRawAnswer(first ?? '')).toMatchObject({ status: 408, body: { code: 'request_timeout' } })
    for (const request of slow) request.leave()
  })
})
