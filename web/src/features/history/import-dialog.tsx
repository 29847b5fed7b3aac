import { useQueryClient } from '@tanstack/react-query'
import { FileUp } from 'lucide-react'
import { useRef, useState } from 'react'
import { apiFetch, endpoints, historyQuery, messageOf, pathOf } from '../../shared/api/index.ts'
import { type Translate, useText } from '../../shared/i18n/index.ts'
import { Button, Dialog } from '../../shared/ui/index.ts'

/** Bytes that the server takes. */
const maxBytes = 32 * 1024 * 1024
/** Milliseconds that an import may take. */
const importMs = 5 * 60_000

/** What became of the chosen file. */
type ImportState =
  | { readonly type: 'idle' }
  | { readonly type: 'running'; readonly name: string }
  | { readonly type: 'done'; readonly imported: number; readonly skipped: number }
  | { readonly type: 'failed'; readonly text: string }

/** Takes a file of chats in, from here or from elsewhere, and says what came of it. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useText()
  const picker = useRef<HTMLInputElement>(null)
  const { state, take } = useImport()
  const running = state.type === 'running'
  return (
    <Dialog open onClose={onClose} title={t('history.import')}>
      <p className="text-ink-2">{t('history.importHint')}</p>
      <div role="status" className="mt-4 min-h-6">
        {running && t('history.importRunning', { name: state.name })}
        {running && <progress className="mt-2 block h-1 w-full overflow-hidden rounded-full accent-brand" />}
        {state.type === 'done' && <p className="font-medium">{t('history.importDone', { ...state })}</p>}
      </div>
      {state.type === 'failed' && (
        <p role="alert" className="text-danger">
          {state.text}
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
          if (file) void take(file)
          event.target.value = ''
        }}
        className="hidden"
      />
      <div className="mt-5 flex justify-end gap-2">
        {state.type === 'done' && <Button onClick={onClose}>{t('history.importClose')}</Button>}
        <Button
          look={state.type === 'done' ? 'plain' : 'primary'}
          busy={running}
          onClick={() => picker.current?.click()}
        >
          <FileUp aria-hidden="true" className="size-4" strokeWidth={1.6} />
          {t('history.importChoose')}
        </Button>
      </div>
    </Dialog>
  )
}

function useImport() {
  const { t } = useText()
  const client = useQueryClient()
  const [state, setState] = useState<ImportState>({ type: 'idle' })
  const take = async (file: File): Promise<void> => {
    setState({ type: 'running', name: file.name })
    try {
      const body = await readJson(file, t)
      const response = await apiFetch(pathOf(endpoints.importChats, {}), {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
        timeoutMs: importMs,
      })
      const { imported, skipped } = (await response.json()) as { imported: number; skipped: number }
      setState({ type: 'done', imported, skipped })
      void client.invalidateQueries({ queryKey: historyQuery.queryKey })
    } catch (error) {
      setState({
        type: 'failed',
        text: error instanceof Unreadable ? error.message : messageOf(error, t('history.importFailed')),
      })
    }
  }
  return { state, take }
}

/** The file is not one that can be sent; its message is for people. */
class Unreadable extends Error {}

async function readJson(file: File, t: Translate): Promise<string> {
  if (file.size > maxBytes) throw new Unreadable(t('history.importTooLarge', { name: file.name }))
  const text = await file.text()
  try {
    JSON.parse(text)
  } catch {
    throw new Unreadable(t('history.importNotJson', { name: file.name }))
  }
  return text
}
