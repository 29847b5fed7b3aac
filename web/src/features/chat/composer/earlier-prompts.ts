import { guardStorage, parseStored, type TextStorage } from '../../../shared/session/index.ts'

const most = 50
/** Longer prompts, in UTF-16 code units, are not stored. */
const longest = 4_000

/** Prompts sent from this browser, newest first, in `storage` under `key`. */
export function createPromptStore(storage: () => TextStorage, key: string) {
  const stored = guardStorage(storage)
  const read = (): readonly string[] => {
    const value = parseStored(stored.read(key))
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
  }
  return {
    read,
    add: (prompt: string): void => {
      if (prompt.length > longest) return
      const others = read().filter((one) => one !== prompt)
      stored.write(key, JSON.stringify([prompt, ...others].slice(0, most)))
    },
  }
}

/**
 * The prompt that an arrow key recalls into a field that holds `text`: an earlier one if the field is empty or holds a recalled prompt,
 * a later one back; null if the key does not recall.
 */
export function recall(
  read: () => readonly string[],
  text: string,
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
): string | null {
  const step = { ArrowUp: 1, ArrowDown: -1 }[key]
  if (step === undefined || shiftKey) return null
  const prompts = read()
  const at = text === '' ? -1 : prompts.indexOf(text)
  if (text !== '' && at < 0) return null
  const next = at + step
  return next === -1 ? '' : (prompts[next] ?? null)
}
