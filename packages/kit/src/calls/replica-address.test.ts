import { describe, expect, it } from 'vitest'
import { createIdentities } from '../identity/identity.ts'
import { newIdHere, replicaAddressOf, replicaUrl, replicaUrlOfId } from './replica-address.ts'

it.each([
  ['10.1.2.3', '10.1.2.3:8080'],
  ['::ffff:10.1.2.3', '10.1.2.3:8080'],
  ['fd00::7', '[fd00::7]:8080'],
])('a call that reached %s identifies the replica as %s', (localAddress, address) => {
  expect(replicaAddressOf({ localAddress, localPort: 8080 })).toBe(address)
})

const service = 'http://llm-router:8080'

describe('the address of a replica', () => {
  it.each(['10.1.2.3:8080', '172.18.0.5:8080', '192.168.7.7:1', '100.64.0.9:8080', '[fd00::7]:8080'])(
    '%s is called directly',
    (address) => {
      expect(replicaUrl(service, address)).toBe(`http://${address}`)
    },
  )

  it.each(['127.0.0.1:8080', '[::1]:8080'])(
    '%s on its own machine is called directly only if the service is on this one',
    (address) => {
      expect(replicaUrl('http://127.0.0.1:3000', address)).toBe(`http://${address}`)
      expect(replicaUrl('http://localhost:3000', address)).toBe(`http://${address}`)
      expect(replicaUrl(service, address)).toBeUndefined()
    },
  )

  it.each([
    '8.8.8.8:8080',
    '169.254.169.254:80',
    '[::ffff:169.254.169.254]:80',
    '[::ffff:a9fe:a9fe]:80',
    '[fe80::1]:8080',
    '[2a00:1450:4001::200e]:8080',
    '0.0.0.0:8080',
    'llm-router:8080',
    'localhost:8080',
    '10.1.2.3',
    '10.1.2.3:99999',
    '10.1.2:8080',
    '167772161:8080',
    '10.1.2.3:8080/admin',
    'somebody@10.1.2.3:8080',
    '10.1.2.3:8080@example.org:80',
    ' 10.1.2.3:8080',
    '10.1.2.3:8080\n',
    ':undefined',
    '',
  ])('%j is not called', (address) => {
    expect(replicaUrl(service, address)).toBeUndefined()
    expect(replicaUrl('http://127.0.0.1:3000', address)).toBeUndefined()
  })

  it.each([
    ['2600:1f14:abc::7', 'http://[2600:1f14:abc::7]:8080'],
    ['fd00::7', 'http://[fd00::7]:8080'],
    // With IPv4 addresses inside, or of no network.
    ['2002:a9fe:a9fe::1', undefined],
    ['fe80::1', undefined],
    ['::ffff:169.254.169.254', undefined],
    ['8.8.8.8', undefined],
  ])('%s in an id that the replica signed leads to %s', (localAddress, url) => {
    const identityOf = createIdentities()
    const id = newIdHere(identityOf('realtime'), { localAddress, localPort: 8080 })
    expect(replicaUrlOfId(identityOf('gateway'), { name: 'realtime', url: service }, id)).toBe(url)
    expect(replicaUrlOfId(identityOf('gateway'), { name: 'chat', url: service }, id)).toBeUndefined()
  })

  it('is not called if the service is not called by plain HTTP', () => {
    expect(replicaUrl('https://llm-router', '10.1.2.3:8080')).toBeUndefined()
  })
})
