import { lazy, type ReactNode, Suspense } from 'react'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { type ChatFacts, factsOf } from './chat-facts.ts'
import type { ChatSession } from './thread/chat-session.ts'
import type { Overlay, PageCommands } from './use-page-commands.ts'

const ShortcutSheet = lazy(async () => ({
  default: (await import('./keyboard/shortcut-sheet.tsx')).ShortcutSheet,
}))

/** What other features show over the page. */
export interface OverlaySlots {
  /** Finds chats, commands, models and settings. */
  readonly palette: (close: () => void, commands: PageCommands) => ReactNode
  /** Tells about the shown chat. */
  readonly info: (close: () => void, facts: ChatFacts) => ReactNode
}

interface Props extends OverlaySlots {
  readonly overlay: Overlay
  readonly session: ChatSession
  readonly commands: PageCommands
  readonly close: () => void
}

/** What stands over the page when it was asked for; its code comes then. */
export function ChatOverlays({ overlay, session, commands, close, palette, info }: Props) {
  if (overlay === null) return null
  return (
    <Suspense>
      {overlay === 'palette' && palette(close, commands)}
      {overlay === 'info' && <ShownFacts session={session} draw={(facts) => info(close, facts)} />}
      {overlay === 'keys' && <ShortcutSheet open onClose={close} />}
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
