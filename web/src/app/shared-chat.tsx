import './styles.css'
import { StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { askEarly } from '../features/share/page/early-page.ts'
import { prepareSharedBody, SharedChatPage } from '../features/share/page/shared-chat-page.tsx'
import { setApiLanguage } from '../shared/api/language.ts'
import { readApiOrigin } from '../shared/api/origin.ts'
import { LaterTexts, openI18n, TextProvider, textsOf } from '../shared/i18n/index.ts'
import { followLocale } from '../shared/language/index.ts'
import { afterFirstScreen, retryImport, whenIdle } from '../shared/lazy/index.ts'
import { ErrorBoundary } from '../shared/ui/error-boundary.tsx'

/** Shows a shared chat without loading the rest of the application. */
export async function startSharedChat(): Promise<void> {
  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no element with the id root')
  readApiOrigin()
  const id = location.pathname.split('/')[2] ?? ''
  // As detected by theme.js, because the call does not wait for texts.
  setApiLanguage(document.documentElement.lang)
  const asked = askEarly(id)
  const i18n = await openI18n('share')
  followLocale(i18n)
  const { load } = textsOf(i18n)
  // What the server wrote of the chat stays until all of what takes it over is there. What fails is reported where it is drawn.
  if (root.hasChildNodes()) await Promise.allSettled([asked, load('share'), load('deferred'), prepareSharedBody()])
  createRoot(root).render(
    <StrictMode>
      <TextProvider i18n={i18n}>
        <ErrorBoundary level="app">
          <Suspense fallback={null}>
            <LaterTexts part="share">
              <SharedChatPage id={id} />
            </LaterTexts>
          </Suspense>
        </ErrorBoundary>
      </TextProvider>
    </StrictMode>,
  )
  // theme.js has drawn the theme; what follows its changes may come later.
  afterFirstScreen(() => whenIdle(() => void followThemeLater().catch(() => undefined)))
}

async function followThemeLater(): Promise<void> {
  const { followTheme } = await retryImport(() => import('../shared/theme/theme.ts'))
  followTheme()
}
