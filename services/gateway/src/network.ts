import type { IncomingMessage } from 'node:http'
import { type BlockList, isIP, isIPv4 } from 'node:net'

/**
 * The real caller's address: the connection's or, if that is a trusted proxy, the last untrusted one in X-Forwarded-For.
 * Other headers are never trusted.
 */
export function clientAddress(request: IncomingMessage, trusted: BlockList): string {
  const forwarded = request.headers['x-forwarded-for']
  const hops = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? '')).split(',').map((hop) => hop.trim())
  let address = plainAddress(request.socket.remoteAddress ?? '')
  while (isTrusted(trusted, address)) {
    const hop = plainAddress(hops.pop() ?? '')
    if (isIP(hop) === 0) return address
    address = hop
  }
  return address
}

/** Whether an untrusted proxy names the caller. */
export const isForwardedByStranger = (request: IncomingMessage, trusted: BlockList): boolean =>
  request.headers['x-forwarded-for'] !== undefined &&
  !isTrusted(trusted, plainAddress(request.socket.remoteAddress ?? ''))

const isTrusted = (trusted: BlockList, address: string): boolean =>
  isIP(address) !== 0 && trusted.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')

/** Unwraps IPv4-mapped IPv6 addresses. */
const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')

/** Network bucket: `4:<address>` or `6:<first 64 bits>`, because an IPv6 customer has a whole /64. */
export function networkBucket(address: string): string {
  return isIPv4(address) ? `4:${address}` : `6:${groupsOf(address).slice(0, 4).join(':')}`
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0')
  return [...left, ...zeros, ...right].map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
}
