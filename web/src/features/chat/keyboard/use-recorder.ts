import { type KeyboardEvent, useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import {
  defaultKeys,
  type KeyCombination,
  keyLabels,
  type ShortcutName,
  useShortcutKeys,
} from '../../../shared/keyboard/index.ts'
import { judgeKeys, type Verdict, withKeys } from './judge-keys.ts'
import { keepKeys } from './keep-keys.ts'

interface Recording {
  readonly name: ShortcutName
  /** The fault of the last key press; null at first. */
  readonly verdict: Verdict | null
}

const labelOf = (held: Pick<KeyCombination, 'mod' | 'alt'>, locale: string): string =>
  keyLabels({ key: '', ...held }, navigator.platform, locale)[0] ?? ''

/** The shortcuts' keys, and a recorder that changes one shortcut at a time. */
export function useRecorder() {
  const { t, locale } = useText()
  const keys = useShortcutKeys()
  const [recording, setRecording] = useState<Recording | null>(null)
  const [said, say] = useState('')
  const nameOf = (name: ShortcutName) => t(`composer.keys.${name}`)
  const written = (combination: KeyCombination) =>
    // Isolated, so that Mac symbols keep their order in Arabic.
    `\u2066${keyLabels(combination, navigator.platform, locale).join(' ')}\u2069`
  const finish = (words: string) => {
    setRecording(null)
    say(words)
  }
  const give = (name: ShortcutName, chosen: KeyCombination) => {
    // Keeps what another tab has changed meanwhile.
    keepKeys(withKeys(useShortcutKeys.getState(), name, chosen))
    finish(t('composer.keys.changed', { action: nameOf(name), keys: written(chosen) }))
  }
  const cancel = () => finish(t('composer.keys.cancelled'))
  const noteOf = (verdict: Verdict): string => {
    if (verdict.type === 'taken') {
      const values = { action: nameOf(verdict.by), keys: written(verdict.keys) }
      return t(verdict.swappable ? 'composer.keys.swapOffer' : 'composer.keys.taken', values)
    }
    if (verdict.type !== 'refused') return ''
    if (verdict.reason === 'modifier') {
      const [mod = '', alt = ''] = [{ mod: true }, { alt: true }].map((held) => labelOf(held, locale))
      return t('composer.keys.needsModifier', { mod, alt })
    }
    return t('composer.keys.reserved', { keys: written(verdict.keys) })
  }
  const press = (event: KeyboardEvent, name: ShortcutName) => {
    // Keyboard navigation stays possible.
    if (event.key === 'Tab' && !event.ctrlKey && !event.metaKey && !event.altKey) return
    event.preventDefault()
    event.stopPropagation()
    const verdict = judgeKeys(event.nativeEvent, name, keys)
    if (verdict.type === 'waiting') return
    if (verdict.type === 'cancelled') return cancel()
    if (verdict.type === 'free') return give(name, verdict.keys)
    setRecording({ name, verdict })
    say(noteOf(verdict))
  }
  return {
    keys,
    recording,
    said,
    noteOf,
    start: (name: ShortcutName) => {
      setRecording({ name, verdict: null })
      say(t('composer.keys.press', { action: nameOf(name) }))
    },
    press,
    cancel,
    give,
    reset: (name: ShortcutName) => give(name, defaultKeys[name]),
    resetAll: () => {
      keepKeys(defaultKeys)
      finish(t('composer.keys.allReset'))
    },
  }
}

export type Recorder = ReturnType<typeof useRecorder>
