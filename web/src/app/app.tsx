import type { I18n } from '@lingui/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useEffect, useMemo, useState } from 'react'
import { BrowserRouter } from 'react-router-dom'
import { TextProvider } from '../shared/i18n/index.ts'
import { followInstallOffers } from '../shared/install/index.ts'
import { followLocale } from '../shared/language/index.ts'
import { afterFirstScreen, lazyPart } from '../shared/lazy/index.ts'
import { LiveProvider } from '../shared/live/index.ts'
import { PictureViewer } from '../shared/pictures/index.ts'
import { followOtherTabs, useSession } from '../shared/session/index.ts'
import { followAccountTheme } from '../shared/theme/synced-theme.ts'
import { followTheme } from '../shared/theme/theme.ts'
import { ErrorBoundary, Toaster } from '../shared/ui/index.ts'
import { GuestChatGate } from './guest-chat-gate.tsx'
import { followSignOuts } from './left-path.ts'
import { createQueryClient } from './query-client.ts'
import { Router } from './router.tsx'
import { ScreenFocus } from './screen-focus.ts'

const ViewingBar = lazyPart(async () => (await import('../features/viewing/index.ts')).ViewingBar)
const AccountUpdates = lazyPart(async () => (await import('../features/account/index.ts')).AccountUpdates)

/** The whole application. */
export function App({ i18n }: { i18n: I18n }) {
  useEffect(() => followOtherTabs(), [])
  useEffect(() => followTheme(), [])
  useEffect(() => followAccountTheme(), [])
  useEffect(() => followLocale(i18n), [i18n])
  useEffect(() => followInstallOffers(), [])
  useEffect(() => followSignOuts(), [])
  return (
    <TextProvider i18n={i18n}>
      <ErrorBoundary level="app">
        {/* Without transitions a navigation takes effect synchronously, which signing out relies on. */}
        <BrowserRouter useTransitions={false}>
          <Person />
          <ScreenFocus />
        </BrowserRouter>
        <Toaster />
      </ErrorBoundary>
    </TextProvider>
  )
}

/** Whether the account's updates can be rendered: after the first screen, and before the socket connects, whose events they would miss. */
function useAccountUpdatesReady(wanted: boolean): boolean {
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    if (!wanted) return
    const ready = () => setReady(true)
    // After a failure they are imported again when they are rendered.
    return afterFirstScreen(() => void AccountUpdates.prepare().then(ready, ready))
  }, [wanted])
  return isReady
}

/** Everything of one user: remounted with an empty cache when another one signs in, so that nobody sees another's data. */
function Person() {
  const userId = useSession((state) => state.user?._id ?? null)
  const viewing = useSession((state) => state.viewing)
  const isReady = useAccountUpdatesReady(userId !== null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the person is what the cache belongs to
  const client = useMemo(createQueryClient, [userId])
  return (
    <QueryClientProvider key={userId} client={client}>
      {/* The server accepts no view token for a socket. */}
      <LiveProvider wanted={isReady && userId !== null && viewing === null}>
        <Suspense>{viewing && <ViewingBar viewing={viewing} />}</Suspense>
        <Suspense>{isReady && userId !== null && <AccountUpdates />}</Suspense>
        <GuestChatGate>
          <Router />
        </GuestChatGate>
        <PictureViewer />
      </LiveProvider>
    </QueryClientProvider>
  )
}
