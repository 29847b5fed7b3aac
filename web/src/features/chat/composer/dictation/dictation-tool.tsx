import { Mic } from 'lucide-react'
import { type RefObject, Suspense, useState } from 'react'
import { LaterTexts, useText } from '../../../../shared/i18n/index.ts'
import { lazyPart } from '../../../../shared/lazy/index.ts'
import { ErrorBoundary, IconButton } from '../../../../shared/ui/index.ts'
import type { Dictating, Edit } from './dictate.ts'

const Dictation = lazyPart(async () => (await import('./dictation.tsx')).Dictation)

interface Props {
  readonly chatId: string | null
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly edit: Edit
}

/** The dictation button, whose code is loaded at the first use. */
export function DictationTool({ chatId, field, edit }: Props) {
  const { t } = useText()
  /** Number of starts, as the key of each dictation. */
  const [run, setRun] = useState(0)
  const [running, setRunning] = useState<Dictating | null>(null)
  return (
    <>
      <IconButton
        label={t('composer.dictation.label')}
        aria-pressed={running !== null}
        // Keeps the focus, and a phone's keyboard closed.
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => (running ? running.stop() : setRun(run + 1))}
        className="pointer-coarse:ms-1"
      >
        <Mic className={running ? 'size-4.5 text-brand' : 'size-4.5'} />
      </IconButton>
      {run > 0 && (
        <ErrorBoundary key={run} level="component">
          <Suspense>
            <LaterTexts part="panels">
              <Dictation chatId={chatId} field={field} edit={edit} onRunning={setRunning} />
            </LaterTexts>
          </Suspense>
        </ErrorBoundary>
      )}
    </>
  )
}
