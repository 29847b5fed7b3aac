import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import { creditsQuery, creditWarningQuery, endpoints, messageOf, request } from '../../shared/api/index.ts'
import { formatDay } from '../../shared/format.ts'
import { T, useText } from '../../shared/i18n/index.ts'
import { useSession } from '../../shared/session/index.ts'
import { Button, notify, TextLink } from '../../shared/ui/index.ts'

/** Warns once a month that most credits are used, until the user acknowledges it. Renders nothing for guests. */
export function CreditWarning({ usagePath }: { usagePath: string }) {
  const { t, locale } = useText()
  const client = useQueryClient()
  const signedIn = useSession((state) => state.token !== null)
  const { data: warning } = useQuery({ ...creditWarningQuery, enabled: signedIn })
  const { data: credits } = useQuery({ ...creditsQuery, enabled: signedIn })
  const acknowledge = useMutation({
    mutationFn: () => request(endpoints.acknowledgeCreditWarning),
    onSuccess: () => {
      client.setQueryData(
        creditWarningQuery.queryKey,
        (before) => before && { ...before, shouldShow: false, acknowledged: true },
      )
    },
    onError: (error) => notify.error((now) => messageOf(error, now('credits.warning.failed')), { id: 'credits' }),
  })
  if (!signedIn || !warning?.shouldShow || !credits || credits.unlimited) return null
  const values = { percent: Math.round(warning.usagePercentage), date: formatDay(credits.resetDate, locale) }
  return (
    <div role="status" className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card bg-warn-weak px-4 py-2.5">
      <p className="flex min-w-0 flex-1 basis-64 gap-2.5 text-sm">
        <CircleAlert className="mt-0.5 size-4 shrink-0 text-warn" />
        <span>
          <T id="credits.warning.text" values={values} components={{ link: <TextLink to={usagePath} /> }} />
        </span>
      </p>
      <Button size="small" busy={acknowledge.isPending} onClick={() => acknowledge.mutate()}>
        {t('credits.warning.acknowledge')}
      </Button>
    </div>
  )
}
