import type { ChatMode } from '@parley/contracts'
import { useRef, useState } from 'react'
import type { ComposerState } from './use-composer.ts'

/** The tools' actions on the latest state of the composer; stable, so that the tools are not rendered at each keystroke. */
export function useComposerActions(composer: ComposerState, signIn: () => void) {
  const latest = useRef({ composer, signIn })
  latest.current = { composer, signIn }
  const [actions] = useState(() => ({
    edit: (next: (now: string) => string) => latest.current.composer.edit(next),
    attach: (files: readonly File[]) => latest.current.composer.attaching.attach(files),
    toggleMode: (mode: ChatMode) => latest.current.composer.toggleMode(mode),
    setImage: (image: boolean) => latest.current.composer.setImage(image),
    signIn: () => latest.current.signIn(),
  }))
  return actions
}

export type ComposerActions = ReturnType<typeof useComposerActions>
