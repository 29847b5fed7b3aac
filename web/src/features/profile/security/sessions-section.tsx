import type { Session } from '@parley/contracts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { endpoints, messageOf, request, sessionsQuery, unlessGone } from '../../../shared/api/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Loaded } from '../../../shared/loaded.tsx'
import { Box, Button, ConfirmDialog, notify, useFocusAfter } from '../../../shared/ui/index.ts'
import { Section } from '../page.tsx'
import { SessionRow, useDeviceName } from './session-row.tsx'

/** All sessions of the account, each of which can be ended. */
export function SessionsSection() {
  const { t } = useText()
  const query = useQuery(sessionsQuery)
  const sessions = query.data?.toSorted(currentFirst)
  const list = useRef<HTMLUListElement>(null)
  const ending = useEnding(useFocusAfter(list, sessions?.length))
  return (
    <Section
      title={t('profile.sessions.title')}
      lead={t('profile.sessions.lead')}
      aside={
        sessions !== undefined &&
        sessions.length > 1 && (
          <Button size="small" onClick={() => ending.ask('others')}>
            {t('profile.sessions.endOthers')}
          </Button>
        )
      }
    >
      <Box className="">
        <Loaded query={query} failed={t('profile.sessions.failed')} shape={['45%', '30%', '45%', '30%']}>
          {() => (
            <ul ref={list} className="divide-y divide-line">
              {sessions?.map((session, index) => (
                <SessionRow key={session.id} session={session} onEnd={() => ending.ask({ session, index })} />
              ))}
            </ul>
          )}
        </Loaded>
      </Box>
      {ending.dialog}
    </Section>
  )
}

const currentFirst = (a: Session, b: Session): number =>
  Number(b.current) - Number(a.current) || b.lastUsedAt.localeCompare(a.lastUsedAt)

type Asked = 'others' | { readonly session: Session; readonly index: number }

function useEnding(focusAfter: (place: number) => void) {
  const { t } = useText()
  const client = useQueryClient()
  const deviceName = useDeviceName()
  const [asked, ask] = useState<Asked | null>(null)
  const [busy, setBusy] = useState(false)
  const end = async (what: Asked) => {
    setBusy(true)
    try {
      if (what === 'others') await request(endpoints.endOtherSessions)
      else await request(endpoints.endSession, { params: { id: what.session.id } }).catch(unlessGone)
      // Closed first: an open dialog keeps the focus inside.
      flushSync(() => ask(null))
      focusAfter(what === 'others' ? 0 : what.index)
      client.setQueryData(sessionsQuery.queryKey, (sessions) =>
        sessions?.filter((one) => (what === 'others' ? one.current : one.id !== what.session.id)),
      )
      notify.success((now) => now(what === 'others' ? 'profile.sessions.endedOthers' : 'profile.sessions.ended'), {
        id: 'profile',
      })
    } catch (error) {
      notify.error((now) => messageOf(error, now('profile.sessions.endFailed')), { id: 'profile' })
      ask(null)
    } finally {
      setBusy(false)
      void client.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    }
  }
  const dialog = (
    <ConfirmDialog
      open={asked !== null}
      onClose={() => ask(null)}
      title={t(asked === 'others' ? 'profile.sessions.endOthersTitle' : 'profile.sessions.endTitle')}
      text={
        asked === null || asked === 'others'
          ? t('profile.sessions.endOthersText')
          : t('profile.sessions.endText', { device: deviceName(asked.session.userAgent) })
      }
      confirmLabel={t('profile.sessions.end')}
      busy={busy}
      onConfirm={() => asked && void end(asked)}
    />
  )
  return { ask, dialog }
}
