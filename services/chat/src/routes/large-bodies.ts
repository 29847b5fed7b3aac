import { chatRoutes, type Principal, type Route } from '@parley/contracts'
import { bodyLimitOf, createLimiter, readBody, servedPath, tooLargeBody } from '@parley/kit'
import type { IRouter, Request, RequestHandler, Response } from 'express'
import { smallImport } from '../transfer/import-reader.ts'
import { createBodySlots, type SlotCounts } from './body-slots.ts'

/** Bytes of a body that takes no slot. A guest, who attaches nothing, sends no more. */
const smallBytes = 1024 * 1024
/** Larger bodies that are read or wait at once; of imports those that take a thread. */
const sends: SlotCounts = { all: [8, 100], network: [6, 100], user: [1, 10] }
const imports: SlotCounts = { all: [6, 100], network: [4, 100], user: [1, 10] }
/** Of these, requests that run at once. */
const workedOnAtOnce = 2

/** Keeps the memory bounded that sends with attachments and imports take: guests' bodies are small, and few large ones are held at once. */
export function addLargeBodyBounds(router: IRouter): void {
  const hold = boundBodies(chatRoutes.send, sends, smallBytes)
  const bound: RequestHandler = async (request, response, next) => {
    const principal = response.locals.principal as Principal
    if (principal.kind !== 'guest') return hold(request, response, next)
    request.body = await readBody(request, { limit: smallBytes, drainLimit: bodyLimitOf(chatRoutes.send) })
    next()
  }
  router.post(servedPath(chatRoutes.send), bound)
  router.post(servedPath(chatRoutes.importChats), boundBodies(chatRoutes.importChats, imports, smallImport))
}

/** Of unknown length counts as large. */
const isLarge = ({ headers }: Request, small: number): boolean =>
  Number(headers['content-length'] ?? 0) > small || headers['transfer-encoding'] !== undefined

/** Reads a large body when a slot is free and holds the slot until the answer begins: by then the body is not needed any more. */
function boundBodies(route: Route, counts: SlotCounts, small: number): RequestHandler {
  const slots = createBodySlots(counts)
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
    await slots.run(principal, async () => {
      if (response.closed || request.destroyed) return
      // Only a body that was received whole takes a work slot: a slow sender blocks no other request.
      request.body = await readBody(request, { limit: bodyLimitOf(route), tooLarge: () => tooLargeBody(route) })
      await work.run(() => runUntilAnswered(response, next))
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
