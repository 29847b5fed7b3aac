import { Check, CircleAlert } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { notify } from '../../shared/ui/index.ts'

type Saving = 'idle' | 'saving' | 'saved' | 'failed'

/** Tracks automatic saving. `run` never throws: it shows a failure and resolves to false. */
export function useSaving(): { state: Saving; run: (work: Promise<void>) => Promise<boolean> } {
  const [state, setState] = useState<Saving>('idle')
  const run = async (work: Promise<void>): Promise<boolean> => {
    setState('saving')
    try {
      await work
      setState('saved')
      return true
    } catch (error) {
      setState('failed')
      notify.error((now) => messageOf(error, now('profile.failed')), { id: 'profile' })
      return false
    }
  }
  return { state, run }
}

/** Shows whether choices are saved. It reserves its space, so that nothing moves. */
export function SaveState({ state }: { state: Saving }) {
  const { t } = useText()
  return (
    <p role="status" className="flex h-5 shrink-0 items-center gap-1.5 text-sm text-ink-3">
      {state === 'saved' && <Check className="size-4 text-ok stroke-[1.8]" />}
      {state === 'failed' && <CircleAlert className="size-4 text-danger" />}
      {state !== 'idle' && t(`profile.saving.${state}`)}
    </p>
  )
}
