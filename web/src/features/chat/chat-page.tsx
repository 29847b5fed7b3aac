import { Info } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { useStore } from 'zustand'
import { messageOf } from '../../shared/api/index.ts'
import { FrameHeader } from '../../shared/frame/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { createHighlighter } from '../../shared/markdown/highlight.ts'
import { HighlighterContext } from '../../shared/markdown/highlighter-context.ts'
import { privatePrefix, useSession } from '../../shared/session/index.ts'
import { IconButton, notify } from '../../shared/ui/index.ts'
import { ChatBody } from './chat-body.tsx'
import { exportShown } from './chat-commands.ts'
import { ChatDock } from './chat-dock.tsx'
import type { ChatModels } from './chat-models.ts'
import { ChatOverlays, type OverlaySlots } from './chat-overlays.tsx'
import type { ChatPaths } from './chat-paths.ts'
import { ChatTitle } from './chat-title.tsx'
import type { ComposerHandle } from './composer/composer.tsx'
import { createComposerDrafts } from './composer/composer-drafts.ts'
import type { ChatSession } from './thread/chat-session.ts'
import { editLast } from './thread/edit-last.ts'
import { useActions } from './use-actions.ts'
import { useChatSessions } from './use-chat-sessions.ts'
import { useLiveChat } from './use-live-chat.ts'
import { usePageCommands } from './use-page-commands.ts'
import { usePrintRequest } from './use-print-request.ts'
import { useSearchJump } from './use-search-jump.ts'
import { useOpenSession, useOtherTabs, useReconnect, useRenewal } from './use-shown-chat.ts'
import { useThreadView } from './use-thread-view.ts'

interface Props extends OverlaySlots {
  /** The chat in the address; null for a new one. */
  readonly chatId: string | null
  readonly models: ChatModels
  readonly modelsLoading: boolean
  readonly modelPicker: ReactNode
  /** Shown in the composer: what is left to spend, with the price of what is about to be sent. */
  readonly meter: (price: number | null) => ReactNode
  /** Shown when a message was refused for want of credits. */
  readonly noCredits: ReactNode
  readonly paths: ChatPaths
}

/** A conversation: header line, thread and composer. Stays mounted while the address goes from one chat to another. */
export function ChatPage(props: Props) {
  const { chatId, models, modelsLoading, modelPicker, meter, noCredits, paths } = props
  const model = models.model?.id ?? null
  const { t } = useText()
  const navigate = useNavigate()
  const guest = useSession((state) => state.token === null)
  const composer = useRef<ComposerHandle>(null)
  const [announcement, announce] = useState('')
  const [drafts] = useState(() => createComposerDrafts(localStorage, privatePrefix))
  const [highlighter] = useState(createHighlighter)
  const shown = useRef<ChatSession | null>(null)
  const sessions = useChatSessions({
    created: (session, id) => {
      drafts.adopt(id)
      if (shown.current === session) navigate(paths.chat(id), { replace: true })
    },
    started: () => announce(t('chat.thread.answerStarted')),
    ended: (end) => announce(t(end.type === 'done' ? 'chat.thread.answerDone' : 'chat.thread.answerFailed')),
    stopFailed: () => notify.error(t('chat.failure.stop')),
    actionFailed: (action, error) => notify.error(messageOf(error, t(`live.failure.${action}`))),
  })
  useRenewal(chatId, sessions.renew)
  const session = sessions.get(chatId)
  shown.current = session
  useSearchJump(session)
  useOpenSession(session)
  useOtherTabs(session)
  useLiveChat(session, (deleted) => {
    sessions.forget(deleted)
    navigate(paths.newChat, { replace: true })
    notify.info(t('live.chatDeleted'), { id: `gone:${deleted}` })
  })
  const actions = useActions(session, model, t('live.continue'))
  useReconnect(session, actions.retry)
  usePrintRequest(session)
  const isEmpty = useStore(session.store, (state) => state.messages.length === 0)
  const threadView = useThreadView(chatId !== null || !isEmpty)
  const { commands, overlay, show } = usePageCommands(session, composer, paths)
  return (
    <HighlighterContext value={highlighter}>
      <FrameHeader>
        <div className="flex min-w-0 flex-1">{modelPicker}</div>
        <ChatTitle session={session} />
        <div className="flex justify-end lg:flex-1">
          <IconButton label={t('info.open')} aria-haspopup="dialog" onClick={commands.info}>
            <Info aria-hidden="true" className="size-4.5" strokeWidth={1.6} />
          </IconButton>
        </div>
      </FrameHeader>
      <ChatBody
        key={session.key}
        threadView={threadView}
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
        models={models}
        gate={model !== null ? 'open' : modelsLoading ? 'waiting' : 'closed'}
        meter={meter}
        noCredits={noCredits}
        paths={paths}
        onExport={(format) => void exportShown(session, format, t)}
        onHelp={commands.sheet}
        onEditLast={() => editLast(session)}
      />
      <ChatOverlays
        overlay={overlay}
        session={session}
        commands={commands}
        close={() => show(null)}
        palette={props.palette}
        info={props.info}
      />
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </HighlighterContext>
  )
}
