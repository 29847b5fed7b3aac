import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiFetch, endpoints, historyQuery, messageOf, pathOf } from '../../shared/api/index.ts'
import { useText, type Wording } from '../../shared/i18n/index.ts'
import { ImportDialog } from '../../shared/import/index.ts'
import { Button } from '../../shared/ui/index.ts'
import { type ImportDeps, ImportFailure, type ImportProgress, importFile } from './import-call.ts'

/** The server's limit in bytes. */
const maxBytes = 32 * 1024 * 1024
/** Timeout of an import in milliseconds. */
const importMs = 10 * 60_000
/** Milliseconds before a broken connection is reopened. */
const pauseMs = 2_000

type ImportState =
  | { readonly type: 'idle' }
  | { readonly type: 'running'; readonly name: string; readonly progress: ImportProgress | null }
  | { readonly type: 'done'; readonly imported: number; readonly skipped: number }
  | { readonly type: 'failed'; readonly words: Wording }

/** Imports a file of chats from Parley or other products, and shows the result. */
export function ChatImport({ onClose }: { onClose: () => void }) {
  const { t } = useText()
  const { state, take } = useImport()
  const running = state.type === 'running'
  const done = state.type === 'done'
  return (
    <ImportDialog
      title={t('history.import')}
      hint={t('history.importHint')}
      busy={running}
      status={
        <>
          {running && t('history.importRunning', { name: state.name })}
          {done && <p className="font-medium">{t('history.importDone', { ...state })}</p>}
        </>
      }
      failure={state.type === 'failed' ? state.words(t) : undefined}
      actions={done && <Button onClick={onClose}>{t('history.importClose')}</Button>}
      onFile={(file) => void take(file)}
      onClose={onClose}
    >
      {running && <Progress progress={state.progress} />}
    </ImportDialog>
  )
}

/** The progress of the import; without a number during the upload. */
function Progress({ progress }: { progress: ImportProgress | null }) {
  const { t } = useText()
  const text = progress === null ? t('history.importSending') : t('history.importProgress', { ...progress })
  return (
    <div className="mt-2">
      <progress
        aria-label={t('history.import')}
        aria-valuetext={text}
        {...(progress && { value: progress.done, max: Math.max(1, progress.total) })}
        className="block h-1.5 w-full appearance-none overflow-hidden rounded-full [&::-moz-progress-bar]:bg-brand [&::-webkit-progress-bar]:bg-active [&::-webkit-progress-value]:bg-brand"
      />
      <p className="mt-1.5 text-sm text-ink-2 tabular-nums">{text}</p>
    </div>
  )
}

function useImport() {
  const client = useQueryClient()
  const [state, setState] = useState<ImportState>({ type: 'idle' })
  const fail = (words: Wording) => setState({ type: 'failed', words })
  const take = async (file: File): Promise<void> => {
    const { name } = file
    if (file.size > maxBytes) return fail((t) => t('history.importTooLarge', { name }))
    setState({ type: 'running', name, progress: null })
    try {
      const body = await file.text()
      if (!isJson(body)) return fail((t) => t('history.importNotJson', { name }))
      const onProgress = (progress: ImportProgress) => setState({ type: 'running', name, progress })
      const { imported, skipped } = await importFile(importDeps, body, onProgress)
      setState({ type: 'done', imported, skipped })
    } catch (error) {
      fail((t) => (error instanceof ImportFailure ? error.message : messageOf(error, t('history.importFailed'))))
    }
    // Including what was imported before a failure.
    void client.invalidateQueries({ queryKey: historyQuery.queryKey })
  }
  return { state, take }
}

const importDeps: ImportDeps = {
  send: (body) =>
    apiFetch(pathOf(endpoints.importChats, {}), {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      timeoutMs: importMs,
    }),
  pause: () => new Promise((resolve) => setTimeout(resolve, pauseMs)),
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
