import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createEndpointGuard, type ResolveHost } from './endpoint-guard.ts'

const asked: string[] = []
/** A resolver that calls every name public. */
const resolvePublic: ResolveHost = async (host) => {
  asked.push(host)
  return [{ address: '93.184.216.34', family: 4 }]
}
const guard = createEndpointGuard([], resolvePublic)
const dialled = (host: string) => promisify(guard.lookup)(host, {})

test.each(['metadata.google.internal', 'METADATA.google.internal.', 'localhost', 'nas.local'])(
  'the private name %s can be neither registered, resolved nor connected to',
  async (host) => {
    asked.length = 0
    expect(await guard.fault(`http://${host}/v1`)).toBe('The endpoint must not be in a private network')
    await expect(dialled(host)).rejects.toThrow('The endpoint must not be in a private network')
    expect(asked).toEqual([])
  },
)

test('a private name allowed by the operator can be registered and connected to', async () => {
  const allowing = createEndpointGuard(['models.internal'], async () => [{ address: '10.0.0.9', family: 4 }])
  expect(await allowing.fault('http://models.internal/v1')).toBeUndefined()
  expect(await promisify(allowing.lookup)('models.internal', {})).toBe('10.0.0.9')
})

test('a public name can be registered and connected to', async () => {
  expect(await guard.fault('https://models.example/v1')).toBeUndefined()
  expect(await dialled('models.example')).toBe('93.184.216.34')
})

test('a name that also leads inside can be neither registered nor connected to, nor one that leads nowhere', async () => {
  const inside = { address: '10.0.0.9', family: 4 }
  const mixed = createEndpointGuard([], async (host) => [...(await resolvePublic(host)), inside])
  expect(await mixed.fault('http://models.example/v1')).toBe('The endpoint must not be in a private network')
  await expect(promisify(mixed.lookup)('models.example', {})).rejects.toThrow('private network')
  const empty = createEndpointGuard([], async () => [])
  await expect(promisify(empty.lookup)('models.example', {})).rejects.toThrow('private network')
})
