import type { AnswerWaiter } from '@parley/cache'
import { type NewId, unavailable } from '@parley/kit'
import type { Common } from '../common.ts'
import type { Files } from '../files/files.ts'
import { refuseOtherBody } from '../refusals.ts'
import type { Send } from '../store/entities.ts'
import type { FileMeta } from '../store/file-store.ts'

export interface ImageClaimsDeps extends Pick<Common, 'stores' | 'waiters' | 'timing' | 'now' | 'newId'> {
  readonly files: Pick<Files, 'findMade'>
}

/** Whether an image is still to be made under the ids of a send, or has been made under them. */
export type ImageClaim =
  | { readonly kind: 'make'; readonly send: Send }
  | { readonly kind: 'made'; readonly send: Send; readonly image: FileMeta }

/** Longer than any image takes, in milliseconds: the replica that began it then is dead. */
const deadAfterMs = 200_000
/** Instead of the id of an attempt that failed, so that the next request attempts it again. */
const failedMark = 'failed-'

/**
 * Decides which request makes an image that was asked for under a key: of all concurrent ones one does, and the others wait for it.
 * @throws AppError conflict or duplicate_message when the key was used for another request
 */
export async function claimImage(deps: ImageClaimsDeps, own: Send): Promise<ImageClaim> {
  const { stores, files, waiters, timing, now, newId } = deps
  const { sends } = stores
  if (own.clientMessageId === null && own.idempotencyKey === null) return { kind: 'make', send: own }
  const latest = now().getTime() + deadAfterMs
  let waiting: AnswerWaiter | undefined
  try {
    for (;;) {
      const { claimed, send } = await sends.claim(own)
      if (claimed) return { kind: 'make', send }
      refuseOtherBody(send, own)
      const image = await files.findMade(send.ownerId, send.messageId)
      if (image !== undefined) return { kind: 'made', send, image }
      const isOpen = send.messageId.startsWith(failedMark) || isDead(send, now())
      const messageId = tryId(newId, now())
      if (isOpen && (await sends.retry(send.id, send.messageId, messageId))) {
        return { kind: 'make', send: { ...send, messageId } }
      }
      if (now().getTime() > latest) throw unavailable()
      if (waiting !== undefined) await waiting.next(timing.lookMs)
      // Once more first: it may have been made before this call listened.
      waiting ??= waiters.listen(send.ownerId, send.id)
    }
  } finally {
    waiting?.end()
  }
}

/** An id for one attempt: unguessable, and it says when the attempt began. */
export const tryId = (newId: NewId, at: Date): string => `${newId()}-${at.getTime().toString(36)}`

/** Lets the next request attempt it again. */
export async function giveBack({ stores, waiters, newId }: ImageClaimsDeps, send: Send): Promise<void> {
  if (send.clientMessageId === null && send.idempotencyKey === null) return
  await stores.sends.retry(send.id, send.messageId, failedMark + newId())
  void waiters.notify(send.ownerId, send.id)
}

const isDead = ({ messageId }: Send, now: Date): boolean => {
  const began = Number.parseInt(messageId.split('-').at(-1) ?? '', 36)
  // Without a time it was no image: then the bodies differ, too.
  return now.getTime() - began > deadAfterMs
}
