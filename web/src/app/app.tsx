import type { I18n } from '@lingui/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useMemo } from 'react'
import { BrowserRouter } from 'react-router-dom'
import { TextProvider } from '../shared/i18n/index.ts'
import { LiveProvider } from '../shared/live/index.ts'
import { followOtherTabs, useSession } from '../shared/session/index.ts'
import { followAccountTheme } from '../shared/theme/synced-theme.ts'
import { followTheme } from '../shared/theme/theme.ts'
import { ErrorBoundary, Toaster } from '../shared/ui/index.ts'
import { GuestChatGate } from './guest-chat-gate.tsx'
import { createQueryClient } from './query-client.ts'
import { Router } from './router.tsx'

const AccountUpdates = lazy(async () => ({ default: (await import('../features/account/index.ts')).AccountUpdates }))

/** The whole application. */
export function App({ i18n }: { i18n: I18n }) {
  useEffect(() => followOtherTabs(), [])
  useEffect(() => followTheme(), [])
  useEffect(() => followAccountTheme(), [])
  return (
    <TextProvider i18n={i18n}>
      <ErrorBoundary level="app">
        {/* Without transitions an address changes before what is done next, as signing out relies on. */}
        <BrowserRouter useTransitions={false}>
          <Person />
        </BrowserRouter>
        <Toaster />
      </ErrorBoundary>
    </TextProvider>
  )
}

/** Everything of one person: mounted anew, with an empty cache, when another one signs in, so that nobody sees another's data. */
function Person() {
  const userId = useSession((state) => state.user?._id ?? null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the person is what the cache belongs to
  const client = useMemo(createQueryClient, [userId])
  return (
    <QueryClientProvider key={userId} client={client}>
      <LiveProvider wanted={userId !== null}>
        <Suspense>{userId !== null && <AccountUpdates />}</Suspense>
        <GuestChatGate>
          <Router />
        </GuestChatGate>
      </LiveProvider>
    </QueryClientProvider>
  )
}
