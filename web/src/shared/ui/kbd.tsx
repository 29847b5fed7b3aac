import { useText } from '../i18n/index.ts'
import { type KeyCombination, keyLabels } from '../keyboard/index.ts'

/** Keys as labelled on this platform and in this language, in pressing order: left to right in every language. */
export function Kbd({ keys }: { keys: KeyCombination }) {
  const { locale } = useText()
  return (
    <span dir="ltr" className="inline-flex shrink-0 gap-1">
      {keyLabels(keys, navigator.platform, locale).map((key) => (
        <kbd key={key} className="rounded-md border border-line-strong px-1.5 py-0.5 font-mono text-2xs text-ink-2">
          {key}
        </kbd>
      ))}
    </span>
  )
}
