import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createEgress, type Egress } from './egress.ts'
import { createEndpointGuard } from './endpoint-guard.ts'

let inside: Server
let egress: Egress
let visits = 0
beforeEach(async () => {
  visits = 0
  inside = createServer((_request, response) => {
    visits += 1
    response.end('a secret')
  })
  inside.listen(0, '127.0.0.1')
  await once(inside, 'listening')
  egress = createEgress(
    createEndpointGuard([], async () => [{ address: '127.0.0.1', family: 4 }]),
    1_000,
  )
})
afterEach(async () => {
  await egress.close()
  inside.closeAllConnections()
  inside.close()
})

it.each(['127.0.0.1', '[::ffff:127.0.0.1]', '2130706433', 'model.example'])(
  'an address registered by an admin cannot reach an internal host as %s',
  async (host) => {
    const url = `http://${host}:${(inside.address() as AddressInfo).port}/v1`
    await expect(egress.guarded(url)).rejects.toThrow()
    expect(visits).toBe(0)
  },
)

it('an address configured by the operator may be internal', async () => {
  const answer = await egress.trusted(`http://127.0.0.1:${(inside.address() as AddressInfo).port}/v1`)
  expect(await answer.text()).toBe('a secret')
})
