import { BlockList, isIP, isIPv6, type Socket } from 'node:net'
import type { ServiceName } from '@parley/contracts'
import { isPrivateAddress } from '../egress/private-address.ts'
import { loopbackNames } from '../http/own-addresses.ts'
import type { IdentityCodec } from '../identity/identity.ts'
import { newId } from '../ids.ts'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')
/** Private networks, except link-local addresses, at which clouds serve a machine's secrets. */
const inside = new BlockList()
inside.addSubnet('10.0.0.0', 8, 'ipv4')
inside.addSubnet('100.64.0.0', 10, 'ipv4')
inside.addSubnet('172.16.0.0', 12, 'ipv4')
inside.addSubnet('192.168.0.0', 16, 'ipv4')
inside.addSubnet('fc00::', 7, 'ipv6')

/** Where a call reached this process, as `address:port`. Behind the address that the replicas of a service share, this leads to one of them. */
export function replicaAddressOf({ localAddress = '', localPort }: Pick<Socket, 'localAddress' | 'localPort'>): string {
  const address = localAddress.replace(/^::ffff:/, '')
  return `${isIPv6(address) ? `[${address}]` : address}:${localPort}`
}

/**
 * The base URL of the replica that gave its address. Undefined for what is no address in a private network, for one of this machine where the service is
 * on another, and where the service is not called by plain HTTP: then only its own URL leads there.
 * @param isSigned whether the replica signed it: a public IPv6 address is believed only then, as pods have them in some clusters
 */
export function replicaUrl(serviceUrl: string, address: string, isSigned = false): string | undefined {
  const service = URL.parse(serviceUrl)
  const [, v6, v4, port] = /^(?:\[([\da-f:]+)\]|([\d.]+)):(\d{1,5})$/i.exec(address) ?? []
  const host = v6 ?? v4 ?? ''
  if (service?.protocol !== 'http:' || isIP(host) === 0 || Number(port) > 65_535) return undefined
  const family = v6 === undefined ? 'ipv4' : 'ipv6'
  const isNear = loopback.check(host, family) && loopbackNames.includes(service.hostname)
  const isPublic6 = isSigned && v6 !== undefined && !isPrivateAddress(v6)
  return isNear || isPublic6 || inside.check(host, family) ? `http://${address}` : undefined
}

/**
 * A new id of what only this replica keeps in memory, for callers outside: it names where the call reached this process. One that came by a Unix socket
 * names nothing, as there is no other replica behind it.
 */
export function newIdHere(identity: IdentityCodec, socket: Pick<Socket, 'localAddress' | 'localPort'>): string {
  return socket.localAddress === undefined ? newId() : `${newId()}.${identity.signAddress(replicaAddressOf(socket))}`
}

/** The base URL of the replica that keeps what the id names; undefined where only the service's own URL may be called, which is safe for any id. */
export function replicaUrlOfId(
  identity: IdentityCodec,
  service: { readonly name: ServiceName; readonly url: string },
  id: string,
): string | undefined {
  const address = identity.verifyAddress(service.name, id.slice(id.indexOf('.') + 1))
  return address === undefined ? undefined : replicaUrl(service.url, address, true)
}
