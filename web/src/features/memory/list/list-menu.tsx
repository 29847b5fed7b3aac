import { Download, FileUp, RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { ConfirmDialog, MenuItem, OptionsMenu } from '../../../shared/ui/index.ts'
import { MemoryImport } from '../transfer/memory-import.tsx'
import type { MemoryActions } from '../use-memory-actions.ts'

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
      <OptionsMenu label={t('memory.options')}>
        <MenuItem icon={<Download />} onSelect={() => void actions.exportAll()}>
          {t('memory.export')}
        </MenuItem>
        <MenuItem icon={<FileUp />} onSelect={() => setImporting(true)}>
          {t('memory.import')}
        </MenuItem>
        <MenuItem icon={<RotateCcw />} onSelect={() => void actions.restoreCleared()}>
          {t('memory.restoreCleared')}
        </MenuItem>
        <MenuItem icon={<Trash2 />} danger onSelect={() => setAsking(true)}>
          {t('memory.clear')}
        </MenuItem>
      </OptionsMenu>
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
