import type { DeadLetters } from '@parley/contracts'
import { request } from '../../../shared/api/index.ts'
import { FormAlert } from '../../../shared/forms/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { ConfirmDialog } from '../../../shared/ui/index.ts'
import { agoText } from '../data/ago.ts'
import { calls } from '../data/calls.ts'
import { useAct } from '../data/use-act.ts'
import { Panel } from '../frame/page.tsx'
import { ActButton } from '../parts/read-only.tsx'
import { RowBox } from '../parts/row-box.tsx'

/** Timeout in milliseconds: a replay runs the handlers of all waiting events. */
const replayMs = 120_000

/** Dead letters of the consumer groups, to be replayed or dropped. */
export function DeadLettersPanel({ deadLetters }: { deadLetters: readonly DeadLetters[] }) {
  const { t, locale } = useText()
  const { act, busy, asked, ask, failure } = useAct<DeadLetters>()
  const replay = (group: string) =>
    act(() => request(calls.replayDeadLetters, { params: { group }, timeoutMs: replayMs }), {
      done: (now) => now('health.letters.replayed', { group }),
      failed: (now) => now('health.letters.replayFailed'),
    })
  const drop = (group: string) =>
    act(() => request(calls.dropDeadLetters, { params: { group } }), {
      done: (now) => now('health.letters.dropped', { group }),
      failed: (now) => now('health.letters.dropFailed'),
    })
  return (
    <Panel title={t('health.letters.title')} lead={t('health.letters.lead')}>
      <RowBox empty={t('health.letters.none')}>
        {deadLetters.map((letters) => (
          <li key={letters.group} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
            <div className="me-auto min-w-0">
              <p className="font-medium wrap-anywhere">{letters.group}</p>
              <p className="text-sm text-ink-2">
                {t('health.letters.count', {
                  count: letters.count,
                  ago: agoText(Date.parse(letters.oldestAt), Date.now(), locale),
                })}
              </p>
            </div>
            <ActButton size="small" busy={busy} onClick={() => void replay(letters.group)}>
              {t('health.letters.replay', { count: letters.count })}
            </ActButton>
            <ActButton size="small" look="danger" onClick={() => ask(letters)}>
              {t('health.letters.drop', { count: letters.count })}
            </ActButton>
          </li>
        ))}
      </RowBox>
      <ConfirmDialog
        open={asked !== null}
        onClose={() => ask(null)}
        title={t('health.letters.dropTitle', { count: asked?.count ?? 0, group: asked?.group ?? '' })}
        text={t('health.letters.dropText')}
        confirmLabel={t('health.letters.drop', { count: asked?.count ?? 0 })}
        busy={busy}
        onConfirm={() => asked && void drop(asked.group)}
      >
        <FormAlert message={failure} />
      </ConfirmDialog>
    </Panel>
  )
}
