import type { Attachment, SendBody } from '@parley/contracts'
import { AppError, type Limiter, notFound } from '@parley/kit'
import type { Requesting } from '../callers.ts'
import type { Common } from '../common.ts'
import type { Files } from '../files/files.ts'
import { mayBeRetried } from '../generation/ending.ts'
import { type AnswerRef, answerOpened, type ReaderDeps } from '../generation/reader.ts'
import type { RunningGenerations } from '../generation/running-generations.ts'
import type { GuestAllowance } from '../guests/guest-allowance.ts'
import type { Recall } from '../memory/recall.ts'
import { chatIsBusy, refuseOtherBody } from '../refusals.ts'
import type { Quota } from '../storage/quota.ts'
import { generationIdOf } from '../store/continued.ts'
import type { Generation, Send } from '../store/entities.ts'
import { purgedAnswer } from '../store/send-store.ts'
import { type AcceptedSend, type KeyedSend, newGenerationOf, sendOf, turnOf, untitledOf } from './accepted-send.ts'
import type { Prompts } from './prompts.ts'
import { bodyHash, modelIdFor, readSendRequest, refuseTooLong } from './send-request.ts'
import { findThreadPosition, type ThreadPosition } from './thread-position.ts'

export interface SenderDeps
  extends Pick<Common, 'stores' | 'models' | 'changes' | 'waiters' | 'lease' | 'log' | 'now' | 'newId'> {
  /** Bounds how many sends are stored and paid for at once. */
  readonly limiter: Limiter
  readonly allowance: GuestAllowance
  readonly running: RunningGenerations
  readonly prompts: Prompts
  readonly recall: Recall
  readonly files: Files
  readonly quota: Quota
  readonly reader: ReaderDeps
}

/** Accepts messages and has them answered by this replica. */
export function createSender(deps: SenderDeps) {
  const inFlight = new Map<string, Promise<AnswerRef>>()
  return {
    /**
     * Stores the message and has it answered; a repeat joins the running answer, or retries one that failed free of charge.
     * Resolves when the answer can be read.
     * @throws AppError for every refusal, and for failures before the first event; the message is stored then
     */
    async send(caller: Requesting, body: SendBody, idempotencyKey: string | null): Promise<AnswerRef> {
      const { clientMessageId = null } = body
      if (clientMessageId === null && idempotencyKey === null) return await send(deps, caller, body)
      // A client that disconnected and repeats its send waits for the running one: no repeat adds work while the service is slow.
      const keys = { ownerId: caller.ownerId, clientMessageId, idempotencyKey, bodyHash: bodyHash(body) }
      const key = JSON.stringify(keys)
      const same = inFlight.get(key)
      if (same !== undefined) return await same
      const sent = send(deps, caller, body, keys).finally(() => inFlight.delete(key))
      inFlight.set(key, sent)
      return await sent
    },
  }
}

/** One send. @param keys of one that may come again while it is under way */
async function send(deps: SenderDeps, caller: Requesting, body: SendBody, keys?: KeyedSend): Promise<AnswerRef> {
  const { stores, models, newId, limiter } = deps
  const request = readSendRequest(body, caller)
  const asking = caller.kind === 'user' ? caller : { admin: false, requestId: caller.requestId }
  // Found while llm-router is asked for the model, whose refusal counts first.
  const finding = limiter.run(() => findThreadPosition(deps, caller, request))
  finding.catch(() => undefined)
  const model = await models.usable(modelIdFor(body, caller), asking).catch((refusal: unknown) => ({ refusal }))
  if ('refusal' in model) {
    // What was answered before its model was disabled or locked is not sent again.
    const answered = keys && (await findAnswered(deps, keys))
    if (answered === undefined) throw model.refusal
    return answered
  }
  if ('text' in request) refuseTooLong(request.text, model)
  const position = await finding
  const room = findRoom(deps, caller, position)
  // Looked at once the send is begun, which a repeat may not be.
  room.catch(() => undefined)
  const fresh: AcceptedSend = { caller, body, request, model, position, messageId: newId(), attachments: [], room }
  if (keys === undefined) return await begin(deps, fresh)
  const own = sendOf(fresh, { ...keys, id: newId(), createdAt: deps.now() })
  const { claimed, send: known } = await limiter.runFirst(() => stores.sends.claim(own))
  if (claimed) return await begin(deps, fresh)
  refuseOtherBody(known, own)
  const { chatId, userMessageId, messageId } = known
  const accepted = { ...fresh, position: { ...position, chatId, userMessageId }, messageId }
  return await continueSend(deps, accepted, known)
}

/** The answer to a known send that needs no other attempt. @throws AppError for another body under its keys */
async function findAnswered({ stores, reader }: SenderDeps, keys: KeyedSend): Promise<AnswerRef | undefined> {
  const known = await stores.sends.find(keys)
  if (known === undefined) return undefined
  refuseOtherBody(known, keys)
  const ref = { id: known.messageId, ownerId: keys.ownerId }
  const generation = await stores.generations.find(ref.id, ref.ownerId)
  if (generation === undefined || !isAnswered(generation, ref)) return undefined
  await answerOpened(reader, ref)
  return ref
}

/** If the answer was continued since, the send that began it counts as answered. */
const isAnswered = (generation: Generation, { id }: AnswerRef): boolean =>
  generationIdOf(generation) !== id || !mayBeRetried(generation)

/** @throws AppError when a guest has no message left, or an account no room for another byte */
async function findRoom(
  { limiter, allowance, quota }: SenderDeps,
  caller: Requesting,
  { newChat }: ThreadPosition,
): Promise<void> {
  if (caller.kind === 'guest') await limiter.runFirst(() => allowance.refuseEarly(caller))
  // Where a chat is added its bounds are asked for with the chat.
  else if (!newChat) await limiter.runFirst(() => quota.refuseBytes(caller.ownerId))
}

/**
 * Continues a known send from any state: not begun (its replica died, or is about to begin it), running, ended, or failed and worth another attempt.
 * @throws AppError not_found when its chat was deleted for good
 */
async function continueSend(deps: SenderDeps, accepted: AcceptedSend, send: Send): Promise<AnswerRef> {
  if (send.messageId === purgedAnswer) throw notFound()
  const { stores, newId, reader } = deps
  const ref = { id: accepted.messageId, ownerId: accepted.caller.ownerId }
  const generation = await stores.generations.find(ref.id, ref.ownerId)
  if (generation === undefined) return await begin(deps, accepted)
  if (isAnswered(generation, ref)) {
    await answerOpened(reader, ref)
    return ref
  }
  const messageId = newId()
  if (await stores.sends.retry(send.id, ref.id, messageId)) return await begin(deps, { ...accepted, messageId })
  // Another request retries already.
  const { send: current } = await stores.sends.claim(send)
  return await begin(deps, { ...accepted, messageId: current.messageId })
}

/** Stores the message with its answer begun, then has it made: of several that come here with the same ids one makes the answer and the others join it. */
async function begin(deps: SenderDeps, accepted: AcceptedSend): Promise<AnswerRef> {
  const { lease, running, reader } = deps
  const { caller, messageId, model, position } = accepted
  const ref = { id: messageId, ownerId: caller.ownerId }
  await accepted.room
  const { continues } = position
  // This replica first finishes its settlement; without a place of the limiter, so that nobody else waits for it.
  if (continues !== undefined && continues.ending !== null) await running.whenOver(continues)
  // Started now, so that it runs while the message is stored and paid for and the prompt hardly waits.
  const recalling = recallEarly(deps, accepted)
  const attachments = await readFiles(deps, accepted)
  const stored = await storeInBounds(deps, { ...accepted, attachments })
  if (stored === undefined) {
    await answerOpened(reader, ref)
    return ref
  }
  const { start, generation, seed } = stored
  const price = { credits: model.creditsPerMessage, unlimited: caller.kind === 'user' && caller.admin }
  const noted = noteMessages(deps, accepted, generation.createdAt)
  const { clientMessageId } = accepted.body
  if (clientMessageId !== undefined) void deps.waiters.notify(caller.ownerId, clientMessageId)
  const started = running.start({
    generation,
    lease,
    seed,
    start,
    send: clientMessageId === undefined ? undefined : { ownerId: caller.ownerId, clientMessageId },
    guestToken: caller.kind === 'guest' ? caller.token : undefined,
    price,
    prompt: (held) => deps.prompts.build({ ...accepted, recalling, answered: seed?.content }, held),
    untitled: untitledOf(accepted),
    allowLocked: price.unlimited,
    requestId: caller.requestId,
  })
  await Promise.all([started, noted])
  return ref
}

const recallEarly = ({ recall }: SenderDeps, { caller, position, request }: AcceptedSend) =>
  position.memory && 'text' in request ? recall(caller.ownerId, request.text) : undefined

/** The files that come with a new message; a message that is kept already has its own. */
async function readFiles({ stores, files }: SenderDeps, accepted: AcceptedSend): Promise<readonly Attachment[]> {
  const { caller, request, model, position } = accepted
  if (caller.kind === 'guest' || !('text' in request)) return []
  if (request.attachments === undefined) return position.edited?.attachments ?? []
  if (request.attachments.length === 0) return []
  if ((await stores.messages.find(position.chatId, position.userMessageId)) !== undefined) return []
  const attachments = await files.readAttachments(caller.ownerId, request.attachments, model)
  await files.attach(caller.ownerId, position.chatId, attachments)
  return attachments
}

/** Tells that question and answer are there, and marks their chat as written to. */
async function noteMessages({ stores, changes, log }: SenderDeps, accepted: AcceptedSend, at: Date): Promise<void> {
  const { caller, body, request, position, model, messageId } = accepted
  if (caller.kind === 'guest') return
  const { ownerId } = caller
  const { chatId } = position
  if ('text' in request) void changes.message(ownerId, chatId, position.userMessageId)
  const { continues } = position
  if (continues === undefined) void changes.generation(ownerId, chatId, messageId)
  else void changes.generation(ownerId, chatId, continues.id, messageId)
  try {
    const chat = await stores.chats.noteMessages(chatId, model.id, at)
    if (chat === undefined) return
    void (position.newChat ? changes.begun(chat, body.clientMessageId) : changes.updated(chat))
  } catch (error) {
    // The list is put right by the next message; the answer is already being made.
    log.warn({ err: error, chatId }, 'a chat could not be marked as written to')
  }
}

/** As `store`. @throws AppError also conflict or payload_too_large when there is no room for a new chat */
async function storeInBounds(deps: SenderDeps, accepted: AcceptedSend): ReturnType<typeof store> {
  const { limiter, quota } = deps
  const { caller, position } = accepted
  const keep = () => limiter.runFirst(() => store(deps, accepted))
  if (caller.kind === 'guest' || !position.newChat) return await keep()
  return await quota.addChat(caller.ownerId, keep)
}

/** Undefined when the answer was begun before. @throws AppError not_found when the chat is gone, conflict while another answer is written in it */
async function store(
  deps: SenderDeps,
  accepted: AcceptedSend,
): Promise<ReturnType<typeof newGenerationOf> | undefined> {
  const { caller, request } = accepted
  const turn = caller.kind === 'guest' ? undefined : turnOf(caller, accepted)
  const made = newGenerationOf(accepted)
  const begun = await deps.stores.generations.begin(made.generation, deps.lease, turn)
  switch (begun) {
    case 'begun':
      return made
    case 'exists':
      return undefined
    case 'gone':
      throw notFound()
    case 'busy':
      throw chatIsBusy()
    case 'moved': {
      if (request.kind === 'continue') throw new AppError('conflict', 'This answer isn’t the last one in its chat.')
      // Another message came in between: this one goes behind it.
      const { userMessageId: _other, ...rest } = await findThreadPosition(deps, caller, request)
      return await store(deps, { ...accepted, position: { ...accepted.position, ...rest } })
    }
    default:
      return begun satisfies never
  }
}
