import { PanelLeft, Plus } from 'lucide-react'
import { type ReactNode, Suspense, useRef } from 'react'
import { closeDrawer, toggleSidebar } from '../../shared/frame/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { ariaKeys, keyLabels, useShortcutKeys } from '../../shared/keyboard/index.ts'
import { lazyPart, useFirstScreen } from '../../shared/lazy/index.ts'
import { useSession } from '../../shared/session/index.ts'
import { IconButton, Link } from '../../shared/ui/index.ts'
import { GuestHint } from './guest-hint.tsx'

/** Guests have none; loaded once a message can be written. */
const SavedChats = lazyPart(async () => (await import('./saved-chats.tsx')).SavedChats)

const ShownChatKeys = lazyPart(async () => (await import('./shown-chat-keys.ts')).ShownChatKeys)

/** The shortcuts for the open chat `chatId`, which work without the sidebar. */
export function HistoryKeys({ chatId }: { chatId: string | null }) {
  const signedIn = useSession((state) => state.token !== null)
  const isReady = useFirstScreen()
  return <Suspense>{signedIn && isReady && chatId !== null && <ShownChatKeys chatId={chatId} />}</Suspense>
}

/** The sidebar's upper part: logo, new chat, and the chats; guests, who have none, see the benefits of signing in. */
export function HistorySidebar({ brand, chatId }: { brand: ReactNode; chatId: string | null }) {
  const { t, locale } = useText()
  const root = useRef<HTMLDivElement>(null)
  const signedIn = useSession((state) => state.token !== null)
  const isReady = useFirstScreen()
  const newChat = useShortcutKeys((keys) => keys.newChat)
  return (
    <div ref={root} className="flex min-h-0 flex-1 flex-col">
      <div className="flex h-13 shrink-0 items-center justify-between ps-4.5 pe-2">
        {brand}
        <IconButton label={t('shared.frame.closeSidebar')} onClick={toggleSidebar} data-toggle>
          <PanelLeft className="size-4.5 rtl:-scale-x-100" />
        </IconButton>
      </div>
      <div className="px-2.5 pb-1.5">
        <Link
          to="/"
          data-new-chat
          aria-keyshortcuts={ariaKeys(newChat, navigator.platform)}
          onClick={closeDrawer}
          className="target flex h-9.5 items-center gap-2.5 rounded-card border border-line bg-hover px-2.5 font-[500] hover:bg-active"
        >
          <Plus className="size-4.5 shrink-0" />
          {/* In languages where both do not fit, the keys wrap into a hidden second line. */}
          <span className="flex h-5 min-w-0 flex-1 flex-wrap items-center justify-between gap-x-2.5 overflow-hidden leading-5">
            <span className="truncate">{t('history.new')}</span>
            <span
              aria-hidden="true"
              className="rounded-md border border-line px-1.5 font-mono text-2xs whitespace-nowrap text-ink-3 pointer-coarse:hidden"
            >
              {keyLabels(newChat, navigator.platform, locale).join(' ')}
            </span>
          </span>
        </Link>
      </div>
      {signedIn ? <Suspense>{isReady && <SavedChats chatId={chatId} root={root} />}</Suspense> : <GuestHint />}
    </div>
  )
}
