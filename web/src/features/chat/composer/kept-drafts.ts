import { privatePrefix, useSession } from '../../../shared/session/index.ts'
import { type ComposerDrafts, createComposerDrafts } from './composer-drafts.ts'

let kept: ComposerDrafts | null = null

useSession.subscribe(({ user }, before) => {
  if (user?._id !== before.user?._id) kept = null
})

/**
 * The drafts of the present user. They outlive the chat page: uploads go on while the user looks at the settings, and what the browser's storage
 * refuses is not lost.
 */
export function keptDrafts(): ComposerDrafts {
  kept ??= createComposerDrafts(() => localStorage, privatePrefix)
  return kept
}
