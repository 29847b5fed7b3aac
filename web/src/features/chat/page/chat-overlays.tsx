import { type ReactNode, Suspense } from 'react'
import { useStore } from 'zustand'
import { LaterTexts } from '../../../shared/i18n/index.ts'
import { lazyPart } from '../../../shared/lazy/index.ts'
import type { ChatSession } from '../thread/session/chat-session.ts'
import { type ChatFacts, factsOf } from './chat-facts.ts'
import type { Overlay, PageCommands } from './use-page-commands.ts'

const ShortcutSheet = lazyPart(async () => (await import('../keyboard/shortcut-sheet.tsx')).ShortcutSheet)

/** Overlays provided by other features. */
export interface OverlaySlots {
  /** Finds chats, commands, models and settings. */
  readonly palette: (close: () => void, commands: PageCommands) => ReactNode
  readonly info: (close: () => void, facts: ChatFacts) => ReactNode
  readonly share: (close: () => void, chatId: string) => ReactNode
}

interface Props extends OverlaySlots {
  readonly overlay: Overlay
  readonly session: ChatSession
  readonly commands: PageCommands
  readonly close: () => void
}

/** The open overlay; its code loads on demand. */
export function ChatOverlays({ overlay, session, commands, close, palette, info, share }: Props) {
  const chatId = useStore(session.store, (state) => state.chatId)
  const messages = useStore(session.store, (state) => state.messages)
  if (overlay === null) return null
  if (overlay === 'palette') return <Suspense>{palette(close, commands)}</Suspense>
  return (
    <Suspense>
      <LaterTexts part="panels">
        {overlay === 'info' && info(close, factsOf(chatId, messages))}
        {overlay === 'share' && chatId !== null && share(close, chatId)}
        {overlay === 'keys' && <ShortcutSheet onClose={close} />}
      </LaterTexts>
    </Suspense>
  )
}
