import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { Button, Skeleton } from '../../../shared/ui/index.ts'
import { agoText } from '../data/ago.ts'
import { failureText } from '../data/failure-text.ts'
import { ActsOn } from './read-only.tsx'

/** The part of a `useQuery` result that is needed. */
export interface LoadState<Data> {
  readonly data: Data | undefined
  readonly error: unknown
  readonly dataUpdatedAt: number
  readonly refetch: () => unknown
}

interface Props<Data> {
  readonly query: LoadState<Data>
  /** The message if loading fails, followed by the server's. */
  readonly failed: string
  /** CSS widths of the placeholder's lines. */
  readonly shape?: readonly string[]
  /** Instead of lines: a placeholder of the size of the loaded data, so that nothing below moves when these come. */
  readonly placeholder?: ReactNode
  readonly children: (data: Data) => ReactNode
}

/** Shows loaded data. After a failed refresh the last values stay, read-only and with their age; without any, only the error is shown. */
export function Loaded<Data>({ query, failed, shape = ['60%', '100%', '100%'], ...props }: Props<Data>) {
  const { t, locale } = useText()
  const { placeholder = <Skeleton widths={shape} />, children } = props
  const { data, error, dataUpdatedAt, refetch } = query
  const failure = error ? (
    <div role="alert" className="mb-4 flex flex-wrap items-center gap-3 rounded-card bg-danger-weak px-3.5 py-2.5">
      <CircleAlert className="size-4 shrink-0 text-danger" />
      <p className="min-w-0 flex-1 text-sm text-danger">
        {failureText(error, failed, t)}
        {data !== undefined && ` · ${t('admin.stale', { ago: agoText(dataUpdatedAt, Date.now(), locale) })}`}
      </p>
      <Button size="small" onClick={() => void refetch()}>
        {t('shared.retry')}
      </Button>
    </div>
  ) : null
  if (data === undefined) return failure ?? placeholder
  return (
    <div>
      {failure}
      <ActsOn query={query}>{children(data)}</ActsOn>
    </div>
  )
}
