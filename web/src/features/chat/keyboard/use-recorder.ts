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

/** The shortcut that waits for its new keys. */
interface Recording {
  readonly name: ShortcutName
  /** What was wrong with those that were pressed last; null at first. */
  readonly verdict: Verdict | null
}

/** What stands on the key of a modifier. */
const labelOf = (held: Pick<KeyCombination, 'mod' | 'alt'>, locale: string): string =>
  keyLabels({ key: '', ...held }, navigator.platform, locale)[0] ?? ''

/** The shortcuts' keys, and what changes them one shortcut at a time. */
export function useRecorder() {
  const { t, locale } = useText()
  const keys = useShortcutKeys()
  const [recording, setRecording] = useState<Recording | null>(null)
  const [said, say] = useState('')
  const nameOf = (name: ShortcutName) => t(`composer.keys.${name}`)
  const written = (combination: KeyCombination) =>
    // Signs of a Mac are not turned round in Arabic.
    `\u2066${keyLabels(combination, navigator.platform, locale).join(' ')}\u2069`
  const finish = (words: string) => {
    setRecording(null)
    say(words)
  }
  const give = (name: ShortcutName, chosen: KeyCombination) => {
    // What another tab chose meanwhile stays.
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
    // The way on by keyboard stays open.
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

/** The recorder as it stands. */
export type Recorder = ReturnType<typeof useRecorder>
