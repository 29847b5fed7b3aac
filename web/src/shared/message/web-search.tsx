import { safeLink } from '@parley/markdown'
import { CircleAlert, Globe } from 'lucide-react'
import type { ReactNode } from 'react'
import { useText } from '../i18n/index.ts'
import { isCitable } from '../markdown/sources.ts'
import { Chip, classNames } from '../ui/index.ts'
import type { WebSearch as Search } from './answer-parts.ts'

/** An answer's web search: its steps while it runs, the sources afterwards. */
export function WebSearch({ search, growing = false }: { search: Search; growing?: boolean }) {
  const { t } = useText()
  if (search.stage === 'failed') {
    return (
      <p className="mb-3 flex items-center gap-2 text-sm text-ink-2">
        <CircleAlert className="size-4 shrink-0 text-warn" />
        {t('thread.search.failed')}
      </p>
    )
  }
  if (search.stage !== 'done') return <Steps search={search} />
  const read = search.results.filter(isCitable).length
  return (
    <ul aria-label={t('thread.search.sources')} className="mb-3.5 flex flex-wrap gap-1.5">
      <li>
        <Chip>
          <Globe className="size-3.5" />
          {/* Which pages were read is known only at the end of the answer. */}
          {growing && read === 0
            ? t('thread.search.found', { count: search.results.length })
            : t('thread.search.read', { count: read })}
        </Chip>
      </li>
      {search.results.map((result, index) => (
        <li key={result.url} className="min-w-0">
          <Source url={result.url} title={result.title}>
            {(growing || isCitable(result)) && <b className="font-semibold text-ink">{index + 1}</b>}
            <span className="max-w-44 truncate">{result.domain}</span>
          </Source>
        </li>
      ))}
    </ul>
  )
}

function Source({ url, title, children }: { url: string; title: string; children: ReactNode }) {
  const chip =
    'target inline-flex h-6.5 max-w-full items-center gap-1.5 rounded-full border border-line px-2.5 text-sm text-ink-2'
  if (safeLink(url) === '') return <span className={chip}>{children}</span>
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title={title}
      className={classNames(chip, 'hover:bg-hover hover:text-ink')}
    >
      {children}
    </a>
  )
}

function Steps({ search }: { search: Search }) {
  const { t } = useText()
  return (
    <div className="mb-3.5 border-s-2 border-line ps-3.5 text-sm text-ink-2">
      <p className="flex items-center gap-2">
        <Globe className="size-4 shrink-0 text-brand" />
        {t('thread.search.searching')}
      </p>
      {search.query !== '' && (
        <p dir="auto" className="truncate text-ink-3">
          <q>{search.query}</q>
        </p>
      )}
      <ul>
        {search.results.map(({ url, title, domain }, index) => (
          <li key={url} className="mt-1 flex min-w-0 gap-2">
            <b className="shrink-0 font-semibold text-ink tabular-nums">{index + 1}</b>
            <span dir="auto" className="truncate">
              {title || url}
            </span>
            <span className="shrink-0 text-ink-3">{domain}</span>
          </li>
        ))}
      </ul>
      {search.stage === 'reading' && (
        <p className="mt-1 animate-pulse motion-reduce:animate-none">{t('thread.search.processing')}</p>
      )}
    </div>
  )
}
