import type { ToolCall } from '@parley/contracts'
import { Check, ChevronRight, CircleAlert, LoaderCircle, type LucideIcon, Wrench } from 'lucide-react'
import { memo } from 'react'
import { useText } from '../i18n/index.ts'
import { useKeptState } from '../kept-state.ts'
import { PlainParts } from '../markdown/plain-parts.tsx'
import { classNames } from '../ui/index.ts'
import { searchTool } from './answer-parts.ts'
import { QuoteCard } from './quote-card.tsx'
import { readQuote } from './read-quote.ts'

/** The tools called by an answer: prices as figures, all others as cards. */
export const ToolCards = memo(function ToolCards({ calls }: { calls: readonly ToolCall[] }) {
  const { t } = useText()
  // The search shows its own steps.
  const shown = calls.filter(({ toolName }) => toolName !== searchTool)
  if (shown.length === 0) return null
  return (
    <ul aria-label={t('thread.tools.label')} className="mb-3.5 flex flex-wrap gap-2">
      {shown.map((call) => {
        const quote = call.status === 'completed' ? readQuote(call.result) : null
        return (
          <li key={call.toolCallId} className={quote ? 'min-w-0' : 'w-full'}>
            {quote ? <QuoteCard quote={quote} /> : <ToolCard call={call} />}
          </li>
        )
      })}
    </ul>
  )
})

const looks: Readonly<Record<ToolCall['status'], { icon: LucideIcon; colour: string }>> = {
  pending: { icon: Wrench, colour: 'text-ink-3' },
  running: { icon: LoaderCircle, colour: 'text-brand animate-spin motion-reduce:animate-none' },
  completed: { icon: Check, colour: 'text-brand' },
  error: { icon: CircleAlert, colour: 'text-danger' },
}

function ToolCard({ call }: { call: ToolCall }) {
  const { t } = useText()
  const [open, setOpen] = useKeptState(`tool ${call.toolCallId}`, false)
  const { icon: Icon, colour } = looks[call.status]
  return (
    <details
      className="group rounded-card border border-line text-sm text-ink-2"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="flex min-h-10 list-none items-center gap-2.5 rounded-card px-3 py-2 hover:bg-hover pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        <Icon className={classNames('size-4 shrink-0', colour)} />
        <span className="min-w-0 truncate">
          <b className="font-semibold text-ink">{nameOf(call.toolName)}</b>{' '}
          <span dir="auto">{call.error ?? call.resultNormalized ?? briefOf(call.parameters)}</span>
        </span>
        <span className="ms-auto shrink-0 text-ink-3">{t(`thread.tools.${call.status}`)}</span>
        <ChevronRight className="size-3.75 shrink-0 transition-transform group-open:rotate-90 rtl:-scale-x-100 rtl:group-open:-rotate-90" />
      </summary>
      {open && (
        <div className="border-t border-line px-3 py-2">
          <Part title={t('thread.tools.parameters')} value={call.parameters} />
          {call.error !== undefined && <Part title={t('thread.tools.problem')} value={call.error} />}
          {call.result !== undefined && <Part title={t('thread.tools.result')} value={call.result} />}
        </div>
      )}
    </details>
  )
}

function Part({ title, value }: { title: string; value: unknown }) {
  return (
    <>
      <p className="mt-1 text-2xs text-ink-3">{title}</p>
      <PlainParts text={jsonOf(value)} className="mb-2 max-h-72 overflow-y-auto font-mono text-[0.8125rem]" />
    </>
  )
}

const nameOf = (toolName: string): string => toolName.replaceAll('_', ' ')

/** UTF-16 units shown of a tool's input and output. */
const maxShown = 20_000
const jsonOf = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')).slice(0, maxShown)

const briefOf = (parameters: ToolCall['parameters']): string =>
  Object.values(parameters)
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .join(', ')
    .slice(0, 120)
