import type { MemorySuggestion } from '@parley/contracts'
import { useId, useState } from 'react'
import { inSequence, useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/index.ts'
import { MemoryFacts } from '../memory-facts.tsx'
import { MemoryForm, type MemoryValues } from '../memory-form.tsx'
import type { MemoryActions } from '../use-memory-actions.ts'
import { useReturnFocus } from '../use-return-focus.ts'

interface Props {
  readonly suggestion: MemorySuggestion
  readonly actions: MemoryActions
  readonly chatPath: (chatId: string) => string
  /** It is about to leave the list. */
  readonly onDecide: () => void
  readonly onLeave: () => void
}

/** One suggestion with its reason; it is stored unchanged, edited first, or dismissed. */
export function SuggestionRow({ suggestion, actions, chatPath, onDecide, onLeave }: Props) {
  const { t } = useText()
  const id = useId()
  const [editing, setEditing] = useState(false)
  const [busy, setBusy] = useState(false)
  const { ref, returnFocus } = useReturnFocus()
  const approve = async (values?: MemoryValues) => {
    await actions.approve(suggestion, values)
    onDecide()
  }
  const approveAsIs = async () => {
    setBusy(true)
    try {
      await approve()
    } catch (error) {
      actions.fail(error, 'memory.approve.failed')
      setBusy(false)
    }
  }
  if (editing) {
    return (
      <li className="p-4">
        <MemoryForm
          before={suggestion}
          submitLabel={t('memory.approve')}
          fallback="memory.approve.failed"
          submit={approve}
          onCancel={() => {
            returnFocus()
            setEditing(false)
          }}
        />
      </li>
    )
  }
  const merged = suggestion.merges?.length ?? 0
  return (
    <li className="px-4 py-3">
      <div ref={ref} data-row tabIndex={-1} className="rounded-sm">
        <p id={id} dir="auto" className="line-clamp-6 whitespace-pre-wrap wrap-anywhere">
          {suggestion.text}
        </p>
        <p dir="auto" className="mt-1 text-sm text-ink-2">
          {inSequence(suggestion.reason, merged > 0 ? t('memory.suggestions.merges', { count: merged }) : '')}
        </p>
        <MemoryFacts memory={suggestion} chatPath={chatPath} onLeave={onLeave} />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
      <div role="group" aria-labelledby={id} className="mt-3 flex flex-wrap gap-2">
        <Button size="small" busy={busy} onClick={() => void approveAsIs()}>
          {t('memory.approve')}
        </Button>
        <Button size="small" look="quiet" onClick={() => setEditing(true)}>
          {t('memory.editAndApprove')}
        </Button>
        <Button
          size="small"
          look="quiet"
          onClick={() => {
            onDecide()
            void actions.dismiss(suggestion)
          }}
        >
          {t('memory.dismiss')}
        </Button>
      </div>
    </li>
  )
}
