import { Download, Ellipsis, FileUp, RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { ConfirmDialog, IconButton, Menu, MenuItem } from '../../../shared/ui/index.ts'
import { MemoryImport } from '../transfer/memory-import.tsx'
import type { MemoryActions } from '../use-memory-actions.ts'

const icon = { 'aria-hidden': true, className: 'size-4', strokeWidth: 1.6 } as const

/** Actions on all memories. */
export function ListMenu({ actions }: { actions: MemoryActions }) {
  const { t } = useText()
  const [asking, setAsking] = useState(false)
  const [importing, setImporting] = useState(false)
  const [busy, setBusy] = useState(false)
  const clear = async () => {
    setBusy(true)
    await actions.clear()
    setBusy(false)
    setAsking(false)
  }
  return (
    <>
      <Menu
        label={t('memory.options')}
        align="end"
        trigger={(props) => (
          <IconButton label={t('memory.options')} {...props}>
            <Ellipsis aria-hidden="true" className="size-4.5" strokeWidth={1.6} />
          </IconButton>
        )}
      >
        <MenuItem icon={<Download {...icon} />} onSelect={() => void actions.exportAll()}>
          {t('memory.export')}
        </MenuItem>
        <MenuItem icon={<FileUp {...icon} />} onSelect={() => setImporting(true)}>
          {t('memory.import')}
        </MenuItem>
        <MenuItem icon={<RotateCcw {...icon} />} onSelect={() => void actions.restoreCleared()}>
          {t('memory.restoreCleared')}
        </MenuItem>
        <MenuItem icon={<Trash2 {...icon} />} danger onSelect={() => setAsking(true)}>
          {t('memory.clear')}
        </MenuItem>
      </Menu>
      {importing && <MemoryImport onClose={() => setImporting(false)} />}
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t('memory.clear.title')}
        text={t('memory.clear.text')}
        confirmLabel={t('memory.clear.confirm')}
        busy={busy}
        onConfirm={() => void clear()}
      />
    </>
  )
}
