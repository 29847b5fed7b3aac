import { expect, test } from 'vitest'
import { isPrivateAddress, isPrivateName } from './private-address.ts'

test.each([
  '127.0.0.1',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '169.254.169.254',
  '169.254.170.2',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  '100.127.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '192.0.2.1',
  '192.88.99.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::7f00:1',
  'fe80::1',
  'fec0::1',
  'fd00::1',
  'fd00:ec2::254',
  'fd20:ce::254',
  'ff02::1',
  '2002:7f00:1::',
  '2001:0:1::',
  '2001:db8::1',
  '3fff::1',
  'localhost',
  '',
  '127.1',
])('%s is private', (address) => {
  expect(isPrivateAddress(address)).toBe(true)
})

test.each([
  '8.8.8.8',
  '168.63.129.15',
  '168.63.129.17',
  '172.15.255.255',
  '172.32.0.1',
  '100.128.0.1',
  '93.184.216.34',
  '2606:4700::1111',
  '2a00:1450:4001::200e',
  '2001:4860:4860::8888',
])('%s is public', (address) => {
  expect(isPrivateAddress(address)).toBe(false)
})

test.each([
  'metadata.google.internal',
  'Metadata.Google.Internal.',
  'instance-data.ec2.internal',
  'printer.local',
  'localhost',
  'any.localhost',
  'router.home.arpa',
])('the name %s is private', (host) => {
  expect(isPrivateName(host)).toBe(true)
})

test.each(['internal.example.org', 'local.example', 'notlocalhost', 'eternal', 'arpa', ''])(
  'the name %j may be public',
  (host) => {
    expect(isPrivateName(host)).toBe(false)
  },
)
