import { setTimeout as delay } from 'node:timers/promises'
import { eventOf } from '@parley/bus'
import { type chatRoutes, type Event, modelInternalRoutes } from '@parley/contracts'
import { AppError, isAppError } from '@parley/kit'
import type { z } from 'zod'
import type { Requesting, UserCaller } from '../callers.ts'
import type { Common } from '../common.ts'
import { fileUrl } from '../files/attachment.ts'
import type { Files } from '../files/files.ts'
import type { Charges } from '../generation/charges.ts'
import { plainEnding } from '../history/plain-message.ts'
import type { Quota } from '../storage/quota.ts'
import type { Send } from '../store/entities.ts'
import type { FileMeta } from '../store/file-store.ts'
import { claimImage, giveBack, tryId } from './image-claims.ts'
import { findImagePosition } from './image-position.ts'
import { type ImageRequest, imageHash } from './image-request.ts'
import { type ImageThreadDeps, putIntoChat, refuseBusy } from './image-thread.ts'

export interface ImageMakerDeps
  extends ImageThreadDeps,
    Pick<Common, 'models' | 'client' | 'waiters' | 'timing' | 'newId'> {
  readonly files: Files
  readonly charges: Charges
  readonly quota: Quota
}

/** An image that was made. */
type ImageAnswer = z.output<typeof chatRoutes.image.answer & {}>

/** Milliseconds for one image, over all tries of providers. */
const imageMs = 150_000

/** Images that this replica makes. */
export function createImageMaker(deps: ImageMakerDeps) {
  const running = new Set<Promise<unknown>>()
  return {
    /**
     * Has an image made, whether or not the caller stays; a repeat under the same key gets the same one.
     * @throws AppError for every refusal and failure; nothing is charged then
     */
    async make(caller: Requesting<UserCaller>, request: ImageRequest, idempotencyKey: string | null) {
      const making = make(deps, caller, request, idempotencyKey)
      running.add(making)
      return await making.finally(() => running.delete(making))
    },
    /** Resolves when no image is being made, after at most this many milliseconds. */
    async drain(graceMs: number): Promise<void> {
      await Promise.race([Promise.allSettled(running), delay(graceMs, undefined, { ref: false })])
    },
  }
}

async function make(
  deps: ImageMakerDeps,
  caller: Requesting<UserCaller>,
  request: ImageRequest,
  idempotencyKey: string | null,
): Promise<ImageAnswer> {
  const { newId, now } = deps
  const position = await findImagePosition(deps, caller.ownerId, request)
  const at = now()
  const claim = await claimImage(deps, {
    id: newId(),
    ownerId: caller.ownerId,
    clientMessageId: request.clientMessageId ?? null,
    idempotencyKey,
    bodyHash: imageHash(request),
    ...position,
    messageId: tryId(newId, at),
    createdAt: at,
  })
  const { send } = claim
  // An image that exists is never made again, whatever fails from here on.
  const drawn = claim.kind === 'made' ? { image: claim.image } : await pay(deps, caller, request, send)
  return await deliver(deps, request, send, drawn)
}

interface Drawn {
  readonly image: FileMeta
  /** The balance after its price, as far as it is known. */
  readonly remaining?: number
  readonly durationMs?: number
}

/** Holds the price and has the image made: what does not come about costs nothing, and may be tried again. */
async function pay(
  deps: ImageMakerDeps,
  caller: Requesting<UserCaller>,
  request: ImageRequest,
  send: Send,
): Promise<Drawn> {
  const { stores, models, files, charges, waiters, quota, now } = deps
  const payer = { id: send.messageId, ownerId: caller.ownerId, guest: null }
  const begun = now().getTime()
  try {
    const model = await models.usableForImages(request.model, caller)
    await quota.refuseBytes(caller.ownerId)
    if (send.chatId !== '') await refuseBusy(stores, send.chatId)
    const { remaining } = await charges.reserve(payer, {
      ...{ credits: model.creditsPerMessage, unlimited: caller.admin, model: model.id, source: 'image' },
    })
    const price = caller.admin ? 0 : model.creditsPerMessage
    const wanted = { prompt: request.prompt, model: model.id, price, begun }
    const image = await whileRenewed(deps, payer, () => draw(deps, caller, send, wanted)).catch(
      async (error: unknown) => {
        // It may be stored although that was not acknowledged. If that cannot be found out, its event settles the hold, or the hold lapses.
        const stored = await files.findMade(caller.ownerId, send.messageId)
        if (stored !== undefined) return stored
        const told = { outcome: 'error', model: model.id, responseMs: now().getTime() - begun } as const
        const ending = plainEnding({ credits: { charged: 0, remaining: remaining + price } })
        await charges.settle(payer, '', ending, { ended: { ...told, source: 'image' } })
        throw error
      },
    )
    void waiters.notify(send.ownerId, send.id)
    const back = price - (image.made?.credits ?? 0)
    return { image, remaining: remaining + back, durationMs: now().getTime() - begun }
  } catch (error) {
    await giveBack(deps, send)
    throw error
  }
}

/** Renews the hold for as long as the image takes. */
async function whileRenewed<T>(
  { charges, timing }: ImageMakerDeps,
  payer: Parameters<Charges['renew']>[0],
  act: () => Promise<T>,
): Promise<T> {
  const renewing = setInterval(() => void charges.renew(payer), timing.holdRenewMs)
  return await act().finally(() => clearInterval(renewing))
}

interface ImageTask {
  readonly prompt: string
  readonly model: string
  /** Credits, at most. */
  readonly price: number
  /** Unix time in milliseconds. */
  readonly begun: number
}

/** @throws AppError with what the provider said, or that it made no image */
async function draw(
  deps: ImageMakerDeps,
  { ownerId, admin, requestId }: Requesting<UserCaller>,
  send: Send,
  { prompt, model, price, begun }: ImageTask,
): Promise<FileMeta> {
  const { client, files } = deps
  const { messageId } = send
  try {
    const body = { generationId: messageId, model, prompt, allowLocked: admin }
    const drawn = await client.call(modelInternalRoutes.image, { body, requestId, timeoutMs: imageMs })
    const bytes = Buffer.from(drawn.data, 'base64')
    const credits = Math.min(price, drawn.creditsPerMessage)
    const made = { model: drawn.model, credits }
    return await files.addMade(ownerId, messageId, bytes, made, madeEvent(deps, send, made, begun))
  } catch (error) {
    if (!isAppError(error)) throw error
    // A result that is not an image is the provider's fault, not the caller's.
    const isNoImage = error.code === 'unsupported_media'
    const text = isNoImage ? 'The provider sent no image.' : error.message
    throw new AppError(isNoImage ? 'provider_error' : error.code, `Failed to generate image: ${text}`, {
      headers: { ...error.headers },
      cause: error,
    })
  }
}

/** The end of an image, stored with it: should this process die before it has told billing, the event settles the hold. */
function madeEvent({ newId, now }: ImageMakerDeps, send: Send, made: FileMeta['made'] & {}, begun: number): Event {
  const { messageId: id, ownerId: userId, chatId } = send
  const data = {
    generationId: id,
    chatId: chatId === '' ? null : chatId,
    userId,
    model: made.model,
    outcome: 'complete' as const,
    charge: made.credits,
    usage: { inputTokens: 0, outputTokens: 0, estimated: false },
    source: 'image' as const,
    responseMs: Math.max(0, now().getTime() - begun),
  }
  return eventOf('chat.generation-finished', id, data, { id: newId(), at: now() })
}

/** Puts what was made where it belongs and settles it. Can be done any number of times. */
async function deliver(
  deps: ImageMakerDeps,
  request: ImageRequest,
  send: Send,
  { image, remaining = 0, durationMs = 0 }: Drawn,
): Promise<ImageAnswer> {
  const { credits = 0, model = '' } = image.made ?? {}
  const ending = plainEnding({ credits: { charged: credits, remaining }, durationMs })
  const messages = send.chatId !== '' ? await putIntoChat(deps, { request, send, image, ending }) : undefined
  const settled = await deps.charges.settle({ id: send.messageId, ownerId: send.ownerId, guest: null }, '', ending, {
    ended: { source: 'image', outcome: 'complete', model, responseMs: durationMs },
  })
  return { imageUrl: fileUrl(image.id), model, creditsCharged: settled.charged, ...messages }
}
