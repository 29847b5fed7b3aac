import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { type MessageId, useText } from '../shared/i18n/index.ts'
import { retryImport } from '../shared/lazy/index.ts'
import { discardGuestThread, getSession, hasGuestThread, wantedPath } from '../shared/session/index.ts'
import { LoadingOverlay, notify } from '../shared/ui/index.ts'
import { afterFailure } from './migration-failure.ts'
import { routes } from './routes.ts'

const signInPaths: readonly string[] = [routes.login, routes.register, routes.passwordReset, routes.oauthCallback].map(
  ({ path }) => path,
)
const canMigrate = (): boolean => getSession().token !== null && !getSession().banned && hasGuestThread()

async function migrate(): Promise<string | null> {
  const { migrateGuestChat } = await retryImport(() => import('../features/chat/index.ts'))
  return migrateGuestChat()
}

/** Where somebody is on their way to: behind the screens of signing in that is the place they wanted before. */
const destinationOf = (path: string): string => (signInPaths.includes(path) ? wantedPath() : path)

/**
 * Takes the chat that somebody had as a guest into the account they have just signed in with, and opens it unless they were on their way elsewhere; what
 * is inside waits for the first try, and for no other. Where it fails the tab keeps the chat and says so: it is tried again when asked to or at the next
 * start, and can be discarded where no try would help.
 */
export function GuestChatGate({ children }: { children: ReactNode }) {
  const { t } = useText()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const [waiting, setWaiting] = useState(canMigrate)
  const latest = useRef({ t, navigate, pathname })
  useEffect(() => {
    latest.current = { t, navigate, pathname }
  })
  useEffect(() => {
    if (!canMigrate()) return
    let here = true
    const say = (kind: 'success' | 'error', text: MessageId, label: MessageId, onClick: () => void) => {
      const { t } = latest.current
      const duration = kind === 'error' ? { duration: Number.POSITIVE_INFINITY } : {}
      notify[kind](t(text), { id: 'guest-chat', ...duration, action: { label: t(label), onClick } })
    }
    const open = (chatId: string) => latest.current.navigate(routes.savedChat.getHref(chatId), { replace: true })
    const saved = (chatId: string | null) => {
      if (!here || chatId === null) return
      if (destinationOf(latest.current.pathname) === routes.chat.path) open(chatId)
      else say('success', 'shared.guestChat.saved', 'shared.guestChat.open', () => open(chatId))
    }
    const failed = (error: unknown) => {
      if (!here) return
      if (afterFailure(error) === 'retry') say('error', 'shared.guestChat.failed', 'shared.guestChat.retry', attempt)
      else say('error', 'shared.guestChat.refused', 'shared.guestChat.discard', discardGuestThread)
    }
    const attempt = () =>
      void migrate()
        .then(saved, failed)
        .finally(() => here && setWaiting(false))
    attempt()
    return () => {
      here = false
      // Its button would do nothing for who comes next.
      notify.dismiss('guest-chat')
    }
  }, [])
  return waiting ? <LoadingOverlay /> : children
}
