import { type ReactNode, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { useStore } from 'zustand'
import { messageOf } from '../../../shared/api/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { useSession } from '../../../shared/session/index.ts'
import { notify } from '../../../shared/ui/index.ts'
import type { ChatModels } from '../chat-models.ts'
import type { ChatPaths } from '../chat-paths.ts'
import type { ComposerHandle } from '../composer/composer.tsx'
import { keptDrafts } from '../composer/kept-drafts.ts'
import { MemoryContext, type MemorySlot } from '../memory-slot.ts'
import type { ChatSession } from '../thread/session/chat-session.ts'
import { printThread } from '../thread/view/print-thread.ts'
import { useChatSessions } from '../use-chat-sessions.ts'
import { ChatBody } from './chat-body.tsx'
import { ChatDock, type CreditSlots } from './chat-dock.tsx'
import { ChatHeader } from './chat-header.tsx'
import { ChatLayout } from './chat-layout.tsx'
import { ChatOverlays, type OverlaySlots } from './chat-overlays.tsx'
import { ExamplePrompts } from './empty-chat.tsx'
import { useLiveChat } from './use-live-chat.ts'
import { usePageCommands } from './use-page-commands.ts'
import { usePageRequest } from './use-page-request.ts'
import { useSearchJump } from './use-search-jump.ts'
import { useOpenSession, useOtherTabs, useReconnect, useRenewal, useUnsentSaved } from './use-session-effects.ts'
import { useThreadView } from './use-thread-view.ts'

interface Props extends OverlaySlots, CreditSlots {
  /** The chat in the URL; null for a new one. */
  readonly chatId: string | null
  readonly models: ChatModels
  readonly modelsLoading: boolean
  readonly modelPicker: ReactNode
  readonly paths: ChatPaths
  readonly memory: MemorySlot
}

/** A conversation: header line, thread and composer. Stays mounted when the URL changes to another chat. */
export function ChatPage(props: Props) {
  const { chatId, models, modelsLoading, modelPicker, meter, noCredits, creditWarning, paths, memory } = props
  const model = models.text.model?.id ?? null
  const { t } = useText()
  const navigate = useNavigate()
  const guest = useSession((state) => state.token === null)
  const composer = useRef<ComposerHandle>(null)
  const [announcement, announce] = useState('')
  const [drafts] = useState(keptDrafts)
  const shown = useRef<ChatSession | null>(null)
  const sessions = useChatSessions({
    model,
    created: (session, id) => {
      // A draft written after leaving it belongs to another new chat.
      if (shown.current !== session) return
      drafts.adopt(id)
      navigate(paths.chat(id), { replace: true })
    },
    started: () => announce(t('chat.thread.answerStarted')),
    ended: (end, session) => {
      announce(t(end.type === 'done' ? 'chat.thread.answerDone' : 'chat.thread.answerFailed'))
      const { chatId: id, returned } = session.store.getState()
      // Only the composer of the chat that is shown takes it back itself.
      if (returned && shown.current !== session) drafts.giveBack(id, returned)
    },
    stopFailed: () => notify.error((now) => now('chat.failure.stop')),
    actionFailed: (action, error) => notify.error((now) => messageOf(error, now(`live.failure.${action}`))),
  })
  useRenewal(chatId, sessions.renew)
  const session = sessions.get(chatId)
  shown.current = session
  useSearchJump(session)
  useOpenSession(session)
  useOtherTabs(session)
  useUnsentSaved(session, sessions, drafts)
  useLiveChat(session, (deleted) => {
    sessions.forget(deleted)
    drafts.rescue(deleted)
    navigate(paths.newChat, { replace: true })
    notify.info((now) => now('live.chatDeleted'), { id: `gone:${deleted}` })
  })
  useReconnect(session)
  usePageRequest('print', () => void printThread(session, () => shown.current === session))
  const isEmpty = useStore(session.store, (state) => state.messages.length === 0)
  const isMissing = useStore(session.store, (state) => state.loading === 'missing')
  const isLoading = useStore(session.store, (state) => state.loading !== 'none')
  const threadView = useThreadView(chatId !== null || !isEmpty)
  const { commands, overlay, show } = usePageCommands(session, composer, paths, memory)
  usePageRequest('share', () => show('share'))
  return (
    <>
      <ChatHeader
        session={session}
        modelPicker={modelPicker}
        commands={commands}
        shareable={chatId !== null && !guest}
      />
      <ChatLayout
        empty={isEmpty && !isLoading}
        examples={<ExamplePrompts onStart={(text) => composer.current?.insert(text)} />}
      >
        <MemoryContext value={memory}>
          <ChatBody
            key={session.key}
            threadView={threadView}
            session={session}
            guest={guest}
            newChat={paths.newChat}
            onQuote={(text) => composer.current?.quote(text)}
            onSuggestion={(text) => composer.current?.insert(text)}
          />
        </MemoryContext>
        {!isMissing && (
          <ChatDock
            composer={composer}
            session={session}
            drafts={drafts}
            models={models}
            gate={model !== null ? 'open' : modelsLoading ? 'waiting' : 'closed'}
            meter={meter}
            noCredits={noCredits}
            creditWarning={creditWarning}
            paths={paths}
            onMemory={memory.run}
            onHelp={commands.sheet}
          />
        )}
      </ChatLayout>
      <ChatOverlays
        overlay={overlay}
        session={session}
        commands={commands}
        close={() => show(null)}
        palette={props.palette}
        info={props.info}
        share={props.share}
      />
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </>
  )
}
