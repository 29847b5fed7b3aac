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

/** Routes called by people. Routes for programs need an API key and are tested where they are implemented. */
export const routesOfPeople = publicRoutes.filter(({ access }) => access !== 'key')
/** Routes with a JSON body. */
export const routesWithBody = routesOfPeople.filter(({ body }) => body !== undefined)
/** Routes whose method allows a body. */
export const routesWithMethod = routesOfPeople.filter(({ method }) => method !== 'GET')

/** A route's name in messages. */
export const nameOf = ({ method, path }: Route): string => `${method} ${path}`

/** A route's path, with unknown ids as its parameters. */
export function addressOf(route: Route): string {
  const names = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1] as string)
  return pathOf(route, { params: Object.fromEntries(names.map((name) => [name, 'a'.repeat(32)])) })
}

const limitOf = ({ bodyLimit = defaultBodyLimit }: Route): number => bodyLimit

/** Nested arrays, as deep as the body limit allows. */
export function deepBody(route: Route): string {
  const levels = Math.min(Math.floor(limitOf(route) / 2), 1_000_000)
  return '['.repeat(levels) + ']'.repeat(levels)
}

/** One level deeper than the route accepts. */
export function tooDeepBody({ bodyDepth = defaultBodyDepth }: Route): string {
  return '['.repeat(bodyDepth + 1) + ']'.repeat(bodyDepth + 1)
}

/** As many sibling arrays as the body limit allows: parsing them takes dozens of times their size. */
export function wideBody(route: Route): string {
  return `[${'[],'.repeat(Math.floor(limitOf(route) / 3) - 2)}[]]`
}

/** A few bytes that decompress to a hundred megabytes. */
export const packedBody: Buffer = gzipSync(Buffer.alloc(100 * 1024 * 1024, '[],'))

/** An export of another product that is as large as an import may be, and of which little is kept. */
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
