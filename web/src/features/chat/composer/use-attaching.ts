import type { Attachment } from '@parley/contracts'
import { useState } from 'react'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { notify } from '../../../shared/ui/index.ts'
import { faultOf } from './attachments/attachment-rules.ts'
import type { RefusedFile } from './attachments/refused-files.tsx'
import type { Upload } from './attachments/upload-store.ts'
import type { ComposerDrafts } from './composer-drafts.ts'

/** Uploads of a draft, and functions to add files. */
export interface Attaching {
  readonly uploads: readonly Upload[]
  /** Those of the last added files that were refused. */
  readonly refused: readonly RefusedFile[]
  /** Uploads the allowed files and lists the refused ones. */
  readonly attach: (files: readonly File[]) => void
  /** Attaches a file that is already on the server, at most once. */
  readonly reuse: (stored: Attachment) => void
  /** Hides the refused files. */
  readonly dismiss: () => void
}

/** The uploads of the draft `key`. Guests are told to sign in. */
export function useAttaching(drafts: ComposerDrafts, key: string, guest: boolean, onSignIn: () => void): Attaching {
  const uploads = useStore(
    drafts.uploads.store,
    useShallow((state) => state.uploads.filter((upload) => upload.chat === key)),
  )
  const [last, setLast] = useState<{ key: string; refused: readonly RefusedFile[] }>({ key, refused: [] })
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
  const reuse = (stored: Attachment) => {
    const { attachments } = drafts.extras.read(key)
    if (attachments.some(({ id }) => id === stored.id)) return
    const fault = faultOf({ ...stored, type: stored.mimeType }, attachments.length + uploads.length)
    if (!fault) drafts.extras.change(key, (now) => ({ ...now, attachments: [...now.attachments, stored] }))
    setLast({ key, refused: fault ? [{ name: stored.name, fault }] : [] })
  }
  const refused = last.key === key ? last.refused : []
  return { uploads, refused, attach, reuse, dismiss: () => setLast({ key, refused: [] }) }
}
