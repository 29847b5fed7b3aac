import { type ReactNode, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { FrameHeader } from '../../shared/frame/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { privatePrefix, useSession } from '../../shared/session/index.ts'
import { notify } from '../../shared/ui/index.ts'
import { ChatBody } from './chat-body.tsx'
import { ChatDock } from './chat-dock.tsx'
import type { ChatPaths } from './chat-paths.ts'
import { ChatTitle } from './chat-title.tsx'
import type { ComposerHandle } from './composer/composer.tsx'
import { createDraftStore, newChatDraft } from './composer/draft-store.ts'
import { useShortcuts } from './keyboard/shortcuts.ts'
import { createHighlighter } from './markdown/highlight.ts'
import { HighlighterContext } from './markdown/highlighter-context.ts'
import type { ChatSession } from './thread/chat-session.ts'
import { useActions } from './use-actions.ts'
import { useChatSessions } from './use-chat-sessions.ts'
import { useOpenSession, useOtherTabs, useReconnect, useRenewal } from './use-shown-chat.ts'

interface Props {
  /** The chat in the address; null for a new one. */
  readonly chatId: string | null
  /** The id of the model that answers; null when none can, or while it is not known. */
  readonly model: string | null
  readonly modelsLoading: boolean
  readonly modelPicker: ReactNode
  /** Shown in the composer: what is left to spend. */
  readonly meter: ReactNode
  /** Shown when a message was refused for want of credits. */
  readonly noCredits: ReactNode
  readonly paths: ChatPaths
}

/** A conversation: header line, thread and composer. Stays mounted while the address goes from one chat to another. */
export function ChatPage({ chatId, model, modelsLoading, modelPicker, meter, noCredits, paths }: Props) {
  const { t } = useText()
  const navigate = useNavigate()
  const guest = useSession((state) => state.token === null)
  const composer = useRef<ComposerHandle>(null)
  const [announcement, announce] = useState('')
  const [drafts] = useState(() => createDraftStore(localStorage, `${privatePrefix}draft:`))
  const [highlighter] = useState(createHighlighter)
  const shown = useRef<ChatSession | null>(null)
  const sessions = useChatSessions({
    created: (session, id) => {
      // What was typed meanwhile belongs to the chat that now has an id.
      drafts.write(id, drafts.read(newChatDraft))
      drafts.write(newChatDraft, '')
      if (shown.current === session) navigate(paths.chat(id), { replace: true })
    },
    started: () => announce(t('chat.thread.answerStarted')),
    ended: (end) => announce(t(end.type === 'done' ? 'chat.thread.answerDone' : 'chat.thread.answerFailed')),
    stopFailed: () => notify.error(t('chat.failure.stop')),
  })
  useRenewal(chatId, sessions.renew)
  const session = sessions.get(chatId)
  shown.current = session
  useOpenSession(session)
  useOtherTabs(session)
  const actions = useActions(session, model)
  useReconnect(session, actions.retry)
  useShortcuts({
    newChat: () => {
      void navigate(paths.newChat)
      return true
    },
    focusComposer: () => {
      composer.current?.focus()
      return true
    },
    stop: () => {
      const running = session.store.getState().live !== null
      session.stop()
      return running
    },
  })
  return (
    <HighlighterContext value={highlighter}>
      <FrameHeader>
        <div className="flex min-w-0 flex-1">{modelPicker}</div>
        <ChatTitle session={session} />
        <div className="hidden flex-1 lg:block" />
      </FrameHeader>
      <ChatBody
        key={session.key}
        session={session}
        guest={guest}
        actions={actions}
        onStart={(text) => composer.current?.insert(text)}
      />
      <ChatDock
        composer={composer}
        session={session}
        drafts={drafts}
        actions={actions}
        gate={model !== null ? 'open' : modelsLoading ? 'waiting' : 'closed'}
        meter={meter}
        noCredits={noCredits}
        paths={paths}
      />
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </HighlighterContext>
  )
}
