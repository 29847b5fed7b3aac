import type { SendBody } from '@parley/contracts'
import {
  beginContinue,
  beginEdit,
  beginRegenerate,
  beginResume,
  beginSend,
  dropFrom,
  type Sending,
} from '../state/begin-answer.ts'
import type { ThreadMessage } from '../state/thread-message.ts'
import { isDuplicate, type SentText } from './duplicate-guard.ts'
import { guestHistory } from './guest-history.ts'
import { modeFlags, type SendOptions, type SendResult, type SessionCore } from './session-core.ts'
import type { createImages } from './session-image.ts'

interface Outgoing extends Omit<SendOptions, 'force'> {
  readonly text: string
  readonly model: string
  readonly clientMessageId: string
  readonly force: boolean
  /** The message of which this is another version. */
  readonly editId?: string | undefined
}

/** Sends messages and requests other versions of them; failed image requests are retried by `images`. */
export function createSending(core: SessionCore, images: ReturnType<typeof createImages>) {
  const { deps, store, change } = core
  let sent: readonly SentText[] = []
  /** The messages that failed edits were to replace, by the id of the edit. */
  const edits = new Map<string, string>()
  /** The chats that messages were first sent to, null for a new one, by message id. */
  const firstChats = new Map<string, string | null>()
  /** A text that was returned to the composer does not count as repeated. */
  const stands = (text: string) =>
    store.getState().messages.some(({ role, content }) => role === 'user' && content === text)
  const rowOf = (key: string) => store.getState().messages.find((message) => message.key === key)

  const post = (outgoing: Outgoing) => {
    const { text, model, clientMessageId, force, editId, attachments = [], modes = [] } = outgoing
    if (editId === undefined) core.toEnd()
    const { messages, chatId } = store.getState()
    const sending = { ...outgoing, userKey: deps.createId(), answerKey: deps.createId(), at: deps.now() }
    sent = [...sent.slice(-20), { text, at: sending.at }]
    change((state) => begin(state, sending))
    const body: SendBody = { message: text, model, clientMessageId, force, ...modeFlags(modes) }
    if (attachments.length > 0) body.attachments = attachments.map(({ id, name, detail }) => ({ id, name, detail }))
    if (editId !== undefined) body.editMessageId = editId
    if (deps.isGuest()) body.messages = guestHistory(messages)
    else {
      // The server refuses an id repeated with another body, and its message may have created the chat meanwhile.
      const firstChat = firstChats.get(clientMessageId) ?? (firstChats.has(clientMessageId) ? null : chatId)
      firstChats.set(clientMessageId, firstChat)
      if (firstChat !== null) body.chatId = firstChat
    }
    if (editId !== undefined) edits.set(clientMessageId, editId)
    core.follow({ type: 'send', body })
  }

  const resend = (key: string, model = deps.model()) => {
    const message = rowOf(key)
    if (!message || model === null || store.getState().live) return
    const { attachments, modes, content: text } = message
    const editId = message.clientMessageId === null ? undefined : edits.get(message.clientMessageId)
    change((current) => dropFrom(current, key))
    if (images.remake(message)) return
    post({
      text,
      model,
      attachments,
      modes,
      editId,
      clientMessageId: resentId(message, model, deps.createId),
      force: true,
    })
  }

  const regenerate = (key: string, model = deps.model()) => {
    const { chatId, live, messages } = store.getState()
    const row = rowOf(key)
    if (live || model === null || row?.role !== 'assistant') return
    const question = messages[messages.indexOf(row) - 1]
    if (row.id === null || chatId === null || deps.isGuest()) {
      if (question?.role === 'user') resend(question.key, model)
    } else if (isImage(row) && question?.role === 'user') images.makeVersion(row, question.content, model)
    else {
      change((state) => beginRegenerate(state, { key, answerKey: deps.createId(), model, at: deps.now() }))
      const body: SendBody = { model, chatId, regenerateMessageId: row.id, clientMessageId: deps.createId() }
      core.follow({ type: 'send', body })
    }
  }

  const continueAnswer = (key: string, model = deps.model()) => {
    const { chatId, live, messages, hasNewer } = store.getState()
    const row = messages.at(-1)
    // Only the end of the thread can be continued.
    if (live || model === null || hasNewer || row?.key !== key || row.role !== 'assistant' || row.id === null) return
    const body: SendBody = { model, continueMessageId: row.id, clientMessageId: deps.createId() }
    if (deps.isGuest()) body.messages = guestHistory(messages)
    else if (chatId !== null) body.chatId = chatId
    change((state) => beginContinue(state, model, deps.now()))
    core.follow({ type: 'send', body })
  }

  return {
    resend,
    regenerate,
    continueAnswer,
    send: (text: string, { force = false, ...options }: SendOptions = {}): SendResult => {
      const model = deps.model()
      if (text.trim() === '') return 'blank'
      if (model === null || store.getState().live) return 'busy'
      if (!force && stands(text) && isDuplicate(sent, text, deps.now())) return 'duplicate'
      post({ text, model, clientMessageId: deps.createId(), force, ...options })
      return 'sent'
    },
    edit: (key: string, text: string): SendResult => {
      const model = deps.model()
      const row = rowOf(key)
      if (text.trim() === '') return 'blank'
      if (model === null || store.getState().live || row?.role !== 'user' || row.id === null) return 'busy'
      const { attachments, modes, id: editId } = row
      post({ text, model, attachments, modes, editId, clientMessageId: deps.createId(), force: true })
      return 'sent'
    },
    retry: () => {
      const { messages, live, hasNewer } = store.getState()
      const answer = messages.at(-1)
      if (live || hasNewer || answer?.role !== 'assistant') return
      if (answer.id === null || answer.failure?.code !== 'lost') return regenerate(answer.key)
      const messageId = answer.id
      change((state) => beginResume(state, messageId, deps.now()))
      core.follow({ type: 'resume', streamId: messageId, after: 0 })
    },
  }
}

function begin(state: Parameters<typeof beginSend>[0], sending: Sending & { readonly editId?: string | undefined }) {
  const edited = state.messages.find(({ id }) => id !== null && id === sending.editId)
  return edited ? beginEdit(state, edited.key, sending) : beginSend(state, sending)
}

/** The server refuses an id repeated with another body, which includes the model. */
function resentId(message: ThreadMessage, model: string, createId: () => string): string {
  const sameBody = message.state === 'failed' && message.model === model
  return (sameBody ? message.clientMessageId : null) ?? createId()
}

const isImage = ({ state, content, attachments }: ThreadMessage): boolean =>
  state === 'complete' && content === '' && attachments.length > 0
