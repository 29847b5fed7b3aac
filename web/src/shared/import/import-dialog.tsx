import { FileUp } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { useText } from '../i18n/index.ts'
import { Button, Dialog } from '../ui/index.ts'

interface Props {
  readonly title: string
  readonly hint: string
  readonly busy: boolean
  /** Progress and result, announced on change. */
  readonly status: ReactNode
  readonly failure: string | undefined
  /** Actions on the result, in addition to choosing another file. */
  readonly actions: ReactNode
  readonly onFile: (file: File) => void
  readonly onClose: () => void
  readonly children?: ReactNode
}

/** Imports a JSON file and shows the progress and result. */
export function ImportDialog(props: Props) {
  const { title, hint, busy, status, failure, actions, onFile, onClose, children } = props
  const { t } = useText()
  const picker = useRef<HTMLInputElement>(null)
  return (
    <Dialog open onClose={onClose} title={title}>
      <p className="text-ink-2">{hint}</p>
      <div role="status" className="mt-4 min-h-6">
        {status}
      </div>
      {children}
      {failure !== undefined && (
        <p role="alert" className="text-danger">
          {failure}
        </p>
      )}
      <input
        ref={picker}
        type="file"
        accept=".json,application/json"
        aria-label={t('history.importChoose')}
        tabIndex={-1}
        onChange={(event) => {
          const file = event.target.files?.[0]
          if (file) onFile(file)
          event.target.value = ''
        }}
        className="hidden"
      />
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        {actions}
        <Button look={actions ? 'plain' : 'primary'} busy={busy} onClick={() => picker.current?.click()}>
          <FileUp className="size-4" />
          {t('history.importChoose')}
        </Button>
      </div>
    </Dialog>
  )
}
