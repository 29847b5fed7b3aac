import type { MemoryProfile } from '@parley/contracts'
import { useQuery } from '@tanstack/react-query'
import { Lightbulb } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatMoment } from '../../../shared/format.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { numberFormat } from '../../../shared/intl.ts'
import { Loaded } from '../../../shared/loaded.tsx'
import { framed, Nothing } from '../panel/nothing.tsx'
import { learningQuery } from '../queries.ts'
import { Decisions } from './decisions.tsx'
import { Level } from './level.tsx'
import { Ring } from './ring.tsx'
import { shareOf } from './share-of.ts'

/** Statistics of decisions on suggestions, and what was learned from them. */
export function LearningView() {
  const { t } = useText()
  return (
    <Loaded
      query={useQuery(learningQuery)}
      failed={t('memory.learning.failed')}
      shape={['30%', '100%', '60%', '80%', '40%']}
      className={framed}
    >
      {(profile) =>
        profile.suggestions.seen > 0 ? (
          <Learned profile={profile} />
        ) : (
          <Nothing title={t('memory.learning.none')} text={t('memory.learning.noneText')} />
        )
      }
    </Loaded>
  )
}

function Learned({ profile }: { profile: MemoryProfile }) {
  const { t, locale } = useText()
  const { accuracy, approvalRate, learningLevel, suggestions, recommendations, topKeywords, recentActivity } = profile
  const most = Math.max(1, ...topKeywords.map(({ count }) => count))
  return (
    <div className="flex flex-col gap-7">
      <div className="grid gap-x-6 gap-y-5 rounded-card border border-line p-4 sm:grid-cols-[auto_1fr] md:p-5">
        <div className="flex justify-around gap-6">
          <Ring label={t('memory.learning.accuracy')} share={accuracy} />
          <Ring label={t('memory.learning.approvalRate')} share={approvalRate} />
        </div>
        <div className="flex min-w-0 flex-col justify-center gap-4">
          <Level level={learningLevel} />
          <Decisions {...suggestions} />
        </div>
      </div>
      {recommendations.length > 0 && (
        <Part title={t('memory.learning.recommendations')}>
          <ul className="divide-y divide-line rounded-card border border-line">
            {recommendations.map(({ id, text }) => (
              <li key={id} className="flex gap-3 px-4 py-3">
                <Lightbulb className="mt-0.5 size-4 shrink-0 text-brand" />
                <span dir="auto">{text}</span>
              </li>
            ))}
          </ul>
        </Part>
      )}
      {topKeywords.length > 0 && (
        <Part title={t('memory.learning.keywords')}>
          <ul className="flex flex-col gap-1.5 rounded-card border border-line p-4">
            {topKeywords.map(({ word, count }) => (
              <li key={word} className="grid grid-cols-[minmax(5rem,10rem)_1fr_2.5rem] items-center gap-3 text-sm">
                <bdi className="truncate">{word}</bdi>
                <span aria-hidden="true" className="h-2 rounded-full bg-active">
                  <span className="block h-2 rounded-full bg-brand" style={{ width: shareOf(count, most) }} />
                </span>
                <span className="text-end text-ink-2 tabular-nums">{numberFormat(locale).format(count)}</span>
              </li>
            ))}
          </ul>
        </Part>
      )}
      {recentActivity.length > 0 && (
        <Part title={t('memory.learning.activity')}>
          <ol className="divide-y divide-line rounded-card border border-line">
            {recentActivity.map(({ at, action, text }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: many can happen at one moment, and none moves
              <li key={`${at}:${place}`} className="flex items-baseline gap-3 px-4 py-2.5 text-sm">
                <span className="w-24 shrink-0 text-ink-2">{t(`memory.action.${action}`)}</span>
                <span dir="auto" className="min-w-0 flex-1 truncate">
                  {text}
                </span>
                <time dateTime={at} className="shrink-0 text-2xs text-ink-3 tabular-nums">
                  {formatMoment(at, locale)}
                </time>
              </li>
            ))}
          </ol>
        </Part>
      )}
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className="mb-3 font-semibold">{title}</h2>
      {children}
    </section>
  )
}
