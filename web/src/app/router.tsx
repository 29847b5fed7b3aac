import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { Route, Routes, useLocation, useParams } from 'react-router-dom'
import { LoginPage, RegisterPage } from '../features/auth/index.ts'
import { ErrorBoundary, LoadingOverlay } from '../shared/ui/index.ts'
import type { AccessRule } from './access.ts'
import { Guard } from './guard.tsx'
import { NotFound } from './not-found.tsx'
import { routes } from './routes.ts'

const loadChatScreen = async () => ({ default: (await import('./chat-screen.tsx')).ChatScreen })
const ChatScreen = lazy(loadChatScreen)

/** One screen: who may see it, loaded on demand, with an error boundary that a change of address clears. */
function Screen({ rule, children }: { rule: AccessRule; children: ReactNode }) {
  const { pathname } = useLocation()
  return (
    <ErrorBoundary level="page" resetKey={pathname}>
      <Guard rule={rule}>
        <Suspense fallback={<LoadingOverlay />}>{children}</Suspense>
      </Guard>
    </ErrorBoundary>
  )
}

function ChatRoute() {
  // A guest has no saved chats, so the address of one asks for sign-in.
  const { chatId } = useParams()
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
      <Route path="*" element={<NotFound />} />
    </Routes>
  )
}
