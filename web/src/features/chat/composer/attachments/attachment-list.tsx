import type { Attachment } from '@parley/contracts'
import { FileText, ImageOff, RotateCw, TextCursorInput, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useFileUrl } from '../../../../shared/api/index.ts'
import { formatBytes } from '../../../../shared/format.ts'
import { useText } from '../../../../shared/i18n/index.ts'
import { numberFormat } from '../../../../shared/intl.ts'
import { classNames } from '../../../../shared/ui/index.ts'
import { lineCount } from '../pasted-text.ts'
import type { Upload } from './upload-store.ts'

interface Props {
  readonly attachments: readonly Attachment[]
  readonly uploads: readonly Upload[]
  readonly pasted: readonly string[]
  /** The model cannot read attachments of this type. */
  readonly refused: (attachment: Attachment) => boolean
  readonly preview: (attachmentId: string) => string | undefined
  readonly onRemove: (attachment: Attachment) => void
  readonly onRemoveUpload: (key: string) => void
  readonly onRetry: (key: string) => void
  readonly onRemovePasted: (index: number) => void
  /** Moves a pasted text into the field. */
  readonly onInline: (index: number) => void
}

/** The draft's files, uploads and long pasted texts; rendered only if there are any. */
export function AttachmentList(props: Props) {
  const { t, locale } = useText()
  const { attachments, uploads, pasted } = props
  return (
    <ul
      aria-label={t('thread.attachments.label')}
      className="flex max-h-44 flex-wrap gap-2 overflow-y-auto px-3 pt-3 pb-0.5"
    >
      {attachments.map((attachment) => (
        <Tile
          key={attachment.id}
          name={attachment.name}
          note={factsOf(attachment, locale, t)}
          faulty={props.refused(attachment)}
          picture={
            attachment.type === 'image' ? (
              <Thumbnail attachment={attachment} preview={props.preview(attachment.id)} />
            ) : (
              <FileText className={icon} />
            )
          }
          onRemove={() => props.onRemove(attachment)}
        />
      ))}
      {uploads.map((upload) => (
        <UploadTile key={upload.key} upload={upload} {...props} />
      ))}
      {pasted.map((text, index) => (
        <Tile
          // biome-ignore lint/suspicious/noArrayIndexKey: the same text may be pasted twice, and the order never changes
          key={index}
          name={t('composer.pasted.name', { count: lineCount(text) })}
          note={text.trim().slice(0, 40)}
          picture={
            <PictureButton label={t('composer.pasted.inline')} onClick={() => props.onInline(index)}>
              <TextCursorInput className={icon} />
            </PictureButton>
          }
          onRemove={() => props.onRemovePasted(index)}
        />
      ))}
    </ul>
  )
}

const icon = 'size-5 text-ink-2'

function factsOf(attachment: Attachment, locale: string, t: ReturnType<typeof useText>['t']): string {
  const size = formatBytes(attachment.size, locale)
  return attachment.pages === undefined
    ? size
    : `${size} · ${t('thread.attachments.pages', { count: attachment.pages })}`
}

function Thumbnail({ attachment, preview }: { attachment: Attachment; preview: string | undefined }) {
  const stored = useFileUrl(preview === undefined ? attachment.id : '', 'thumb')
  const url = preview ?? stored.url
  if (stored.failed) return <ImageOff className={icon} />
  if (url === null) return <span className="skeleton size-full" />
  return <img src={url} alt="" className="size-full object-cover" />
}

function UploadTile({
  upload,
  onRemoveUpload,
  onRetry,
}: Pick<Props, 'onRemoveUpload' | 'onRetry'> & { upload: Upload }) {
  const { t, locale } = useText()
  const failed = upload.failure !== null
  const percent = numberFormat(locale, { style: 'percent' }).format(upload.progress)
  return (
    <Tile
      name={upload.file.name}
      note={
        failed ? upload.failure || t('composer.attachments.failed') : t('composer.attachments.uploading', { percent })
      }
      faulty={failed}
      alarming={failed}
      picture={
        failed ? (
          <PictureButton
            label={t('composer.attachments.retry', { name: upload.file.name })}
            onClick={() => onRetry(upload.key)}
          >
            <RotateCw className="size-4.5 text-danger" />
          </PictureButton>
        ) : (
          <progress
            aria-label={t('composer.attachments.progress', { name: upload.file.name })}
            max={1}
            value={upload.progress}
            className="h-1 w-8 overflow-hidden rounded-full bg-line-strong accent-brand"
          />
        )
      }
      onRemove={() => onRemoveUpload(upload.key)}
    />
  )
}

function PictureButton({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onClick}
      className="target grid size-full place-items-center hover:bg-hover"
    >
      {children}
    </button>
  )
}

interface TileProps {
  readonly name: string
  readonly note: string
  /** It prevents sending. */
  readonly faulty?: boolean
  /** The note is an error. */
  readonly alarming?: boolean
  readonly picture: ReactNode
  readonly onRemove: () => void
}

function Tile({ name, note, faulty = false, alarming = false, picture, onRemove }: TileProps) {
  const { t } = useText()
  return (
    <li
      className={classNames(
        'flex h-13 max-w-[min(20rem,100%)] items-center gap-2.5 overflow-hidden rounded-card border ps-0 pe-1',
        faulty ? 'border-danger' : 'border-line-strong',
      )}
    >
      <span className="grid size-13 shrink-0 place-items-center overflow-hidden bg-hover">{picture}</span>
      <span className="min-w-0">
        <span dir="auto" title={name} className="block truncate text-sm font-medium">
          {name}
        </span>
        <span title={note} className={classNames('block truncate text-2xs', alarming ? 'text-danger' : 'text-ink-3')}>
          {note}
        </span>
      </span>
      <button
        type="button"
        aria-label={t('composer.attachments.remove', { name })}
        title={t('composer.attachments.remove', { name })}
        onClick={onRemove}
        className="target grid size-7 shrink-0 place-items-center rounded-full text-ink-2 hover:bg-hover hover:text-ink pointer-coarse:size-11"
      >
        <X className="size-4" />
      </button>
    </li>
  )
}
