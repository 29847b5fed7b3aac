import { Eye } from 'lucide-react'
import { useEffect, useLayoutEffect, useState } from 'react'
import { LaterTexts, T, useText } from '../../shared/i18n/index.ts'
import { endViewing, useSession, type Viewing } from '../../shared/session/index.ts'
import { Button } from '../../shared/ui/index.ts'

/** Milliseconds between checks of the clock. */
const lookMs = 5_000
const minuteMs = 60_000

/** Shows above every screen as whom an admin views the product, that it is read-only, and the remaining time; ends the view by button or expiry. */
export const ViewingBar = ({ viewing }: { viewing: Viewing }) => (
  <LaterTexts part="panels">
    <Bar viewing={viewing} />
  </LaterTexts>
)

function Bar({ viewing }: { viewing: Viewing }) {
  const { t } = useText()
  const name = useSession(({ user }) => user?.username ?? '')
  const minutes = useMinutesLeft(viewing.expiresAt)
  // Reserves the bar's height (`styles.css`).
  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    dataset.viewing = ''
    return () => {
      delete dataset.viewing
    }
  }, [])
  return (
    <section
      aria-label={t('viewing.label')}
      className="sticky top-0 z-30 flex h-(--bar-height) items-center gap-2.5 border-b border-line bg-warn-weak px-3 text-sm md:px-4"
    >
      <Eye className="size-4.5 shrink-0 text-warn" />
      <p className="flex min-w-0 flex-1 flex-wrap gap-x-3 leading-tight max-md:text-2xs">
        <span className="max-w-full truncate">
          <T id="viewing.as" values={{ name }} components={{ b: <bdi className="font-semibold" /> }} />
        </span>
        <span className="text-ink-2">{t('viewing.readOnly')}</span>
        <span className="text-ink-2 max-md:hidden">{t('viewing.left', { minutes })}</span>
      </p>
      <Button size="small" onClick={endViewing}>
        {t('viewing.end')}
      </Button>
    </section>
  )
}

function useMinutesLeft(expiresAt: string): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(Date.now())
      if (Date.now() >= Date.parse(expiresAt)) endViewing()
    }, lookMs)
    return () => clearInterval(timer)
  }, [expiresAt])
  return Math.max(0, Math.ceil((Date.parse(expiresAt) - now) / minuteMs))
}
