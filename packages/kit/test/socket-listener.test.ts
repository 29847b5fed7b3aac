import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { routesFor } from '@parley/contracts'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { type HttpListener, listen } from '../src/http/http-listener.ts'
import { createIdentities, createServiceClient, type ServiceClient } from '../src/index.ts'

const internal = routesFor('auth', 'service')
const summary = 'Test'
const things = internal.get('/internal/things', { summary, answer: z.object({ name: z.string() }) })
const lines = internal.get('/internal/lines', { summary, stream: true })

let folder: string
let path: string
let listener: HttpListener
let client: ServiceClient
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'socket-'))
  path = join(folder, 'auth.sock')
  await start('first')
  const identity = createIdentities()('chat')
  client = createServiceClient({ self: 'chat', locate: () => listener.url, identity })
})
afterEach(async () => {
  await client.close()
  await listener.close(0)
  rmSync(folder, { recursive: true })
})

async function start(name: string): Promise<void> {
  listener = await listen(
    ({ url }, response) => {
      if (url === lines.path) response.write('one\n')
      response.end(url === lines.path ? 'two\n' : JSON.stringify({ name }))
    },
    { path },
  )
}

it('a service on a Unix socket is called by its location, and its responses are streamed', async () => {
  expect(listener.url).toBe(`unix:${path}`)
  expect(await client.call(things)).toEqual({ name: 'first' })
  expect(await text(await client.open(lines))).toBe('one\ntwo\n')
})

it('a service that has left its Unix socket is unavailable until another listens there', async () => {
  await client.call(things)
  await listener.close(0)
  expect(existsSync(path)).toBe(false)
  await expect(client.call(things)).rejects.toMatchObject({ code: 'unavailable' })
  await start('second')
  expect(await client.call(things)).toEqual({ name: 'second' })
})
