import { expect, it } from 'vitest'
import { networkBuckets } from '../src/index.ts'

it.each([
  ['4:192.0.2.7', ['4:192.0.2.7']],
  ['6:2001:db8:5:1', ['6:2001:db8:5:1', '6/48:2001:db8:5']],
  ['6:2001:db8:5:ffff', ['6:2001:db8:5:ffff', '6/48:2001:db8:5']],
  ['6:0:0:0:0', ['6:0:0:0:0', '6/48:0:0:0']],
  ['internal', ['internal']],
])('%s counts in %j, the narrowest first', (network, expected) => {
  expect(networkBuckets(network).map((bucket) => bucket.network)).toEqual(expected)
})

it('a wider network has a larger allowance than one of its networks, and far less than all of them together', () => {
  const [own, site] = networkBuckets('6:2001:db8:5:1')
  expect(own.times).toBe(1)
  expect(site?.times).toBeGreaterThan(1)
  expect(site?.times).toBeLessThan(100)
})
