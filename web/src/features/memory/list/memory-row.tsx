import type { Memory } from '@parley/contracts'
import { History, Pencil, Trash2, X } from 'lucide-react'
import { useId, useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { ConfirmDialog, MenuItem, OptionsMenu } from '../../../shared/ui/index.ts'
import { MemoryFacts } from '../memory-facts.tsx'
import { MemoryForm } from '../memory-form.tsx'
import type { MemoryActions } from '../use-memory-actions.ts'
import { useReturnFocus } from '../use-return-focus.ts'
import { HistoryDialog } from './history-dialog.tsx'

interface Props {
  readonly memory: Memory
  readonly selected: boolean
  readonly actions: MemoryActions
  readonly chatPath: (chatId: string) => string
  readonly onSelect: () => void
  /** Removes it, restorably or permanently. */
  readonly onRemove: (forGood: boolean) => void
  readonly onLeave: () => void
}

/** One memory: its text, its origin, and its actions. */
export function MemoryRow({ memory, selected, actions, chatPath, onSelect, onRemove, onLeave }: Props) {
  const { t } = useText()
  const id = useId()
  const [open, setOpen] = useState<'edit' | 'history' | 'remove' | null>(null)
  const { ref, returnFocus } = useReturnFocus()
  const endEdit = () => {
    returnFocus()
    setOpen(null)
  }
  if (open === 'edit') {
    return (
      <li className="p-4">
        <MemoryForm
          before={memory}
          submitLabel={t('memory.save')}
          fallback="memory.change.failed"
          submit={async (values) => {
            await actions.update(memory, values)
            endEdit()
          }}
          onCancel={endEdit}
        />
      </li>
    )
  }
  return (
    <li className="flex items-start gap-3 py-3 ps-4 pe-2">
      <input
        type="checkbox"
        checked={selected}
        onChange={onSelect}
        aria-labelledby={id}
        className="target mt-1 size-4 shrink-0 accent-(--brand)"
      />
      <div ref={ref} data-row tabIndex={-1} className="min-w-0 flex-1 rounded-sm">
        <p id={id} dir="auto" className="line-clamp-6 whitespace-pre-wrap wrap-anywhere">
          {memory.text}
        </p>
        <MemoryFacts memory={memory} chatPath={chatPath} onLeave={onLeave} />
      </div>
      <OptionsMenu label={t('memory.optionsOf', { text: memory.text.slice(0, 60) })} size="small">
        <MenuItem icon={<Pencil />} keepsFocus onSelect={() => setOpen('edit')}>
          {t('memory.edit')}
        </MenuItem>
        <MenuItem icon={<History />} onSelect={() => setOpen('history')}>
          {t('memory.history')}
        </MenuItem>
        <MenuItem icon={<X />} keepsFocus onSelect={() => onRemove(false)}>
          {t('memory.remove')}
        </MenuItem>
        <MenuItem icon={<Trash2 />} danger onSelect={() => setOpen('remove')}>
          {t('memory.removeForGood')}
        </MenuItem>
      </OptionsMenu>
      {open === 'history' && <HistoryDialog memory={memory} onClose={() => setOpen(null)} />}
      <ConfirmDialog
        open={open === 'remove'}
        onClose={() => setOpen(null)}
        title={t('memory.removeForGood.title')}
        text={t('memory.removeForGood.text')}
        confirmLabel={t('memory.removeForGood')}
        onConfirm={() => {
          setOpen(null)
          onRemove(true)
        }}
      />
    </li>
  )
}
