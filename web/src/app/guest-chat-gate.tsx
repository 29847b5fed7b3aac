import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import type { MessageId, Translate } from '../shared/i18n/index.ts'
import { retryImport } from '../shared/lazy/index.ts'
import { discardGuestThread, getSession, hasGuestThread, returnPath } from '../shared/session/index.ts'
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

/** The user's destination: on the sign-in screens, the page they wanted before. */
const destinationOf = (path: string): string => (signInPaths.includes(path) ? returnPath() : path)

/**
 * Migrates a guest's chat to the account that has just signed in, and opens it unless the user is going elsewhere; children
 * wait for the first attempt only. If it fails, the tab keeps the chat and says so: it is retried on request and at the next
 * start, and can be discarded when a retry is pointless.
 */
export function GuestChatGate({ children }: { children: ReactNode }) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const [waiting, setWaiting] = useState(canMigrate)
  const latest = useRef({ navigate, pathname })
  useEffect(() => {
    latest.current = { navigate, pathname }
  })
  useEffect(() => {
    if (!canMigrate()) return
    let here = true
    const say = (kind: 'success' | 'error', text: MessageId, label: MessageId, onClick: () => void) => {
      const duration = kind === 'error' ? { duration: Number.POSITIVE_INFINITY } : {}
      const action = { label: (now: Translate) => now(label), onClick }
      notify[kind]((now) => now(text), { id: 'guest-chat', ...duration, action })
    }
    const open = (chatId: string) => latest.current.navigate(routes.savedChat.getHref(chatId), { replace: true })
    const saved = (chatId: string | null) => {
      if (!here || chatId === null) return
      if (destinationOf(latest.current.pathname) === routes.chat.path) open(chatId)
      else say('success', 'shared.guestChat.saved', 'shared.guestChat.open', () => open(chatId))
    }
    const failed = (error: unknown) => {
      if (!here) return
      if (afterFailure(error) === 'retry') say('error', 'shared.guestChat.failed', 'shared.retry', attempt)
      else say('error', 'shared.guestChat.refused', 'shared.guestChat.discard', discardGuestThread)
    }
    const attempt = () =>
      void migrate()
        .then(saved, failed)
        .finally(() => here && setWaiting(false))
    attempt()
    return () => {
      here = false
      // Its button would be useless to the next user.
      notify.dismiss('guest-chat')
    }
  }, [])
  return waiting ? <LoadingOverlay /> : children
}
