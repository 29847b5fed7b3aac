import { gzipSync } from 'node:zlib'
import {
  chatRoutes,
  defaultBodyDepth,
  defaultBodyLimit,
  defaultBodyValues,
  publicRoutes,
  type Route,
} from '@parley/contracts'
import { pathOf } from '@parley/testing'

/** Routes that people call. Those of programs take an API key, and are tried with one where they are served. */
export const routesOfPeople = publicRoutes.filter(({ access }) => access !== 'key')
/** Routes whose requests carry JSON. */
export const routesWithBody = routesOfPeople.filter(({ body }) => body !== undefined)
/** Routes whose requests may carry any body. */
export const routesWithMethod = routesOfPeople.filter(({ method }) => method !== 'GET')

/** How a route is called in a message. */
export const nameOf = ({ method, path }: Route): string => `${method} ${path}`

/** Where a route is served, its parameters being ids that nobody has. */
export function addressOf(route: Route): string {
  const names = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1] as string)
  return pathOf(route, { params: Object.fromEntries(names.map((name) => [name, 'a'.repeat(32)])) })
}

const limitOf = ({ bodyLimit = defaultBodyLimit }: Route): number => bodyLimit

/** Lists in lists, as many as the body may hold. */
export function deepBody(route: Route): string {
  const levels = Math.min(Math.floor(limitOf(route) / 2), 1_000_000)
  return '['.repeat(levels) + ']'.repeat(levels)
}

/** One level more than the route takes. */
export function tooDeepBody({ bodyDepth = defaultBodyDepth }: Route): string {
  return '['.repeat(bodyDepth + 1) + ']'.repeat(bodyDepth + 1)
}

/** Lists beside lists, as many as the body may hold: a parser makes dozens of times its size of them. */
export function wideBody(route: Route): string {
  return `[${'[],'.repeat(Math.floor(limitOf(route) / 3) - 2)}[]]`
}

/** A few bytes that unpack to a hundred megabytes. */
export const packedBody: Buffer = gzipSync(Buffer.alloc(100 * 1024 * 1024, '[],'))

/** A chat of another product in a file that holds as much as an import may, of which little is kept. */
export function largeImport(): string {
  const { bodyLimit = defaultBodyLimit, bodyValues = defaultBodyValues } = chatRoutes.importChats
  const messages = Array.from({ length: 100 }, (_none, nth) => ({
    messageId: `m${nth}`,
    parentMessageId: `m${nth - 1}`,
    isCreatedByUser: nth % 2 === 0,
    text: `${nth}`,
  }))
  const numbers = Array.from({ length: bodyValues - 1_000 }, () => 7)
  const padding = 'x'.repeat(bodyLimit - 2 * bodyValues - 100_000)
  return JSON.stringify({ conversationId: 'large', title: 'Large', messages, numbers, padding })
}
