import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { useText } from '../../../shared/i18n/index.ts'
import { notify } from '../../../shared/ui/index.ts'
import { type FileFault, faultOf, maxFiles } from './attachments/attachment-rules.ts'
import type { Upload } from './attachments/upload-store.ts'
import type { ComposerDrafts } from './composer-drafts.ts'

/** Files of a draft that are not at the server, and the way to add more. */
export interface Attaching {
  readonly uploads: readonly Upload[]
  /** Uploads what can be attached and names what cannot. */
  readonly attach: (files: readonly File[]) => void
}

/** The uploads of the draft `key`. Guests are told that signing in lets them attach. */
export function useAttaching(drafts: ComposerDrafts, key: string, guest: boolean, onSignIn: () => void): Attaching {
  const { t } = useText()
  const uploads = useStore(
    drafts.uploads.store,
    useShallow((state) => state.uploads.filter((upload) => upload.chat === key)),
  )
  const attach = (files: readonly File[]) => {
    if (files.length === 0) return
    if (guest) {
      notify.info(t('composer.attachments.signIn'), {
        id: 'attach',
        action: { label: t('shared.signIn'), onClick: onSignIn },
      })
      return
    }
    let count = drafts.extras.read(key).attachments.length + uploads.length
    for (const file of files) {
      const fault = faultOf(file, count)
      if (fault) notify.error(faultText(t, file.name, fault), { id: `fault:${file.name}`, duration: 8_000 })
      else {
        drafts.uploads.add(key, file)
        count += 1
      }
    }
  }
  return { uploads, attach }
}

function faultText(t: ReturnType<typeof useText>['t'], name: string, fault: FileFault): string {
  switch (fault.type) {
    case 'format':
      return fault.format === ''
        ? t('composer.fault.unknownFormat', { name })
        : t('composer.fault.format', { name, format: fault.format })
    case 'size':
      return t('composer.fault.size', { name })
    case 'empty':
      return t('composer.fault.empty', { name })
    case 'count':
      return t('composer.fault.count', { name, limit: maxFiles })
    default:
      return fault satisfies never
  }
}
