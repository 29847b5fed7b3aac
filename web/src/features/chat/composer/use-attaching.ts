import type { Attachment } from '@parley/contracts'
import { useState } from 'react'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { notify } from '../../../shared/ui/index.ts'
import { faultOf } from './attachments/attachment-rules.ts'
import type { RefusedFile } from './attachments/refused-files.tsx'
import type { ComposerDrafts } from './composer-drafts.ts'

/** The uploads of the draft `key`, those of the last added files that were refused, and functions to add files. Guests are told to sign in. */
export function useAttaching(drafts: ComposerDrafts, key: string, guest: boolean, onSignIn: () => void) {
  const uploads = useStore(
    drafts.uploads.store,
    useShallow((state) => state.uploads.filter((upload) => upload.chat === key)),
  )
  const [last, setLast] = useState<{ key: string; refused: readonly RefusedFile[] }>({ key, refused: [] })
  /** Uploads the allowed files and lists the refused ones. */
  const attach = (files: readonly File[]) => {
    if (files.length === 0) return
    if (guest) {
      notify.info((now) => now('composer.attachments.signIn'), {
        id: 'attach',
        action: { label: (now) => now('shared.signIn'), onClick: onSignIn },
      })
      return
    }
    let count = drafts.extras.read(key).attachments.length + uploads.length
    const refused: RefusedFile[] = []
    for (const file of files) {
      const fault = faultOf(file, count)
      if (fault) refused.push({ name: file.name, fault })
      else {
        drafts.uploads.add(key, file)
        count += 1
      }
    }
    setLast({ key, refused })
  }
  /** Attaches a file that is already on the server, at most once. */
  const reuse = (stored: Attachment) => {
    const { attachments } = drafts.extras.read(key)
    if (attachments.some(({ id }) => id === stored.id)) return
    const fault = faultOf({ ...stored, type: stored.mimeType }, attachments.length + uploads.length)
    if (!fault) drafts.extras.change(key, (now) => ({ ...now, attachments: [...now.attachments, stored] }))
    setLast({ key, refused: fault ? [{ name: stored.name, fault }] : [] })
  }
  const refused = last.key === key ? last.refused : []
  const dismiss = () => setLast({ key, refused: [] })
  return { uploads, refused, attach, reuse, dismiss }
}
