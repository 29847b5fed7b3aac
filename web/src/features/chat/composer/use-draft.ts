import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { ComposerDrafts } from './composer-drafts.ts'
import type { DraftExtras, ExtrasStore } from './draft-extras.ts'

type ChangeText = (next: (now: string) => string) => void

/** The draft of a chat as state; each change is stored at once, so that a reload loses nothing. */
export function useDraft(drafts: ComposerDrafts['texts'], key: string): [string, ChangeText] {
  const [state, setState] = useState(() => ({ key, text: drafts.read(key) }))
  // Each chat has its own draft. When the new chat gets an id, what was typed since moves with it.
  const text = state.key === key ? state.text : drafts.read(key)
  useEffect(() => {
    if (state.key !== key) setState({ key, text: drafts.read(key) })
  }, [state.key, key, drafts])
  const latest = useRef({ key, text })
  latest.current = { key, text }
  const [change] = useState(() => (next: (now: string) => string) => {
    const now = latest.current
    const changed = next(now.text)
    latest.current = { key: now.key, text: changed }
    drafts.write(now.key, changed)
    setState(latest.current)
  })
  return [text, change]
}

/** The extras of a chat's draft, and a function that changes them. */
export function useExtras(
  extras: ExtrasStore,
  key: string,
): [DraftExtras, (next: (now: DraftExtras) => DraftExtras) => void] {
  const now = useSyncExternalStore(extras.subscribe, () => extras.read(key))
  return [now, (next) => extras.change(key, next)]
}
