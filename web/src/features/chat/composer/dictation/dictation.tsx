import { X } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useText } from '../../../../shared/i18n/index.ts'
import { readLocal, writeLocal } from '../../../../shared/session/index.ts'
import { Button, Dialog, IconButton } from '../../../../shared/ui/index.ts'
import { type Dictating, dictate, type Edit } from './dictate.ts'
import type { DictationFailure } from './dictation-failure.ts'
import { recogniserOf } from './recogniser.ts'
import { speechLanguage } from './speech-language.ts'

/** The local storage key that records that the privacy hint was shown. */
const hintShownKey = 'dictation-told'

/** Status of the dictation: beside the button, or in its own line on a phone. */
const beside = 'flex min-w-0 items-center gap-2 text-sm max-sm:order-first max-sm:basis-full max-sm:ps-2 max-sm:pb-1'

interface Props {
  readonly chatId: string | null
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly edit: Edit
  readonly onRunning: (running: Dictating | null) => void
}

/** One dictation: shows the privacy hint before the first one, listens, and reports how it ended. */
export function Dictation(props: Props) {
  const { t } = useText()
  const { field } = props
  const [state, setState] = useState<'asking' | 'listening' | 'over' | DictationFailure | null>(null)
  const dictation = useRecognition(props)
  const begin = () => {
    writeLocal(hintShownKey, 'yes')
    setState('listening')
    dictation.begin((failure) => setState(failure ?? 'over'))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once
  useEffect(() => {
    if (readLocal(hintShownKey) === null) setState('asking')
    else begin()
  }, [])
  if (state === 'asking') return <PrivacyHint onBegin={begin} onCancel={() => setState(null)} />
  if (state === 'listening' || state === 'over' || state === null) return <Listening state={state} />
  return (
    <div className={beside}>
      <p role="alert">{t(`composer.dictation.error.${state}`)}</p>
      <IconButton
        label={t('shared.dismiss')}
        size="small"
        onClick={() => {
          setState(null)
          field.current?.focus()
        }}
      >
        <X className="size-4" />
      </IconButton>
    </div>
  )
}

/** Listens in the interface's language until the page or the chat is left or Escape is pressed. */
function useRecognition({ chatId, field, edit, onRunning }: Props) {
  const { locale } = useText()
  const running = useRef<Dictating | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a dictation belongs to one chat
  useEffect(() => () => running.current?.abort(), [chatId])
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || running.current === null) return
      event.preventDefault()
      event.stopPropagation()
      running.current.stop()
    }
    // In the capture phase, before other handlers of Escape.
    document.addEventListener('keydown', onKeyDown, true)
    return () => document.removeEventListener('keydown', onKeyDown, true)
  }, [])
  const begin = (onEnd: (failure: DictationFailure | null) => void) => {
    const Recogniser = recogniserOf(globalThis as Parameters<typeof recogniserOf>[0])
    if (!Recogniser || !field.current) return onEnd('other')
    const recogniser = new Recogniser()
    recogniser.lang = speechLanguage(locale, navigator.languages)
    recogniser.interimResults = true
    // On Android, continuous recognition repeats the earlier phrases with each new one.
    recogniser.continuous = !/android/i.test(navigator.userAgent)
    const change = (now: Dictating | null) => {
      running.current = now
      onRunning(now)
    }
    change(
      dictate({
        recogniser,
        field: field.current,
        edit,
        onEnd: (failure) => {
          change(null)
          onEnd(failure)
        },
      }),
    )
  }
  return { begin }
}

/** The privacy hint, shown before the first dictation in a browser. */
function PrivacyHint({ onBegin, onCancel }: { onBegin: () => void; onCancel: () => void }) {
  const { t } = useText()
  return (
    <Dialog open onClose={onCancel} title={t('composer.dictation.hintTitle')} closable={false}>
      <p className="text-ink-2">{t('composer.dictation.hint')}</p>
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onCancel}>{t('shared.cancel')}</Button>
        <Button look="primary" onClick={onBegin}>
          {t('composer.dictation.begin')}
        </Button>
      </div>
    </Dialog>
  )
}

/** Shows that the browser is listening; the end is only announced to screen readers. */
function Listening({ state }: { state: 'listening' | 'over' | null }) {
  const { t } = useText()
  const on = state === 'listening'
  return (
    <p role="status" className={on ? `${beside} ps-1` : 'sr-only'}>
      {on && (
        <span
          aria-hidden="true"
          className="size-2 shrink-0 animate-pulse rounded-full bg-brand motion-reduce:animate-none"
        />
      )}
      {state && t(on ? 'composer.dictation.listening' : 'composer.dictation.stopped')}
      {on && <span className="truncate text-ink-3 pointer-coarse:hidden">{t('composer.dictation.escape')}</span>}
    </p>
  )
}
