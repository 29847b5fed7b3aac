import { type ReactNode, Suspense } from 'react'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
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
  /** Shows information about the open chat. */
  readonly info: (close: () => void, facts: ChatFacts) => ReactNode
  /** Shares a saved chat. */
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
  if (overlay === null) return null
  return (
    <Suspense>
      {overlay === 'palette' && palette(close, commands)}
      {overlay === 'info' && (
        <LaterTexts part="panels">
          <ShownFacts session={session} draw={(facts) => info(close, facts)} />
        </LaterTexts>
      )}
      {overlay === 'share' && (
        <LaterTexts part="panels">
          <SharedChat session={session} draw={(chatId) => share(close, chatId)} />
        </LaterTexts>
      )}
      {overlay === 'keys' && (
        <LaterTexts part="panels">
          <ShortcutSheet onClose={close} />
        </LaterTexts>
      )}
    </Suspense>
  )
}

function ShownFacts({ session, draw }: { session: ChatSession; draw: (facts: ChatFacts) => ReactNode }) {
  const [chatId, messages] = useStore(
    session.store,
    useShallow((state) => [state.chatId, state.messages] as const),
  )
  return draw(factsOf(chatId, messages))
}

function SharedChat({ session, draw }: { session: ChatSession; draw: (chatId: string) => ReactNode }) {
  const chatId = useStore(session.store, (state) => state.chatId)
  return chatId === null ? null : draw(chatId)
}
