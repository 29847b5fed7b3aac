import { afterEach, expect, it, vi } from 'vitest'
import { apiOrigin, readApiOrigin } from '../../../shared/api/index.ts'
import { givenStorage } from '../../../testing/given-storage.ts'
import { createApiTransport } from './api-transport.ts'
import { prepareReader, readAnswerLater } from './read-answer-later.ts'

afterEach(() => vi.unstubAllGlobals())

it('a message is requested in the same task in which it is sent, before anything can be rendered', async () => {
  const called: string[] = []
  givenStorage()
  vi.stubGlobal('fetch', async (url: string) => {
    called.push(url)
    return Response.json({})
  })
  readApiOrigin()
  await apiOrigin()
  await prepareReader()
  const deps = {
    transport: createApiTransport(() => undefined),
    onWake: () => () => undefined,
    isOnline: () => true,
    random: () => 0,
  }
  const leave = new AbortController()
  void readAnswerLater(deps, { type: 'send', body: { message: 'Hi', model: 'v3' } }, leave.signal).next()
  expect(called).toEqual(['/config.json', '/api/chat'])
  leave.abort()
})
