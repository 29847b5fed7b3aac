import { useState } from 'react'
import { apiFetch } from '../../../shared/api/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Box, Button } from '../../../shared/ui/index.ts'
import { calls } from '../data/calls.ts'
import { failureText } from '../data/failure-text.ts'
import { Panel } from '../frame/page.tsx'
import { isBuffered, readStreamTest, type StreamTest } from './stream-test.ts'

type Outcome = { readonly found: StreamTest } | { readonly error: unknown } | 'running' | null

/** Tests whether a proxy between this browser and Parley buffers event streams. */
export function StreamPanel() {
  const { t } = useText()
  const [outcome, setOutcome] = useState<Outcome>(null)
  const run = async () => {
    setOutcome('running')
    try {
      const { body } = await apiFetch(calls.streamTest.path)
      setOutcome({ found: await readStreamTest(body ?? new ReadableStream(), () => performance.now()) })
    } catch (error) {
      setOutcome({ error })
    }
  }
  const words = (): string => {
    if (outcome === null) return t('health.stream.idle')
    if (outcome === 'running') return t('health.stream.running')
    if ('error' in outcome) return failureText(outcome.error, t('health.stream.failed'), t)
    const { arrivedMs, sentMs } = outcome.found
    const times = { arrived: arrivedMs / 1_000, sent: sentMs / 1_000 }
    return t(isBuffered(outcome.found) ? 'health.stream.buffered' : 'health.stream.fine', times)
  }
  const isBad = outcome !== null && outcome !== 'running' && ('error' in outcome || isBuffered(outcome.found))
  return (
    <Panel
      title={t('health.stream.title')}
      lead={t('health.stream.lead')}
      aside={
        <Button size="small" busy={outcome === 'running'} onClick={() => void run()}>
          {t('health.stream.run')}
        </Button>
      }
    >
      <Box>
        <p role="status" className={isBad ? 'text-danger' : 'text-ink-2'}>
          {words()}
        </p>
      </Box>
    </Panel>
  )
}
