import type { Breaker, ServiceHealth } from '@parley/contracts'
import { useQuery } from '@tanstack/react-query'
import { useText } from '../../../shared/i18n/index.ts'
import { agoText } from '../data/ago.ts'
import { healthQuery } from '../data/health-query.ts'
import { Page, Panel } from '../frame/page.tsx'
import { BreakerTag } from '../parts/breaker-tag.tsx'
import { Figures } from '../parts/figures.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { RowBox } from '../parts/row-box.tsx'
import { AdminTable } from '../table/admin-table.tsx'
import { CertificatesPanel } from './certificates-panel.tsx'
import { DeadLettersPanel } from './dead-letters-panel.tsx'
import { MailPanel } from './mail-panel.tsx'
import { useServiceColumns } from './service-columns.tsx'
import { StreamPanel } from './stream-panel.tsx'

/** `/admin/health`: the state of services, their lag, dead letters, mail, certificates, and a test of streaming. */
export function HealthSection() {
  const { t } = useText()
  const health = useQuery(healthQuery)
  const columns = useServiceColumns()
  return (
    <Page title={t('admin.section.health')}>
      <Loaded query={health} failed={t('health.failed')} shape={['100%', '100%', '100%', '100%']}>
        {({ services, breakers, deadLetters, certificates }) => (
          <div className="flex flex-col gap-7">
            <Summary services={services} />
            <Panel title={t('health.services')}>
              <AdminTable
                caption={t('health.servicesTable')}
                columns={columns}
                rows={services}
                rowId={({ name }) => name}
                empty=""
              />
            </Panel>
            <DeadLettersPanel deadLetters={deadLetters} />
            <Breakers breakers={breakers} />
            {mailQueueOf(services).map((mails) => (
              <MailPanel key="mail" mails={mails} />
            ))}
            <CertificatesPanel certificates={certificates} />
          </div>
        )}
      </Loaded>
      {!health.isPending && <StreamPanel />}
    </Page>
  )
}

/** The mail queue; none while its service does not answer. */
const mailQueueOf = (services: readonly ServiceHealth[]) =>
  services.flatMap(({ mailQueue }) => (mailQueue ? [mailQueue] : [])).slice(0, 1)

function Summary({ services }: { services: readonly ServiceHealth[] }) {
  const { t, locale } = useText()
  const [mails] = mailQueueOf(services)
  const lag = services.flatMap(({ engines = [] }) => engines.flatMap((engine) => Object.values(engine.lag ?? {})))
  const versions = new Set(services.flatMap(({ replicas }) => replicas.map(({ version }) => version)))
  return (
    <Figures
      figures={[
        {
          label: t('health.figure.ready'),
          value: t('health.figure.readyOf', {
            ready: services.filter(({ ready }) => ready).length,
            count: services.length,
          }),
        },
        { label: t('health.figure.lag'), value: lag.reduce((sum, events) => sum + events, 0) },
        {
          label: t('health.figure.mails'),
          value: mails?.waiting ?? '–',
          ...(mails?.oldestAt && {
            note: t('health.oldest', { ago: agoText(Date.parse(mails.oldestAt), Date.now(), locale) }),
          }),
        },
        { label: t('health.figure.versions'), value: [...versions].join(', ') || '–' },
      ]}
    />
  )
}

function Breakers({ breakers }: { breakers: readonly Breaker[] }) {
  const { t, locale } = useText()
  return (
    <Panel title={t('health.breakers.title')} lead={t('health.breakers.lead')}>
      <RowBox empty={t('health.breakers.none')}>
        {breakers.map(({ provider, model, state, since }) => (
          <li key={model} className="flex flex-wrap items-center gap-3 px-4 py-3">
            <span className="me-auto font-medium wrap-anywhere">
              {provider} · {model}
            </span>
            <span className="text-sm text-ink-2">{agoText(Date.parse(since), Date.now(), locale)}</span>
            <BreakerTag state={state} />
          </li>
        ))}
      </RowBox>
    </Panel>
  )
}
