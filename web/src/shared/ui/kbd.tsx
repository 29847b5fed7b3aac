import { type KeyCombination, keyLabels } from '../keyboard/index.ts'

/** Keys as this platform writes them. */
export function Kbd({ keys }: { keys: KeyCombination }) {
  return (
    <span className="inline-flex shrink-0 gap-1">
      {keyLabels(keys, navigator.platform).map((key) => (
        <kbd key={key} className="rounded-md border border-line-strong px-1.5 py-0.5 font-mono text-2xs text-ink-2">
          {key}
        </kbd>
      ))}
    </span>
  )
}
