import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { IconButton } from '../../../shared/ui/index.ts'
import type { ChatSession } from '../thread/session/chat-session.ts'
import type { ThreadMessage } from '../thread/state/thread-message.ts'
import { useIsBusy } from './use-thread-state.ts'

interface Props {
  readonly session: ChatSession
  readonly message: ThreadMessage
}

/** Switches between versions of a message, but not while an answer is being generated; renders nothing for a single one. */
export function Versions({ session, message: { id, versions } }: Props) {
  const { t } = useText()
  const isBusy = useIsBusy(session)
  const at = id === null ? -1 : versions.indexOf(id)
  if (versions.length < 2 || at < 0) return null
  const step = (label: string, to: string | undefined, icon: ReactNode) => (
    <IconButton
      label={label}
      size="small"
      disabled={isBusy || to === undefined}
      onClick={() => to !== undefined && session.showVersion(to)}
      className="text-ink-3"
    >
      {icon}
    </IconButton>
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <div role="group" aria-label={t('thread.versions.label')} className="flex items-center">
      {step(t('thread.versions.previous'), versions[at - 1], <ChevronLeft className="size-4 rtl:-scale-x-100" />)}
      <span className="min-w-8 text-center text-sm tabular-nums text-ink-2">
        <span aria-hidden="true">
          {at + 1}/{versions.length}
        </span>
        <span className="sr-only">{t('thread.versions.shown', { number: at + 1, count: versions.length })}</span>
      </span>
      {step(t('thread.versions.next'), versions[at + 1], <ChevronRight className="size-4 rtl:-scale-x-100" />)}
    </div>
  )
}
