import type { Attachment } from '@parley/contracts'
import { Download, FileText, ImageOff } from 'lucide-react'
import { messageOf, readFile, useFileLoader, useFileUrl } from '../api/index.ts'
import { formatBytes } from '../format.ts'
import { useText } from '../i18n/index.ts'
import { enlarge } from '../pictures/index.ts'
import { saveFile } from '../save-file.ts'
import { classNames, IconButton, notify } from '../ui/index.ts'

interface Props {
  readonly attachments: readonly Attachment[]
  /** The prompt of generated images; absent for files that a user attached. */
  readonly prompt?: string
}

/** Files of a message: pictures that open larger, and PDFs to download. */
export function Attachments({ attachments, prompt }: Props) {
  const { t } = useText()
  if (attachments.length === 0) return null
  return (
    <ul
      aria-label={t('thread.attachments.label')}
      className={classNames('flex flex-wrap gap-2', prompt === undefined ? 'mb-2 justify-end' : 'mb-3')}
    >
      {attachments.map((attachment) => (
        <li key={attachment.id} className="min-w-0 max-w-full">
          {attachment.type === 'image' ? (
            <Picture attachment={attachment} prompt={prompt} />
          ) : (
            <Document attachment={attachment} />
          )}
        </li>
      ))}
    </ul>
  )
}

const generatedSide = 420
const attachedSide = 176

/** The displayed size in pixels, reserved before loading so that the layout does not shift. */
function boxOf({ width = 1, height = 1 }: Attachment, side: number): { width: number; aspectRatio: string } {
  const ratio = Math.min(3, Math.max(1 / 3, width / height))
  return { width: Math.round(ratio >= 1 ? side : side * ratio), aspectRatio: `${ratio}` }
}

function Picture({ attachment, prompt }: { attachment: Attachment; prompt: string | undefined }) {
  const { t } = useText()
  const made = prompt !== undefined
  const { url, failed } = useFileUrl(attachment.id, made ? 'full' : 'thumb')
  const load = useFileLoader(attachment.id)
  const alt = made ? t('thread.image.made', { prompt }) : attachment.name
  const { name } = attachment
  return (
    <div className="group/picture relative w-fit max-w-full">
      <button
        type="button"
        aria-label={t('thread.image.enlarge', { name: alt })}
        onClick={() => enlarge({ title: name, alt: made ? alt : '', fileName: name, load })}
        style={boxOf(attachment, made ? generatedSide : attachedSide)}
        className="block max-w-full cursor-zoom-in overflow-hidden rounded-card border border-line bg-hover"
      >
        {url && <img src={url} alt={alt} className="size-full object-cover" />}
        {failed && <ImageOff className="mx-auto size-6 text-ink-3" />}
      </button>
      {made && (
        <SaveButton
          attachment={attachment}
          className="absolute end-2 top-2 bg-overlay opacity-0 group-focus-within/picture:opacity-100 group-hover/picture:opacity-100 pointer-coarse:opacity-100"
        />
      )}
    </div>
  )
}

function SaveButton({ attachment, className = '' }: { attachment: Attachment; className?: string }) {
  const { t } = useText()
  const save = useSave(attachment)
  return (
    <IconButton
      label={t('thread.attachments.download', { name: attachment.name })}
      className={className}
      onClick={save}
    >
      <Download className="size-4.5" />
    </IconButton>
  )
}

function Document({ attachment }: { attachment: Attachment }) {
  const { t, locale } = useText()
  const save = useSave(attachment)
  const facts = [
    formatBytes(attachment.size, locale),
    attachment.pages !== undefined && t('thread.attachments.pages', { count: attachment.pages }),
  ]
  return (
    <button
      type="button"
      title={t('thread.attachments.download', { name: attachment.name })}
      onClick={save}
      className="flex h-13 max-w-64 items-center gap-2.5 rounded-card border border-line-strong px-3 text-start hover:bg-hover"
    >
      <FileText className="size-5 shrink-0 text-ink-2" />
      <span className="min-w-0">
        <span dir="auto" className="block truncate text-sm font-medium">
          {attachment.name}
        </span>
        <span className="block truncate text-2xs text-ink-3">{facts.filter(Boolean).join(' · ')}</span>
      </span>
    </button>
  )
}

function useSave({ id, name }: Attachment): () => void {
  return () => {
    readFile(id).then(
      (bytes) => saveFile(name, bytes),
      (error: unknown) => notify.error((now) => messageOf(error, now('thread.attachments.failed'))),
    )
  }
}
