import { authInternalRoutes } from '@parley/contracts'
import { createHttpApp, createMetrics, createServiceClient, mount, notFound } from '@parley/kit'
import { startTestServer, testIdentity, testLog } from '@parley/testing'
import { afterEach, expect, it } from 'vitest'
import { composeMail } from '../src/mail/compose.ts'

const identity = testIdentity()
const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const { close } of opened.splice(0)) await close()
})

/** Composes a mail about a verification that auth does not know, or with an auth that does not have the route. */
async function composeFrom({ hasRoute }: { readonly hasRoute: boolean }) {
  const metrics = createMetrics('auth', false)
  const app = createHttpApp({ identity, metrics, log: testLog, checks: {}, draining: () => false }, (router) => {
    if (!hasRoute) return
    mount(router, authInternalRoutes.issueCode, () => {
      throw notFound()
    })
  })
  const server = await startTestServer(app)
  const client = createServiceClient({ self: 'notifier', locate: () => server.url, identity })
  opened.push(client, server)
  const deps = { client, publicUrl: 'https://chat.example.test', now: () => new Date() }
  return await composeMail(deps, { eventId: 'e', kind: 'verification', subjectId: 'v', userId: null, about: null })
}

it('a mail about a verification that auth does not know has no recipient', async () => {
  expect(await composeFrom({ hasRoute: true })).toBeUndefined()
})

it('a mail is retried when auth does not have the route, as of another version: that says nothing about its recipient', async () => {
  await expect(composeFrom({ hasRoute: false })).rejects.toMatchObject({ code: 'unavailable' })
})
