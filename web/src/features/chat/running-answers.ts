import { setRunning } from '../../shared/chats/index.ts'
import type { Live } from '../../shared/live/live.ts'
import type { ChatSession } from './thread/session/chat-session.ts'

/** Tells the list whether an answer of this session is running. */
export function noteRunning({ store }: ChatSession): void {
  store.subscribe(({ chatId, live }) => {
    if (chatId !== null) setRunning(chatId, 'reader', live !== null)
  })
}

/**
 * Keeps telling the list after the session stopped reading, until the socket reports the end of the answer, or its message alone where its events
 * were lost. @param messageId null while it is unknown
 */
export function noteLeft(live: Pick<Live, 'isLive' | 'join' | 'on'>, chatId: string, messageId: string | null): void {
  if (!live.isLive()) return
  setRunning(chatId, 'socket', true)
  const ends = [
    live.on('stream:done', (done) => done.chatId === chatId && end()),
    live.on('msg:append', ({ message: { id, status } }) => id === messageId && status !== 'generating' && end()),
    live.on('chat:init', (init) => init.chatId === chatId && !init.generating && end()),
    live.join(chatId),
  ]
  const end = () => {
    setRunning(chatId, 'socket', false)
    for (const stop of ends) stop()
  }
}
