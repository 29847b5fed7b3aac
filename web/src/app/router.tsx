import { type ComponentType, type ReactNode, Suspense, useState } from 'react'
import { Outlet, Route, Routes, useLocation, useParams } from 'react-router-dom'
import { CallbackPage, LoginPage, PasswordResetPage, RegisterPage } from '../features/auth/index.ts'
import { type LaterPart, LaterTexts, useLaterTexts } from '../shared/i18n/index.ts'
import { FirstScreen, lazyPart, lazyScreen } from '../shared/lazy/index.ts'
import { guestAnswerRuns, useSession } from '../shared/session/index.ts'
import { ErrorBoundary, LoadingOverlay, UnseenBoundary } from '../shared/ui/index.ts'
import type { AccessRule } from './access.ts'
import { Guard } from './guard.tsx'
import { routes } from './routes.ts'

const ChatScreen = lazyScreen(async () => (await import('./chat-screen.tsx')).ChatScreen)
const HiddenChats = lazyScreen(async () => (await import('./hidden-chats.tsx')).HiddenChats)
const ProfileScreen = lazyScreen(async () => (await import('./profile-screen.tsx')).ProfileScreen)
const AdminScreen = lazyScreen(async () => (await import('./admin-screen.tsx')).AdminScreen)
const AdminRefusal = lazyScreen(async () => (await import('../features/admin/index.ts')).AdminRefusal)
const DataExportScreen = lazyScreen(async () => (await import('./data-export-screen.tsx')).DataExportScreen)
const SharedChatScreen = lazyScreen(async () => (await import('./shared-chat-screen.tsx')).SharedChatScreen)
const DocsScreen = lazyScreen(async () => (await import('./docs-screen.tsx')).DocsScreen)
const PrivacyScreen = lazyScreen(async () => (await import('./privacy-screen.tsx')).PrivacyScreen)
const Goodbye = lazyScreen(async () => (await import('./goodbye.tsx')).Goodbye)
const NotFound = lazyScreen(async () => (await import('./not-found.tsx')).NotFound)
const FinishGuestAnswer = lazyPart(async () => (await import('../features/chat/index.ts')).FinishGuestAnswer)

interface ScreenProps {
  readonly rule: AccessRule
  /** Whether it needs the texts of settings from the start. */
  readonly panels?: boolean
  readonly children: ReactNode
}

/** One screen: its access rule, loaded on demand, with an error boundary that a navigation resets. */
function Screen({ rule, panels = true, children }: ScreenProps) {
  const { pathname } = useLocation()
  return (
    <ErrorBoundary level="page" resetKey={pathname}>
      <Guard rule={rule} refused={<AdminRefusal />}>
        <Suspense fallback={<LoadingOverlay what={rule === 'admin' ? 'admin' : 'page'} />}>
          {rule === 'guest-only' ? (
            // The content provides its own loading state.
            children
          ) : (
            <>
              <LaterTexts part="deferred">
                {panels ? <LaterTexts part="panels">{children}</LaterTexts> : children}
              </LaterTexts>
              <FirstScreen />
            </>
          )}
        </Suspense>
        {rule === 'guest-only' && <GuestAnswer />}
      </Guard>
    </ErrorBoundary>
  )
}

/** Finishes a guest's answer that was left running on sign-in. */
function GuestAnswer() {
  const [runs] = useState(guestAnswerRuns)
  return (
    runs && (
      <UnseenBoundary>
        <Suspense>
          <LaterTexts part="deferred">
            <FinishGuestAnswer />
          </LaterTexts>
        </Suspense>
      </UnseenBoundary>
    )
  )
}

function ChatRoute() {
  // Guests have no saved chats, so the URL of one asks for sign-in.
  const { chatId } = useParams()
  const isViewing = useSession(({ viewing }) => viewing !== null)
  useLaterTexts('deferred')
  return (
    <Screen rule={chatId === undefined ? 'chat' : 'login'} panels={false}>
      {isViewing ? <HiddenChats /> : <ChatScreen />}
    </Screen>
  )
}

/** Screens that are preloaded, besides the chat's. */
const preparedScreens: ReadonlyMap<string, { prepare(): Promise<void> }> = new Map([
  [routes.login.path, LoginPage],
  [routes.register.path, RegisterPage],
  [routes.passwordReset.path, PasswordResetPage],
])

/** Preloads the screen of a path, while the first texts load and the guard checks the visitor. Returns the part of the texts it needs. */
export function prepareScreen(path: string): LaterPart | null {
  const isChat = path === routes.chat.path || path.startsWith('/c/')
  const screen = isChat ? ChatScreen : preparedScreens.get(path)
  // A failure is handled when the screen is rendered.
  void screen?.prepare().catch(() => undefined)
  return isChat ? 'deferred' : null
}

type ScreenRoute = (typeof routes)[keyof typeof routes]

/** The screens besides the chat's: where they are, who is admitted, and what they show. */
const screens: readonly { readonly at: readonly ScreenRoute[]; rule: AccessRule; Content: ComponentType }[] = [
  { at: [routes.login], rule: 'guest-only', Content: LoginPage },
  { at: [routes.register], rule: 'guest-only', Content: RegisterPage },
  { at: [routes.passwordReset], rule: 'guest-only', Content: PasswordResetPage },
  { at: [routes.oauthCallback], rule: 'guest-only', Content: CallbackPage },
  {
    at: [routes.profile, routes.appearance, routes.preferences, routes.keys, routes.usage, routes.memory],
    rule: 'login',
    Content: ProfileScreen,
  },
  { at: [routes.admin], rule: 'admin', Content: AdminScreen },
  { at: [routes.docs], rule: 'public', Content: DocsScreen },
  { at: [routes.privacy], rule: 'public', Content: PrivacyScreen },
  { at: [routes.sharedChat], rule: 'public', Content: SharedChatScreen },
  { at: [routes.dataExport], rule: 'public', Content: DataExportScreen },
]

/** Routes for the paths of a layout route. */
const pathsOf = (at: readonly ScreenRoute[]) => at.map(({ path }) => <Route key={path} path={path} element={null} />)

/** All screens. The paths of one share a layout route, so that switching between them remounts nothing. */
export function Router() {
  return (
    <Routes>
      <Route element={<ChatRoute />}>{pathsOf([routes.chat, routes.savedChat])}</Route>
      {screens.map(({ at, rule, Content }) => (
        <Route
          key={at[0]?.path}
          element={
            <Screen rule={rule}>
              <Content />
            </Screen>
          }
        >
          {pathsOf(at)}
        </Route>
      ))}
      <Route
        element={
          <Suspense fallback={<LoadingOverlay />}>
            <Outlet />
          </Suspense>
        }
      >
        <Route path={routes.goodbye.path} element={<Goodbye />} />
        <Route path="*" element={<NotFound />} />
      </Route>
    </Routes>
  )
}
