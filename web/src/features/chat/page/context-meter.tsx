import { useMemo } from 'react'
import { useStore } from 'zustand'
import { useText } from '../../../shared/i18n/index.ts'
import { numberFormat } from '../../../shared/intl.ts'
import { classNames } from '../../../shared/ui/index.ts'
import type { ChatSession } from '../thread/session/chat-session.ts'
import { contextUseOf } from './context-use.ts'

/** Share of the context from which the meter warns. */
const warningShare = 0.9
const radius = 6
const circumference = 2 * Math.PI * radius

/** The share of a model's context that the thread uses, as a ring. @param contextLength in tokens */
export function ContextMeter({ session, contextLength }: { session: ChatSession; contextLength: number }) {
  const { t, locale } = useText()
  const messages = useStore(session.store, (state) => state.messages)
  const { tokens: used, share, exact } = useMemo(() => contextUseOf(messages, contextLength), [messages, contextLength])
  if (messages.length === 0) return null
  const text = t(exact ? 'composer.context.exact' : 'composer.context.about', { used, total: contextLength })
  const low = share >= warningShare
  return (
    <span
      role="img"
      aria-label={text}
      title={`${text} ${t('composer.context.full')}`}
      className={classNames(
        'flex shrink-0 items-center gap-1 text-2xs tabular-nums max-[22rem]:hidden',
        low ? 'text-warn' : 'text-ink-3',
      )}
    >
      <svg aria-hidden="true" viewBox="0 0 16 16" className="size-4 -rotate-90" fill="none" strokeWidth={2.5}>
        <circle cx={8} cy={8} r={radius} className="stroke-line-strong" />
        <circle
          cx={8}
          cy={8}
          r={radius}
          strokeLinecap="round"
          strokeDasharray={`${share * circumference} ${circumference}`}
          className={low ? 'stroke-warn' : 'stroke-brand'}
        />
      </svg>
      <span aria-hidden="true" className="max-md:hidden">
        {numberFormat(locale, { style: 'percent' }).format(share)}
      </span>
    </span>
  )
}
