import { chatRoutes, type Principal, type Route } from '@parley/contracts'
import { bodyLimitOf, createLimiter, readBody, servedPath, tooLargeBody } from '@parley/kit'
import type { IRouter, Request, RequestHandler, Response } from 'express'
import { smallImport } from '../transfer/import-reader.ts'
import type { BodyMemory } from './body-memory.ts'
import { createBodySlots, type SlotCounts } from './body-slots.ts'
import type { RouteParts } from './route-parts.ts'

/** Bytes of a body that takes no slot. A guest, who attaches nothing, sends no more. */
const smallBytes = 1024 * 1024
/** Larger bodies that come at once, and how many may wait; of imports those that take a thread. */
const counts: SlotCounts = { all: [48, 500], network: [12, 200], user: [1, 100] }
/** Requests of each kind that run at once. */
const workedOnAtOnce = 2

/** Keeps the memory bounded that sends with attachments and imports take: guests' bodies are small, and the bytes of large ones are counted. */
export function addLargeBodyBounds(router: IRouter, { bodies, importBodies }: RouteParts): void {
  const hold = boundBodies(chatRoutes.send, smallBytes, bodies)
  const bound: RequestHandler = async (request, response, next) => {
    const principal = response.locals.principal as Principal
    if (principal.kind !== 'guest') return hold(request, response, next)
    request.body = await readBody(request, { limit: smallBytes, drainLimit: bodyLimitOf(chatRoutes.send) })
    next()
  }
  router.post(servedPath(chatRoutes.send), bound)
  router.post(servedPath(chatRoutes.importChats), boundBodies(chatRoutes.importChats, smallImport, importBodies))
}

/** A body of unknown length counts as large. */
const isLarge = ({ headers }: Request, small: number): boolean =>
  Number(headers['content-length'] ?? 0) > small || headers['transfer-encoding'] !== undefined

/** Where a handler leaves the promise of its work with the body, which continues when its caller disconnects or was answered early. */
export const bodyInUse = 'bodyInUse'

/** Reads a large body when its sender has a slot for it, which is kept until the answer begins. */
function boundBodies(route: Route, small: number, bodies: BodyMemory): RequestHandler {
  const slots = createBodySlots(counts, bodies)
  const work = createLimiter(workedOnAtOnce, Number.POSITIVE_INFINITY)
  const runUntilAnswered = async (response: Response, next: () => void): Promise<void> => {
    if (response.closed) return
    const answered = answerBegins(response)
    next()
    await answered
  }
  return async (request, response, next) => {
    const principal = response.locals.principal as Principal
    if (principal.kind !== 'user' || !isLarge(request, small)) return next()
    const body = { request, limit: bodyLimitOf(route), tooLarge: () => tooLargeBody(route) }
    await slots.run(principal, body, async (bytes, holdUntil) => {
      request.body = bytes
      // Only a body that was received whole takes a work slot: a slow sender blocks no other request.
      await work.run(() => runUntilAnswered(response, next))
      holdUntil(response.locals[bodyInUse] as Promise<unknown> | undefined)
    })
  }
}

const answerBegins = (response: Response): Promise<void> =>
  new Promise((resolve) => {
    response.once('close', resolve)
    const { writeHead } = response
    response.writeHead = ((...head: Parameters<typeof writeHead>) => {
      resolve()
      return writeHead.apply(response, head)
    }) as typeof writeHead
  })
