import type { ReactNode } from 'react'
import { messageOf } from './api/index.ts'
import { useText } from './i18n/index.ts'
import { Button, classNames, Skeleton } from './ui/index.ts'

interface Props<Data> {
  /** The used part of the result of `useQuery`. */
  readonly query: { readonly data: Data | undefined; readonly error: unknown; readonly refetch: () => unknown }
  /** The text of a failure if the server sent none. */
  readonly failed: string
  /** CSS widths of the placeholder's lines. */
  readonly shape: readonly string[]
  /** Frame and room of the placeholder and of a failure. */
  readonly className?: string
  readonly children: (data: Data) => ReactNode
}

/** Shows loaded data, which stay when they cannot be loaded again; without any a placeholder, or why loading failed. */
export function Loaded<Data>({ query, failed, shape, className = 'p-4 md:p-5', children }: Props<Data>) {
  const { data, error, refetch } = query
  if (data !== undefined) return children(data)
  if (error) return <LoadFailure {...{ error, failed, className }} onRetry={refetch} />
  return (
    <div className={className}>
      <Skeleton widths={shape} />
    </div>
  )
}

interface FailureProps extends Pick<Props<unknown>, 'failed' | 'className'> {
  readonly error: unknown
  readonly onRetry: () => unknown
}

/** Why loading failed, with a retry. */
export function LoadFailure({ error, failed, className = 'p-4 md:px-5', onRetry }: FailureProps) {
  const { t } = useText()
  return (
    <p role="alert" className={classNames('flex flex-wrap items-center gap-3 text-ink-2', className)}>
      <span>{messageOf(error, failed)}</span>
      <Button size="small" onClick={() => void onRetry()}>
        {t('shared.retry')}
      </Button>
    </p>
  )
}
