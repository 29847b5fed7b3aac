import type { Memory } from '@parley/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { memoryKey } from '../../../shared/api/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Dialog, notify } from '../../../shared/ui/index.ts'
import { addMemory } from '../add-memory.ts'
import { MemoryForm } from '../memory-form.tsx'

interface Props {
  readonly text: string
  /** The message it comes from. */
  readonly source: NonNullable<Memory['source']>
  readonly onClose: () => void
}

/** Remembers a message's text, which can be edited first. */
export function RememberDialog({ text, source, onClose }: Props) {
  const { t } = useText()
  const client = useQueryClient()
  return (
    <Dialog open onClose={onClose} title={t('memory.remember.title')} closable={false}>
      <MemoryForm
        before={{ text, category: 'general' }}
        submitLabel={t('memory.remember')}
        fallback="memory.add.failed"
        submit={async (values) => {
          const { isNew } = await addMemory({ ...values, source })
          onClose()
          notify.success((now) => now(isNew ? 'memory.added' : 'memory.known'), { id: 'memory' })
          void client.invalidateQueries({ queryKey: memoryKey })
        }}
        onCancel={onClose}
      />
    </Dialog>
  )
}
