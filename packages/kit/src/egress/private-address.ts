import { BlockList, isIP } from 'node:net'

const reserved4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Azure's platform answers every virtual machine there, although the address is registered as a public one.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]
/** Within 2000::/3, the only part of IPv6 that is routed to everybody. The first three carry IPv4 addresses inside. */
const reserved6: readonly [string, number][] = [
  ['2001::', 23],
  ['2002::', 16],
  ['2001:db8::', 32],
  ['3fff::', 20],
]

/** Domains that are never on the public internet. Clouds call their metadata services by names in the first. */
const privateDomains = ['internal', 'local', 'localhost', 'home.arpa']

const private4 = new BlockList()
for (const [net, prefix] of reserved4) private4.addSubnet(net, prefix, 'ipv4')
const private6 = new BlockList()
for (const [net, prefix] of reserved6) private6.addSubnet(net, prefix, 'ipv6')
const global6 = new BlockList()
global6.addSubnet('2000::', 3, 'ipv6')

/** True for every address that is not on the public internet, including IPv4 inside IPv6; also for text that is no address. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return private4.check(address, 'ipv4')
  if (family === 6) return !global6.check(address, 'ipv6') || private6.check(address, 'ipv6')
  return true
}

/** True for every name that never leads to the public internet, whatever a resolver answers. */
export function isPrivateName(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '')
  return privateDomains.some((domain) => name === domain || name.endsWith(`.${domain}`))
}
