import { withVersion } from '../state/answer-steps.ts'
import { beginRegenerate, beginSend } from '../state/begin-answer.ts'
import { endAnswer } from '../state/end-answer.ts'
import { failureOfImage, refusalOf } from '../state/failure.ts'
import type { ThreadMessage } from '../state/thread-message.ts'
import type { ThreadState } from '../state/thread-state.ts'
import type { MadeImage, SendResult, SessionCore } from './session-core.ts'

interface Making {
  readonly prompt: string
  /** The selected text model, with which a new chat is created. */
  readonly model: string
  /** The installation's default if omitted. */
  readonly imageModel: string | undefined
  readonly clientMessageId: string
  /** The image of which it becomes another version, in its row. */
  readonly replaces?: { readonly key: string; readonly id: string }
}

/** Image generation in a chat; a chat without an id is created first. */
export function createImages(core: SessionCore) {
  const { deps, store, change } = core
  let running: AbortController | null = null
  /** Failed requests, by the id of their message or of the image to be replaced. */
  const failed = new Map<string, Making>()

  async function make(making: Making): Promise<void> {
    if (making.replaces === undefined) core.toEnd()
    change((state) => begin(state, making))
    const own = new AbortController()
    running = own
    try {
      const made = await ask(making, own.signal)
      change((state) => takeImage(state, made))
      failed.delete(keyOf(making))
      core.ended({ type: 'done' })
      await core.reload()
      const { chatId, messages } = store.getState()
      if (chatId !== null) await deps.images.save(chatId, messages, making.model)
    } catch (error) {
      failed.set(keyOf(making), making)
      change((state) => failImage(state, error, deps.now()))
      core.ended({ type: 'interrupted', reason: 'failed' })
    }
  }

  function begin(state: ThreadState, { prompt: text, imageModel, clientMessageId, replaces }: Making): ThreadState {
    const userKey = deps.createId()
    const row = { answerKey: deps.createId(), model: imageModel ?? null, at: deps.now(), source: 'image' } as const
    if (replaces) return beginRegenerate(state, { ...row, key: replaces.key })
    return beginSend(state, { ...row, userKey, text, clientMessageId })
  }

  async function ask(making: Making, signal: AbortSignal): Promise<MadeImage> {
    const { prompt, model, imageModel, clientMessageId, replaces } = making
    const chatId = store.getState().chatId ?? (await beginChat(prompt, model))
    const body = {
      ...{ prompt, chatId, clientMessageId },
      ...(imageModel !== undefined && { model: imageModel }),
      ...(replaces && { regenerateMessageId: replaces.id }),
    }
    return deps.images.make(body, signal)
  }

  async function beginChat(prompt: string, model: string): Promise<string> {
    const chatId = await deps.images.createChat(prompt, model)
    change((state) => ({ ...state, chatId }))
    core.created(chatId)
    return chatId
  }

  return {
    makeImage: (prompt: string, imageModel?: string): SendResult => {
      const model = deps.model()
      if (prompt.trim() === '') return 'blank'
      if (model === null || store.getState().live || deps.isGuest()) return 'busy'
      void make({ prompt, model, imageModel, clientMessageId: deps.createId() })
      return 'sent'
    },
    /** Retries a failed request under the same id; returns false when the message was not an image request. */
    remake: ({ clientMessageId }: ThreadMessage): boolean => {
      const making = clientMessageId === null ? undefined : failed.get(clientMessageId)
      if (making) void make(making)
      return making !== undefined
    },
    /** Generates another version of an image in its row, with the same model; a failed one is retried under the same id. */
    makeVersion: ({ key, id, model: imageModel, failure }: ThreadMessage, prompt: string, model: string): void => {
      if (id === null) return
      const making = { prompt, model, imageModel: imageModel ?? undefined, clientMessageId: deps.createId() }
      // Without a visible failure the server has resent its state, which may include the version that seemed to have failed.
      void make({ ...making, ...(failure && failed.get(id)), replaces: { key, id } })
    },
    stopImage: () => running?.abort(),
  }
}

const keyOf = ({ replaces, clientMessageId }: Making): string => replaces?.id ?? clientMessageId

function takeImage(state: ThreadState, made: MadeImage): ThreadState {
  const { live, replaced } = state
  if (!live) return state
  if (made.imageUrl === '') throw new Error('No image URL')
  const at = state.messages.findIndex(({ key }) => key === live.key)
  const { imageUrl: url, model, creditsCharged: credits } = made
  const id = url.split('/').at(-1) ?? ''
  const image = { id, url, type: 'image', mimeType: 'image/png', name: '', size: 0, detail: 'auto' } as const
  const messages = state.messages.map((row, index): ThreadMessage => {
    if (index === at - 1) return { ...row, id: made.userMessageId ?? row.id, state: 'sent' }
    if (index !== at) return row
    const id = made.messageId ?? null
    const versions = withVersion(replaced, 'answer', id)
    return { ...row, id, model, credits, versions, state: 'complete', attachments: [image] }
  })
  // Nothing follows a new version.
  return { ...state, live: null, replaced: null, hasNewer: state.hasNewer && replaced === null, messages }
}

function failImage(state: ThreadState, error: unknown, at: number): ThreadState {
  const { live, replaced } = state
  if (!live) return state
  const refused = endAnswer(state, { type: 'refused', failure: refusalOf(error) }, at)
  if (refused.blocked) return refused
  const failure = failureOfImage(error)
  const key = replaced?.messages[0]?.key ?? live.key
  return {
    ...refused,
    messages: refused.messages.map((row) => (row.key === key ? { ...row, failure } : row)),
  }
}
