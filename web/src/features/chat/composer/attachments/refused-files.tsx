import { CircleAlert, X } from 'lucide-react'
import { useText } from '../../../../shared/i18n/index.ts'
import { IconButton } from '../../../../shared/ui/index.ts'
import { type FileFault, maxFiles } from './attachment-rules.ts'

export interface RefusedFile {
  readonly name: string
  readonly fault: FileFault
}

/** Lists the refused files, above the attachments. */
export function RefusedFiles({ files, onDismiss }: { files: readonly RefusedFile[]; onDismiss: () => void }) {
  const { t } = useText()
  return (
    <div role="alert" className="flex items-start gap-2 ps-4 pe-2 pt-2.5 text-danger text-sm">
      <CircleAlert className="mt-0.5 size-4 shrink-0" />
      <ul className="max-h-32 min-w-0 flex-1 overflow-y-auto">
        {files.map(({ name, fault }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: files may have the same name, and the order never changes
          <li key={index} dir="auto" className="break-words">
            {faultText(t, name, fault)}
          </li>
        ))}
      </ul>
      <IconButton label={t('shared.dismiss')} size="small" onClick={onDismiss}>
        <X className="size-4" />
      </IconButton>
    </div>
  )
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
