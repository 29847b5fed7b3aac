import { type RefObject, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { toggleSidebar } from '../../../shared/frame/index.ts'
import { type ShortcutName, useShortcuts } from '../../../shared/keyboard/index.ts'
import type { ChatPaths } from '../chat-paths.ts'
import type { ComposerHandle } from '../composer/composer.tsx'
import type { MemorySlot } from '../memory-slot.ts'
import type { ChatSession } from '../thread/session/chat-session.ts'
import { printThread } from '../thread/view/print-thread.ts'
import { copyLast, exportShown } from './chat-commands.ts'

export type Overlay = 'palette' | 'info' | 'share' | 'keys' | null

/** A command on the open chat; returns false if there was nothing to do. */
export type PageCommand = () => boolean

/** The shortcuts of a chat's page; those that change the list belong to the list. */
type PageShortcut = Exclude<ShortcutName, 'deleteChat'>

/** The commands available in the palette. */
export type PageCommands = Readonly<
  Record<PageShortcut | 'info' | 'memory' | 'share' | 'export' | 'print', PageCommand>
>

/** The page's commands, bound to their keys, and the overlay they opened. */
export function usePageCommands(
  session: ChatSession,
  composer: RefObject<ComposerHandle | null>,
  paths: ChatPaths,
  memory: MemorySlot,
): { commands: PageCommands; overlay: Overlay; show: (overlay: Overlay) => void } {
  const navigate = useNavigate()
  const shown = useRef(session)
  shown.current = session
  const [overlay, show] = useState<Overlay>(null)
  const always = (act: () => unknown): PageCommand => {
    return () => {
      act()
      return true
    }
  }
  const shortcuts: Readonly<Record<PageShortcut, PageCommand>> = {
    newChat: always(() => navigate(paths.newChat)),
    palette: always(() => show('palette')),
    sheet: always(() => show('keys')),
    toggleSidebar: always(toggleSidebar),
    focusComposer: always(() => composer.current?.focus()),
    copyAnswer: () => copyLast(session, 'answer'),
    copyCode: () => copyLast(session, 'code'),
    stop: () => {
      const running = session.store.getState().live !== null
      session.stop()
      return running
    },
  }
  useShortcuts(shortcuts)
  const commands = {
    ...shortcuts,
    info: always(() => show('info')),
    memory: always(memory.open),
    share: always(() => show('share')),
    export: always(() => exportShown(session, 'md')),
    print: always(() => printThread(session, () => shown.current === session)),
  }
  return { commands, overlay, show }
}
