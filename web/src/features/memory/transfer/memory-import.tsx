import type { MemoryImportOutcome } from '@parley/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { endpoints, memoryKey, messageOf, request } from '../../../shared/api/index.ts'
import { useText, type Wording } from '../../../shared/i18n/index.ts'
import { ImportDialog } from '../../../shared/import/index.ts'
import { Button } from '../../../shared/ui/index.ts'
import { importEntries, maxFileBytes, readEntries } from './memory-file.ts'

/** Maximum number of faults shown; there may be thousands. */
const mostFaults = 50

type ImportState =
  | { readonly type: 'idle' }
  | { readonly type: 'running'; readonly done: number; readonly total: number }
  | { readonly type: 'done'; readonly file: File; readonly outcome: MemoryImportOutcome }
  | { readonly type: 'failed'; readonly words: Wording }

/** Imports a file of memories, and shows the result of each entry. Removed memories stay removed unless the user asks for them. */
export function MemoryImport({ onClose }: { onClose: () => void }) {
  const { t } = useText()
  const { state, take } = useImport()
  const running = state.type === 'running'
  const done = state.type === 'done'
  return (
    <ImportDialog
      title={t('memory.import.title')}
      hint={t('memory.import.hint')}
      busy={running}
      status={
        <>
          {running && <p className="tabular-nums">{t('memory.import.progress', { ...state })}</p>}
          {done && <Result outcome={state.outcome} />}
        </>
      }
      failure={state.type === 'failed' ? state.words(t) : undefined}
      actions={
        done && (
          <>
            <Button onClick={onClose}>{t('history.importClose')}</Button>
            {state.outcome.removed > 0 && (
              <Button onClick={() => void take(state.file, true)}>{t('memory.import.includeRemoved')}</Button>
            )}
          </>
        )
      }
      onFile={(file) => void take(file, false)}
      onClose={onClose}
    >
      {done && <Faults faults={state.outcome.faults} />}
    </ImportDialog>
  )
}

function Result({ outcome: { imported, known, removed, full } }: { outcome: MemoryImportOutcome }) {
  const { t } = useText()
  return (
    <>
      <p className="font-medium">{t('memory.import.done', { count: imported })}</p>
      {known > 0 && <p>{t('memory.import.known', { count: known })}</p>}
      {removed > 0 && <p>{t('memory.import.removed', { count: removed })}</p>}
      {full > 0 && <p className="text-danger">{t('memory.import.full', { count: full })}</p>}
    </>
  )
}

/** Why entries are invalid, by their position in the file. */
function Faults({ faults }: Pick<MemoryImportOutcome, 'faults'>) {
  const { t } = useText()
  if (faults.length === 0) return null
  return (
    <div className="mt-3 text-sm">
      <p className="text-danger">{t('memory.import.faults', { count: faults.length })}</p>
      <ul
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by keyboard.
        tabIndex={0}
        aria-label={t('memory.import.faultList')}
        className="mt-1 max-h-40 list-disc overflow-y-auto ps-5 text-ink-2"
      >
        {faults.slice(0, mostFaults).map(({ entry, message }) => (
          <li key={entry} dir="auto">
            {t('memory.import.fault', { entry, message })}
          </li>
        ))}
      </ul>
    </div>
  )
}

function useImport() {
  const client = useQueryClient()
  const [state, setState] = useState<ImportState>({ type: 'idle' })
  const take = async (file: File, includeRemoved: boolean): Promise<void> => {
    if (file.size > maxFileBytes) {
      return setState({ type: 'failed', words: (t) => t('history.importTooLarge', { name: file.name }) })
    }
    const entries = await file.text().then(readEntries, () => undefined)
    if (entries === undefined) {
      return setState({ type: 'failed', words: (t) => t('memory.import.notMemories', { name: file.name }) })
    }
    const onProgress = (done: number) => setState({ type: 'running', done, total: entries.length })
    const send = (part: typeof entries) =>
      request(endpoints.importMemories, { body: { memories: [...part], includeRemoved } })
    try {
      setState({ type: 'done', file, outcome: await importEntries(entries, send, onProgress) })
    } catch (error) {
      setState({ type: 'failed', words: (t) => messageOf(error, t('history.importFailed')) })
    }
    // Including what was imported before a failure.
    await client.invalidateQueries({ queryKey: memoryKey })
  }
  return { state, take }
}
