import { RotateCcw } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { defaultKeys, type ShortcutName } from '../../../shared/keyboard/index.ts'
import { Button, IconButton, Kbd } from '../../../shared/ui/index.ts'
import type { Recorder } from './use-recorder.ts'

/** A shortcut with its keys; its button records new ones and keeps the focus. */
export function ShortcutRow({ name, recorder }: { name: ShortcutName; recorder: Recorder }) {
  const { t } = useText()
  const button = useRef<HTMLButtonElement>(null)
  const action = t(`composer.keys.${name}`)
  const keys = recorder.keys[name]
  const state = recorder.recording?.name === name ? recorder.recording : null
  const verdict = state?.verdict ?? null
  /** The other shortcut's keys, offered in exchange. */
  const offered = verdict?.type === 'taken' && verdict.swappable ? verdict.keys : null
  const listens = state !== null && offered === null
  const then = (act: () => void) => () => {
    act()
    button.current?.focus()
  }
  return (
    <div className="flex flex-wrap items-center gap-x-2 py-1">
      <dt className="flex-auto py-1 text-ink-2">{action}</dt>
      <dd className="ms-auto flex items-center gap-1">
        <span className="me-1">{listens ? <Listening /> : <Kbd keys={keys} />}</span>
        {keys !== defaultKeys[name] && !state && (
          <IconButton
            label={t('composer.keys.resetOf', { action })}
            size="small"
            onClick={then(() => recorder.reset(name))}
          >
            <RotateCcw className="size-4" />
          </IconButton>
        )}
        <Button
          ref={button}
          size="small"
          look="quiet"
          aria-label={t(listens ? 'composer.keys.cancelOf' : 'composer.keys.changeOf', { action })}
          onClick={(event) => {
            // Not every browser focuses a clicked button, but it has to receive the key presses.
            event.currentTarget.focus()
            if (listens) recorder.cancel()
            else recorder.start(name)
          }}
          onKeyDown={listens ? (event) => recorder.press(event, name) : undefined}
          // Some browsers click on the release of the space bar even if its press was handled.
          onKeyUp={listens ? (event) => event.preventDefault() : undefined}
          onBlur={listens ? recorder.cancel : undefined}
          className="-me-2 px-2"
        >
          {t(listens ? 'shared.cancel' : 'composer.keys.change')}
        </Button>
      </dd>
      {verdict && (
        <dd className="flex basis-full flex-wrap items-center justify-end gap-2 py-1 text-sm text-ink-2">
          <span className="min-w-40 flex-1">{recorder.noteOf(verdict)}</span>
          {offered && <Offer onSwap={then(() => recorder.give(name, offered))} onCancel={then(recorder.cancel)} />}
        </dd>
      )}
    </div>
  )
}

function Listening() {
  const { t } = useText()
  return (
    <span className="animate-pulse text-sm text-brand motion-reduce:animate-none">{t('composer.keys.listening')}</span>
  )
}

/** Asks whether two shortcuts should swap their keys; Escape declines. */
function Offer({ onSwap, onCancel }: { onSwap: () => void; onCancel: () => void }) {
  const { t } = useText()
  const swap = useRef<HTMLButtonElement>(null)
  useEffect(() => swap.current?.focus(), [])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears what its buttons leave
    <span
      className="flex gap-2"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        onCancel()
      }}
    >
      <Button size="small" onClick={onCancel}>
        {t('shared.cancel')}
      </Button>
      <Button ref={swap} size="small" look="primary" onClick={onSwap}>
        {t('composer.keys.swap')}
      </Button>
    </span>
  )
}
