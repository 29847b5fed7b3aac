import type { DataExport as Copy } from '@parley/contracts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleAlert, Download, MailCheck } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { dataExportQuery, endpoints, messageOf, request } from '../api/index.ts'
import { formatMoment } from '../format.ts'
import { useText } from '../i18n/index.ts'
import { Button } from '../ui/index.ts'
import { stepOf, timeLeft } from './export-state.ts'

/** Milliseconds between updates of the remaining time. */
const tickMs = 20_000

function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** The button that requests a copy of the user's data by mail, with its progress and the time of the next possible request. */
export function DataExport() {
  const { t, locale } = useText()
  const now = useNow()
  const client = useQueryClient()
  const { data, isError, refetch } = useQuery(dataExportQuery)
  const ask = useMutation({
    mutationFn: (_before: string | null) => request(endpoints.requestDataExport),
    onSettled: () => client.invalidateQueries({ queryKey: dataExportQuery.queryKey }),
  })
  const root = useRef<HTMLDivElement>(null)
  const lookAgain = async () => {
    const { isSuccess } = await refetch()
    // The element with the focus disappeared together with the failure.
    if (isSuccess) root.current?.querySelector('button')?.focus()
  }
  const last = data?.dataExport ?? null
  const lastId = last?.id ?? null
  // If there is a newer copy than before the request, the request arrived after all, or another one did.
  const refused = ask.isError && ask.variables === lastId
  const step = stepOf(last, now)
  const wait = timeLeft(data?.nextAllowedAt ?? null, now, locale)
  const collecting = step === 'collecting'
  return (
    <div ref={root}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          busy={ask.isPending}
          // Not `disabled`, so that the button keeps the focus and screen readers announce what follows.
          aria-disabled={collecting || wait !== null || undefined}
          className="aria-disabled:cursor-not-allowed aria-disabled:opacity-60"
          onClick={() => !collecting && wait === null && ask.mutate(lastId)}
        >
          <Download className="size-4" />
          {t('privacy.export.request')}
        </Button>
        {wait !== null && !collecting && (
          <span className="text-sm text-ink-2 tabular-nums">{t('privacy.export.again', { wait })}</span>
        )}
      </div>
      <div role="status" className="min-h-6 pt-3 text-sm text-ink-2 empty:pt-0">
        {refused ? (
          <Failure>{messageOf(ask.error, t('privacy.export.failed'))}</Failure>
        ) : last ? (
          <State copy={last} step={step} locale={locale} />
        ) : (
          isError && (
            <div className="flex flex-wrap items-center gap-3">
              <Failure>{t('privacy.export.lookFailed')}</Failure>
              <Button size="small" onClick={() => void lookAgain()}>
                {t('shared.retry')}
              </Button>
            </div>
          )
        )}
      </div>
    </div>
  )
}

function Line({ icon, children }: { icon?: ReactNode; children: ReactNode }) {
  return (
    <p className="flex gap-2">
      {icon}
      <span>{children}</span>
    </p>
  )
}

function Failure({ children }: { children: ReactNode }) {
  return (
    <Line icon={<CircleAlert className="mt-0.5 size-4 shrink-0 text-danger" />}>
      <span className="text-danger">{children}</span>
    </Line>
  )
}

function State({ copy, step, locale }: { copy: Copy; step: ReturnType<typeof stepOf>; locale: string }) {
  const { t } = useText()
  const at = formatMoment(copy.requestedAt, locale)
  if (step === 'collecting') {
    const { done, total } = copy.progress
    return (
      <>
        <Line>{t('privacy.export.collecting', { done, total })}</Line>
        <progress
          value={done}
          max={total}
          aria-label={t('privacy.export.progress')}
          className="mt-2 block h-1.5 w-full max-w-80 appearance-none overflow-hidden rounded-full [&::-moz-progress-bar]:bg-brand [&::-webkit-progress-bar]:bg-active [&::-webkit-progress-value]:bg-brand"
        />
      </>
    )
  }
  if (step === 'ready') {
    const until = copy.expiresAt === null ? '' : formatMoment(copy.expiresAt, locale)
    return (
      <Line icon={<MailCheck className="mt-0.5 size-4 shrink-0 text-ok" />}>
        {t('privacy.export.ready', { until })}
      </Line>
    )
  }
  return <Line>{t(step === 'failed' ? 'privacy.export.notMade' : 'privacy.export.expired', { at })}</Line>
}
