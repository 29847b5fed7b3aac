import { chatRoutes, type Principal } from '@parley/contracts'
import { AppError, servedPath } from '@parley/kit'
import express, { type IRouter, type NextFunction, type Request, type RequestHandler, type Response } from 'express'
import { createGate, createKeyedGate } from '../gate.ts'

/** Bytes of a body that is no matter to hold. A guest, who attaches nothing, sends no more. */
const smallBytes = 1024 * 1024
/** Bodies beyond it that are held at once, and how many may wait. */
const largeAtOnce = 2
const largeWaiting = 100
/** The same of one user, who may be slow. */
const ownAtOnce = 1
const ownWaiting = 10
/** Milliseconds for the bytes of one. */
const bodyMs = 60_000

/** Keeps the memory bounded that sends with attachments and imports take: guests' bodies are small, and few large ones are read at once. */
export function addLargeBodyBounds(router: IRouter): void {
  const [hold, holdImport] = [createHolding(), createHolding()]
  const parseGuests = express.json({ limit: smallBytes, strict: false })
  const bound: RequestHandler = (request, response, next) => {
    const principal = response.locals.principal as Principal
    if (principal.kind === 'guest') {
      if (Number(request.headers['content-length'] ?? 0) > smallBytes) letGoBy(request, next, tooLarge())
      else parseGuests(request, response, (error?: unknown) => (error ? letGoBy(request, next, error) : next()))
    } else hold(request, response, next)
  }
  router.post(servedPath(chatRoutes.send), bound)
  router.post(servedPath(chatRoutes.importChats), holdImport)
}

const tooLarge = (): AppError => new AppError('payload_too_large', 'The request is too large')

/** Refuses once all of the body has come: its sender may be deaf until then. */
function letGoBy(request: Request, next: NextFunction, refusal: unknown): void {
  if (request.readableEnded || request.destroyed) {
    next(refusal)
    return
  }
  const late = setTimeout(() => request.destroy(), bodyMs)
  request.once('close', () => clearTimeout(late))
  request.once('end', () => next(refusal))
  request.resume()
}

/** Of unknown length, or packed, counts as large. */
const isLarge = ({ headers }: Request): boolean =>
  Number(headers['content-length'] ?? 0) > smallBytes ||
  headers['transfer-encoding'] !== undefined ||
  headers['content-encoding'] !== undefined

/** Lets a request with a large body on when there is room, until its answer begins: by then nothing of the body is needed any more. */
function createHolding(): RequestHandler {
  const gate = createGate(largeAtOnce, largeWaiting)
  const owners = createKeyedGate(ownAtOnce, ownWaiting)
  const passOn = async (request: Request, response: Response, next: () => void): Promise<void> => {
    if (response.closed || request.destroyed) return
    const answered = answerBegins(response)
    const late = setTimeout(() => request.complete || request.destroy(), bodyMs)
    next()
    await answered
    clearTimeout(late)
  }
  return (request, response, next) => {
    const { userId } = response.locals.principal as { readonly userId?: string }
    if (userId === undefined || !isLarge(request)) next()
    else void owners.run(userId, () => gate.run(() => passOn(request, response, next))).catch(next)
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
