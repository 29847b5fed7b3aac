import type { Session } from '@parley/contracts'
import { Laptop, Smartphone } from 'lucide-react'
import { formatMoment } from '../../../shared/format.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Button, Chip } from '../../../shared/ui/index.ts'
import { deviceOf } from './device-name.ts'

/** Names the device of a User-Agent header in the interface's language. */
export function useDeviceName(): (userAgent: string) => string {
  const { t } = useText()
  return (userAgent) => {
    const { browser, system } = deviceOf(userAgent)
    if (browser !== null && system !== null) return t('profile.sessions.device', { browser, system })
    return browser ?? system ?? t('profile.sessions.unknown')
  }
}

/** One device: its name, its last use, and a button to sign it out. */
export function SessionRow({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const { t, locale } = useText()
  const name = useDeviceName()(session.userAgent)
  const Icon = deviceOf(session.userAgent).handheld ? Smartphone : Laptop
  return (
    <li className="flex items-center gap-3.5 px-4 py-3 md:px-5">
      <Icon className="size-5 shrink-0 text-ink-3" />
      {/* Gets the focus when an adjacent row is removed. */}
      <div data-row tabIndex={-1} className="min-w-0 flex-1 rounded-sm">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <span className="font-medium" title={session.userAgent}>
            {name}
          </span>
          {session.current && (
            <Chip tone="on" className="h-5.5 text-2xs">
              {t('profile.sessions.current')}
            </Chip>
          )}
        </p>
        <p className="mt-0.5 text-sm text-ink-2 tabular-nums">
          <bdi>{session.network}</bdi> · {t('profile.sessions.used', { at: formatMoment(session.lastUsedAt, locale) })}
        </p>
      </div>
      {!session.current && (
        <Button size="small" aria-label={t('profile.sessions.endDevice', { device: name })} onClick={onEnd}>
          {t('profile.sessions.end')}
        </Button>
      )}
    </li>
  )
}
