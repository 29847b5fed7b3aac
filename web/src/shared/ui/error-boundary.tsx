import { TriangleAlert } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { ErrorBoundary as Boundary, type FallbackProps } from 'react-error-boundary'
import { type MessageId, useText } from '../i18n/index.ts'
import { lazyPart, renewFailedScreens } from '../lazy/index.ts'
import { logError } from '../session/index.ts'
import { Button } from './button.tsx'

/** The part of the page that a boundary guards. */
export type BoundaryLevel = 'component' | 'page' | 'app'

const titles = {
  component: 'shared.error.component',
  page: 'shared.error.page',
  app: 'shared.error.app',
} as const satisfies Record<BoundaryLevel, MessageId>

const retriesBeforeRefresh = 3

const ConfirmDialog = lazyPart(async () => (await import('./dialog.tsx')).ConfirmDialog)

interface Props {
  readonly level: BoundaryLevel
  /** A change of this value clears the error: the route's path. */
  readonly resetKey?: string
  readonly children: ReactNode
}

/** Catches rendering errors of its children, logs them, and offers a retry. */
export function ErrorBoundary({ level, resetKey, children }: Props) {
  const [retries, setRetries] = useState(0)
  const [seenKey, setSeenKey] = useState(resetKey)
  if (seenKey !== resetKey) {
    setSeenKey(resetKey)
    setRetries(0)
  }
  return (
    <Boundary
      resetKeys={[resetKey]}
      onError={(error) => takeError(level, error)}
      fallbackRender={(props) => (
        <ErrorFallback {...props} level={level} retries={retries} onRetry={() => setRetries(retries + 1)} />
      )}
    >
      {children}
    </Boundary>
  )
}

/** Guards components that render nothing: an error is logged without being shown. */
export const UnseenBoundary = ({ children }: { children: ReactNode }) => (
  <Boundary fallback={null} onError={(error) => takeError('component', error)}>
    {children}
  </Boundary>
)

function takeError(level: BoundaryLevel, error: unknown): void {
  logError(level, error)
  renewFailedScreens()
}

type FallbackViewProps = FallbackProps & { level: BoundaryLevel; retries: number; onRetry: () => void }

function ErrorFallback({ error, resetErrorBoundary, level, retries, onRetry }: FallbackViewProps) {
  const { t } = useText()
  const [detailed, setDetailed] = useState(false)
  const [asking, setAsking] = useState(false)
  const retry = () => {
    if (retries >= retriesBeforeRefresh) {
      // If the dialog cannot be loaded, the page is refreshed without asking.
      void ConfirmDialog.prepare().then(
        () => setAsking(true),
        () => window.location.reload(),
      )
      return
    }
    onRetry()
    resetErrorBoundary()
  }
  // Above component level nothing else of the page remains.
  const Place = level === 'component' ? 'div' : 'main'
  const Title = level === 'component' ? 'h2' : 'h1'
  return (
    <Place className={level === 'component' ? 'p-4' : 'grid min-h-dvh grid-cols-1 place-items-center p-6'}>
      <div role="alert" className="flex w-full max-w-dock flex-col items-center gap-3 text-center">
        <TriangleAlert className="size-7 text-warn" />
        <Title className="text-xl font-semibold tracking-tight">{t(titles[level])}</Title>
        <p className="text-ink-2">{t('shared.error.text')}</p>
        <div className="mt-2 flex flex-wrap justify-center gap-2">
          <Button look="primary" onClick={retry}>
            {t('shared.error.retry')}
          </Button>
          {/* A full page load: the router itself may have failed. */}
          <Button onClick={() => window.location.assign('/')}>{t('shared.error.home')}</Button>
          <Button look="quiet" aria-expanded={detailed} onClick={() => setDetailed(!detailed)}>
            {t(detailed ? 'shared.error.hideDetails' : 'shared.error.details')}
          </Button>
        </div>
        {detailed && <ErrorDetails error={error} />}
      </div>
      {asking && (
        <Suspense fallback={null}>
          <ConfirmDialog
            open
            onClose={() => setAsking(false)}
            title={t('shared.error.refreshTitle')}
            text={t('shared.error.refreshText')}
            confirmLabel={t('shared.error.refresh')}
            onConfirm={() => window.location.reload()}
          />
        </Suspense>
      )}
    </Place>
  )
}

function ErrorDetails({ error }: { error: unknown }) {
  return (
    <pre
      dir="ltr"
      className="mt-2 max-h-60 w-full overflow-auto whitespace-pre-wrap wrap-anywhere rounded-card border border-line bg-code p-3 text-start font-mono text-sm text-ink-2"
    >
      {requestIdOf(error)}
      {error instanceof Error ? (error.stack ?? error.message) : String(error)}
    </pre>
  )
}

/** As text, it can be selected and copied with the other details. */
const requestIdOf = (error: unknown): string =>
  error instanceof Error && 'requestId' in error && typeof error.requestId === 'string'
    ? `x-request-id: ${error.requestId}\n`
    : ''
