import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { Route, Routes, useLocation, useParams } from 'react-router-dom'
import { CallbackPage, LoginPage, PasswordResetPage, RegisterPage } from '../features/auth/index.ts'
import { DeferredTexts, usePreparedTexts } from '../shared/i18n/index.ts'
import { guestAnswerRuns } from '../shared/session/index.ts'
import { ErrorBoundary, LoadingOverlay, UnseenBoundary } from '../shared/ui/index.ts'
import type { AccessRule } from './access.ts'
import { Goodbye } from './goodbye.tsx'
import { Guard } from './guard.tsx'
import { NotFound } from './not-found.tsx'
import { routes } from './routes.ts'

const loadChatScreen = async () => ({ default: (await import('./chat-screen.tsx')).ChatScreen })
const ChatScreen = lazy(loadChatScreen)
const ProfileScreen = lazy(async () => ({ default: (await import('./profile-screen.tsx')).ProfileScreen }))
const DataExportScreen = lazy(async () => ({ default: (await import('./data-export-screen.tsx')).DataExportScreen }))
const PrivacyScreen = lazy(async () => ({ default: (await import('./privacy-screen.tsx')).PrivacyScreen }))
const FinishGuestAnswer = lazy(async () => ({
  default: (await import('../features/chat/index.ts')).FinishGuestAnswer,
}))

/** One screen: who may see it, loaded on demand, with an error boundary that a change of address clears. */
function Screen({ rule, children }: { rule: AccessRule; children: ReactNode }) {
  const { pathname } = useLocation()
  return (
    <ErrorBoundary level="page" resetKey={pathname}>
      <Guard rule={rule}>
        <Suspense fallback={<LoadingOverlay />}>
          {rule === 'guest-only' ? children : <DeferredTexts>{children}</DeferredTexts>}
        </Suspense>
        {rule === 'guest-only' && <GuestAnswer />}
      </Guard>
    </ErrorBoundary>
  )
}

/** What a guest left on their way in. */
function GuestAnswer() {
  const [runs] = useState(guestAnswerRuns)
  return (
    runs && (
      <UnseenBoundary>
        <Suspense>
          <DeferredTexts>
            <FinishGuestAnswer />
          </DeferredTexts>
        </Suspense>
      </UnseenBoundary>
    )
  )
}

function ChatRoute() {
  // A guest has no saved chats, so the address of one asks for sign-in.
  const { chatId } = useParams()
  usePreparedTexts()
  useEffect(() => {
    // Its code arrives while the guard still asks who is there; a failure shows when the screen itself is loaded.
    void loadChatScreen().catch(() => undefined)
  }, [])
  return (
    <Screen rule={chatId === undefined ? 'chat' : 'login'}>
      <ChatScreen />
    </Screen>
  )
}

/** All screens. The chat's two addresses share a layout route: going from one to the other mounts nothing anew. */
export function Router() {
  return (
    <Routes>
      <Route element={<ChatRoute />}>
        <Route path={routes.chat.path} element={null} />
        <Route path={routes.savedChat.path} element={null} />
      </Route>
      <Route
        path={routes.login.path}
        element={
          <Screen rule="guest-only">
            <LoginPage />
          </Screen>
        }
      />
      <Route
        path={routes.register.path}
        element={
          <Screen rule="guest-only">
            <RegisterPage />
          </Screen>
        }
      />
      <Route
        path={routes.passwordReset.path}
        element={
          <Screen rule="guest-only">
            <PasswordResetPage />
          </Screen>
        }
      />
      <Route
        path={routes.oauthCallback.path}
        element={
          <Screen rule="guest-only">
            <CallbackPage />
          </Screen>
        }
      />
      <Route
        element={
          <Screen rule="login">
            <ProfileScreen />
          </Screen>
        }
      >
        <Route path={routes.profile.path} element={null} />
        <Route path={routes.appearance.path} element={null} />
        <Route path={routes.preferences.path} element={null} />
      </Route>
      <Route
        path={routes.privacy.path}
        element={
          <Screen rule="public">
            <PrivacyScreen />
          </Screen>
        }
      />
      <Route
        path={routes.dataExport.path}
        element={
          <Screen rule="public">
            <DataExportScreen />
          </Screen>
        }
      />
      <Route path={routes.goodbye.path} element={<Goodbye />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  )
}
