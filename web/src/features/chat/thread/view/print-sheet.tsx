import { createPortal } from 'react-dom'
import { useStore } from 'zustand'
import { useText } from '../../../../shared/i18n/index.ts'
import { SourcesContext } from '../../../../shared/markdown/sources.ts'
import { AnswerText } from '../../../../shared/message/answer-text.tsx'
import { usePrinting } from '../../../../shared/printing.ts'
import type { ChatSession } from '../session/chat-session.ts'
import '../../../../shared/message/printed.css'
import './print.css'
import { type ThreadMessage, withLive } from '../state/thread-message.ts'

/** The whole thread for printing: the screen contains only the part in view, inside a frame. */
export function PrintSheet({ session }: { session: ChatSession }) {
  const printing = usePrinting()
  return printing && createPortal(<Sheet session={session} />, document.body)
}

function Sheet({ session }: { session: ChatSession }) {
  const { t } = useText()
  const { title, messages, live } = useStore(session.store)
  return (
    <main className="print-sheet printed" aria-label={t('thread.print.label')}>
      <h1>{title ?? t('chat.thread.label')}</h1>
      {messages.map((message) => (
        <PrintedMessage key={message.key} message={live?.key === message.key ? withLive(message, live) : message} />
      ))}
    </main>
  )
}

function PrintedMessage({ message }: { message: ThreadMessage }) {
  const { t } = useText()
  return (
    <section>
      <h2>{t(message.role === 'user' ? 'chat.thread.you' : 'chat.thread.answer')}</h2>
      {message.attachments.length > 0 && <p>{message.attachments.map(({ name }) => name).join(', ')}</p>}
      {message.role === 'user' ? (
        <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
          {message.content}
        </p>
      ) : (
        <SourcesContext value={message.webSearch?.results ?? nothing}>
          <AnswerText text={message.content} growing={false} whole />
        </SourcesContext>
      )}
    </section>
  )
}

const nothing = [] as const
