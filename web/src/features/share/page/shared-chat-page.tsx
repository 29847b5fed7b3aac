import type { SharedChat } from '@parley/contracts'
import { type ReactNode, Suspense } from 'react'
import { T, useText } from '../../../shared/i18n/index.ts'
import { LanguageSelect } from '../../../shared/language/index.ts'
import { FirstScreen, lazyScreen } from '../../../shared/lazy/index.ts'
import { Brand } from '../../../shared/ui/brand.tsx'
import '../../../shared/message/printed.css'
import { useDocumentTitle } from '../../../shared/use-document-title.ts'
import { daysAgo } from './days-ago.ts'
import { FailedShared } from './failed-shared.tsx'
import { LoadingShared } from './loading-shared.tsx'
import { type Shared, useSharedChat } from './use-shared-chat.ts'

/** With the renderer of its answers: a text that is shown as it was written first would move what stands below. */
const SharedBody = lazyScreen(async () => {
  const [{ SharedBody, loadMath }, { prepareMarkdown }] = await Promise.all([
    import('./shared-body.tsx'),
    import('../../../shared/message/answer-text.tsx'),
  ])
  // Formulas that the server has set stay so.
  const hasFormulas = document.querySelector('#root :is(.katex, .katex-error)') !== null
  await Promise.all([prepareMarkdown(), hasFormulas && loadMath()])
  return SharedBody
})

/** Loads the code that draws a shared chat, so that it is drawn at once. */
export const prepareSharedBody = SharedBody.prepare

const PasswordForm = lazyScreen(async () => (await import('./password-form.tsx')).PasswordForm)

/** What anybody sees who opens the link of a shared chat. */
export function SharedChatPage({ id }: { id: string }) {
  const { t } = useText()
  const shared = useSharedChat(id)
  const { state } = shared
  useDocumentTitle(state.kind === 'shown' ? state.chat.title : t('share.thread'))
  return (
    <div className="printed mx-auto flex min-h-dvh max-w-measure flex-col px-4 md:px-6 print:block print:max-w-none print:px-0">
      <header className="flex h-14 items-center justify-between gap-3 print:hidden">
        <a href="/" className="rounded-sm">
          <Brand />
        </a>
        <LanguageSelect />
      </header>
      {state.kind === 'loading' ? (
        <Loading />
      ) : (
        <Suspense fallback={<Loading />}>
          <main className="flex-1 pb-10">
            <Shown id={id} shared={shared} />
          </main>
          <footer className="border-t border-line py-5 text-sm text-ink-3">
            <T id="share.poweredBy" components={{ link: <HomeLink /> }} />
          </footer>
          <FirstScreen />
        </Suspense>
      )}
    </div>
  )
}

/** Without what stands below, which the chat would move. */
const Loading = () => (
  <main className="flex-1 pb-10">
    <LoadingShared />
  </main>
)

const HomeLink = ({ children }: { children?: ReactNode }) => (
  <a href="/" className="rounded-sm text-ink-2 underline underline-offset-2 hover:text-ink">
    {children}
  </a>
)

function Shown({ id, shared }: { id: string; shared: Shared }) {
  const { state, busy, open } = shared
  if (state.kind === 'loading') return null
  if (state.kind === 'shown') {
    return (
      <>
        <Heading chat={state.chat} />
        <SharedBody id={id} shared={shared} chat={state.chat} hasMore={state.hasMore} />
      </>
    )
  }
  const { failure } = state
  if (failure.kind === 'password') {
    return <PasswordForm wrong={failure.wrong} busy={busy} onOpen={(password) => void open(password)} />
  }
  return <FailedShared failure={failure} busy={busy} onRetry={() => void open()} />
}

function Heading({ chat }: { chat: SharedChat }) {
  const { t } = useText()
  const { unit, count } = daysAgo(chat.sharedAt, new Date())
  return (
    <div className="mt-6 mb-8">
      <h1 dir="auto" className="wrap-anywhere text-2xl leading-tight font-semibold tracking-tight">
        {chat.title}
      </h1>
      <p className="mt-1.5 flex flex-wrap gap-x-2 text-sm text-ink-3">
        <time dateTime={chat.sharedAt}>{t(`share.${unit}`, { count })}</time>
        <span aria-hidden="true">·</span>
        <span dir="auto">{chat.modelName ?? chat.model}</span>
      </p>
    </div>
  )
}
