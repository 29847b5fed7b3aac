import { chatAnswerSchema, chatRoutes } from '@parley/contracts'
import {
  AppError,
  eventStreamHeaders,
  isAppError,
  mount,
  mountStream,
  notFound,
  readIdempotencyKey,
  unavailable,
  validationFailed,
  writeEventStream,
} from '@parley/kit'
import type { IRouter, Response } from 'express'
import type { z } from 'zod'
import { type Caller, callerOf } from '../callers.ts'
import { type AnswerRef, readAnswer } from '../generation/reader.ts'
import { refusalOf } from '../generation/refusal.ts'
import { isReplayed } from '../generation/replay.ts'
import { guestSessionHeader } from '../guests/guest-session.ts'
import { generationIdOf } from '../store/continued.ts'
import { toolCallsOf } from '../tools/tool-calls.ts'
import { bodyInUse } from './large-bodies.ts'
import type { RouteParts } from './route-parts.ts'

/** Sending, resuming and stopping, for guests and users. */
export function addAnswerRoutes(router: IRouter, deps: RouteParts): void {
  const { sender, stopper, reader, sessions } = deps
  mountStream(router, chatRoutes.send, async ({ principal, requestId, body, headers }, response) => {
    if (deps.draining()) throw unavailable()
    const caller = callerOf(principal, headers[guestSessionHeader], sessions)
    if (caller.kind === 'guest') response.setHeader(guestSessionHeader, caller.token)
    const sent = sender.send({ ...caller, requestId }, body, readIdempotencyKey(headers['idempotency-key']))
    response.locals[bodyInUse] = sent
    const ref = await sent.catch((error: unknown) => {
      if (isAppError(error, 'guest_limit_reached')) response.setHeader(remainingHeader, '0')
      throw error
    })
    await setGuestHeaders(deps, caller, response)
    if (wantsJson(headers.accept)) await writeJson(deps, ref, response)
    else await writeStream(deps, ref, 0, response)
  })
  mountStream(router, chatRoutes.resume, async ({ principal, params, headers }, response) => {
    const afterSeq = readLastEventId(headers['last-event-id'])
    const { ownerId } = callerOf(principal, headers[guestSessionHeader], sessions)
    const answer = await reader.generations.find(params.id, ownerId)
    if (answer === undefined || !isReplayed(answer, reader.now())) throw notFound()
    // Without a number an answer is read in its current state; event numbers belong to the generation that made them.
    const id = params.id === answer.id && afterSeq === 0 ? generationIdOf(answer) : params.id
    await writeStream(deps, { id, ownerId }, afterSeq, response)
  })
  mount(router, chatRoutes.stop, async ({ principal, params, headers }) => {
    const { ownerId } = callerOf(principal, headers[guestSessionHeader], sessions)
    await stopper.stop({ id: params.id, ownerId })
    return { body: { stopped: true as const } }
  })
  mount(router, chatRoutes.guestInfo, async ({ principal, headers }) => {
    const caller = callerOf(principal, headers[guestSessionHeader], sessions)
    if (caller.kind === 'user') throw new AppError('guest_not_allowed', 'You are signed in.')
    const state = await deps.allowance.read(caller)
    return {
      body: { guestSession: { id: caller.token, ...state }, message: 'Guest mode is on.' },
      headers: { [guestSessionHeader]: caller.token, [remainingHeader]: String(state.remainingMessages) },
    }
  })
}

const remainingHeader = 'x-guest-remaining-messages'

async function setGuestHeaders({ allowance }: RouteParts, caller: Caller, response: Response): Promise<void> {
  if (caller.kind === 'user') return
  const { remainingMessages } = await allowance.read(caller)
  response.setHeader(remainingHeader, String(remainingMessages))
}

const wantsJson = (accept = ''): boolean => accept.includes('application/json') && !accept.includes('text/event-stream')

/** The number of the last event that a reader has; 0 without one. @throws AppError validation_failed when malformed */
function readLastEventId(header: unknown): number {
  if (header === undefined || header === '') return 0
  if (typeof header === 'string' && /^\d{1,9}$/.test(header)) return Number(header)
  throw validationFailed([{ path: 'last-event-id', message: 'Malformed event id' }])
}

async function writeStream(deps: RouteParts, ref: AnswerRef, afterSeq: number, response: Response): Promise<void> {
  for (const [name, value] of Object.entries(eventStreamHeaders)) response.setHeader(name, value)
  await writeEventStream(response, numbered(readAnswer(deps.reader, ref, afterSeq, disconnected(deps, response))))
}

async function* numbered(entries: ReturnType<typeof readAnswer>) {
  for await (const { seq, data } of entries) yield { id: seq, data }
}

/** Aborts when the reader has disconnected or has to be disconnected. */
function disconnected({ disconnectReaders }: RouteParts, response: Response): AbortSignal {
  const left = new AbortController()
  response.once('close', () => left.abort())
  if (response.destroyed) left.abort()
  return AbortSignal.any([left.signal, disconnectReaders])
}

async function writeJson(deps: RouteParts, ref: AnswerRef, response: Response): Promise<void> {
  const { reader } = deps
  for await (const _entry of readAnswer(reader, ref, 0, disconnected(deps, response))) {
    // Read to its end, so that a guest's answer counts as being read.
  }
  if (response.destroyed) return
  const generation = await reader.generations.find(ref.id, ref.ownerId)
  if (generation === undefined || generation.ending === null) throw unavailable()
  const { content, reasoning, attachments, events, search, chatId, createdAt, ending } = generation
  const refusal = refusalOf(ending, reader.now())
  if (refusal !== undefined) throw refusal
  const { usage, credits } = ending
  const toolCalls = toolCallsOf(events, createdAt)
  const answer: z.input<typeof chatAnswerSchema> = {
    ...{ chatId, messageId: generation.id, content, usage, credits },
    ...(reasoning && { reasoning }),
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(attachments.length > 0 && { attachments: [...attachments] }),
    ...(search && { webSearchResults: [...search.results] }),
  }
  response.json(chatAnswerSchema.parse(answer))
}
