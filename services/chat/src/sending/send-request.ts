import { createHash } from 'node:crypto'
import {
  type AttachmentInput,
  type ChatMode,
  chatModes,
  guestModelId,
  type ModelInfo,
  type SendBody,
} from '@parley/contracts'
import { AppError, validationFailed } from '@parley/kit'
import type { Caller } from '../callers.ts'
import { estimateTokens } from '../text/estimate-tokens.ts'

/** A user's text with its files and modes; in an edit, undefined leaves the value unchanged. */
interface Accompaniment {
  readonly text: string
  readonly attachments: readonly AttachmentInput[] | undefined
  readonly modes: readonly ChatMode[] | undefined
}

/** A validated send. Regenerating and continuing an answer take the files and modes of its question. */
export type SendRequest =
  | (Accompaniment & { readonly kind: 'message'; readonly chatId: string | undefined })
  | (Accompaniment & { readonly kind: 'edit'; readonly chatId: string; readonly messageId: string })
  | { readonly kind: 'regenerate'; readonly chatId: string; readonly messageId: string }
  /** A guest's answer is in no chat. */
  | { readonly kind: 'continue'; readonly chatId: string | undefined; readonly messageId: string }

/**
 * Parses a body. Parts that a guest may not use are left out.
 * @throws AppError validation_failed for parts that do not go together
 */
export function readSendRequest(body: SendBody, caller: Pick<Caller, 'kind'>): SendRequest {
  const { editMessageId, regenerateMessageId, continueMessageId } = body
  const isGuest = caller.kind === 'guest'
  const chatId = isGuest ? undefined : (body.chatId ?? undefined)
  const extras = isGuest ? { attachments: [], modes: [] } : { attachments: body.attachments, modes: modesOf(body) }
  if (!isGuest) {
    if (editMessageId !== undefined && regenerateMessageId !== undefined) {
      throw refused('regenerateMessageId', 'Either edit a message or regenerate an answer')
    }
    if (continueMessageId !== undefined && (editMessageId ?? regenerateMessageId) !== undefined) {
      throw refused('continueMessageId', 'Either continue an answer or make another version')
    }
    if (regenerateMessageId !== undefined) {
      return { kind: 'regenerate', chatId: chatId ?? needed('chatId'), messageId: regenerateMessageId }
    }
    if (editMessageId !== undefined) {
      return {
        ...{ kind: 'edit', text: filled(body.message), ...extras },
        ...{ chatId: chatId ?? needed('chatId'), messageId: editMessageId },
      }
    }
  }
  if (continueMessageId !== undefined) {
    return {
      kind: 'continue',
      chatId: isGuest ? undefined : (chatId ?? needed('chatId')),
      messageId: continueMessageId,
    }
  }
  return { kind: 'message', text: filled(body.message), ...extras, chatId }
}

function modesOf({
  webSearchEnabled,
  studyModeEnabled,
  financeModeEnabled,
}: SendBody): readonly ChatMode[] | undefined {
  const asked: Readonly<Record<ChatMode, boolean | undefined>> = {
    webSearch: webSearchEnabled,
    study: studyModeEnabled,
    finance: financeModeEnabled,
  }
  const isAsked = Object.values(asked).some((flag) => flag !== undefined)
  return isAsked ? chatModes.filter((mode) => asked[mode] === true) : undefined
}

/** The model that is used: a guest's is fixed. @throws AppError validation_failed when a user names none */
export const modelIdFor = (body: Pick<SendBody, 'model'>, caller: Pick<Caller, 'kind'>): string =>
  caller.kind === 'guest' ? guestModelId : (body.model ?? needed('model'))

/** @throws AppError payload_too_large when a message alone is more than the model can read */
export function refuseTooLong(text: string, model: Pick<ModelInfo, 'contextLength'>): void {
  if (estimateTokens(text.length) < model.contextLength) return
  throw new AppError(
    'payload_too_large',
    'This message is too long for this model. Please shorten it or choose another model.',
  )
}

/** A digest of the request: two sends with the same one are the same. The client's own guards and keys are no part of it. */
export function bodyHash({ force: _force, clientMessageId: _key, attachments, ...asked }: SendBody): string {
  // Files are large: each by its own digest, so that they are not copied once more.
  const files = attachments?.map(({ dataUrl, ...file }) => ({ ...file, bytes: dataUrl && digest(dataUrl) }))
  return digest(JSON.stringify({ ...asked, ...(files && { attachments: files }) }))
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

const refused = (path: string, message: string): AppError => validationFailed([{ path, message }])

function filled(message: string | undefined): string {
  const text = message ?? needed('message')
  if (text.trim() === '') throw refused('message', 'Must not be empty')
  return text
}

function needed(path: string): never {
  throw refused(path, 'Required')
}
