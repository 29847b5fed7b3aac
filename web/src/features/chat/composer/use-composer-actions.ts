import type { ChatMode } from '@parley/contracts'
import { useRef, useState } from 'react'
import type { ComposerState } from './use-composer.ts'

/** What the tools beside the text do to what is being written. */
export interface ComposerActions {
  readonly edit: (next: (now: string) => string) => void
  readonly attach: (files: readonly File[]) => void
  readonly toggleMode: (mode: ChatMode) => void
  readonly setImage: (image: boolean) => void
  readonly signIn: () => void
}

/** Always the same functions, which act on the composer as it stands when they are called: what is given them is not drawn anew with every key. */
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
