import { FileUp } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Button, Dialog } from '../ui/index.ts'

interface Props {
  readonly title: string
  readonly hint: string
  /** What the button says that asks for a file. */
  readonly choose: string
  /** A file is being taken in. */
  readonly busy: boolean
  /** Said as it changes: how far it is, what came of it. */
  readonly status: ReactNode
  /** Why nothing came of it. */
  readonly failure: string | undefined
  /** What can be done with what came of it, beside the choice of another file. */
  readonly actions: ReactNode
  readonly onFile: (file: File) => void
  readonly onClose: () => void
  /** More about what came of it. */
  readonly children?: ReactNode
}

/** Asks for a JSON file to take in, and shows what becomes of it. */
export function ImportDialog(props: Props) {
  const { title, hint, choose, busy, status, failure, actions, onFile, onClose, children } = props
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
        aria-label={choose}
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
          <FileUp aria-hidden="true" className="size-4" strokeWidth={1.6} />
          {choose}
        </Button>
      </div>
    </Dialog>
  )
}
