import type { ChatMode } from '@parley/contracts'
import { useRef, useState } from 'react'
import type { ComposerState } from './use-composer.ts'

/** Actions of the tools on the draft. */
export interface ComposerActions {
  readonly edit: (next: (now: string) => string) => void
  readonly attach: (files: readonly File[]) => void
  readonly toggleMode: (mode: ChatMode) => void
  readonly setImage: (image: boolean) => void
  readonly signIn: () => void
}

/** Stable functions that act on the latest state of the composer, so that the tools are not rendered at each keystroke. */
export function useComposerActions(composer: ComposerState, signIn: () => void): ComposerActions {
  const latest = useRef({ composer, signIn })
  latest.current = { composer, signIn }
  const [actions] = useState<ComposerActions>(() => ({
    edit: (next) => latest.current.composer.edit(next),
    attach: (files) => latest.current.composer.attaching.attach(files),
    toggleMode: (mode) => latest.current.composer.toggleMode(mode),
    setImage: (image) => latest.current.composer.setImage(image),
    signIn: () => latest.current.signIn(),
  }))
  return actions
}
