import { Download, Maximize, ZoomIn, ZoomOut } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { CopyButton } from '../copy-button.tsx'
import { useText } from '../i18n/index.ts'
import { numberFormat } from '../intl.ts'
import { saveFile } from '../save-file.ts'
import { classNames } from '../ui/class-names.ts'
import { Dialog } from '../ui/dialog.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { canCopyPictures, copyPicture } from './copy-picture.ts'
import type { LargePicture } from './picture-store.ts'
import { useZoom } from './use-zoom.ts'

/** A picture at the size of the window, to be zoomed, moved, copied and saved. */
export function PictureDialog({ picture, onClose }: { picture: LargePicture; onClose: () => void }) {
  const { t, locale } = useText()
  const image = useRef<HTMLImageElement>(null)
  const { file, url, failed } = useFile(picture)
  const { percent, zoomIn, zoomOut, reset } = useZoom(image, url)
  const size = numberFormat(locale, { style: 'percent' }).format(percent / 100)
  return (
    <Dialog open onClose={onClose} title={picture.title} wide="window">
      <div className="min-h-0 w-full flex-1 overflow-hidden bg-hover">
        {failed && (
          <p role="alert" className="p-5 text-center text-danger">
            {t('chat.picture.failed')}
          </p>
        )}
        {url && (
          <img
            ref={image}
            src={url}
            alt={picture.alt}
            className={classNames('mx-auto size-full object-contain', picture.className)}
          />
        )}
      </div>
      {file && (
        <div className="mt-3 flex items-center justify-end gap-1">
          <IconButton label={t('chat.picture.zoomOut')} disabled={percent <= 100} onClick={zoomOut}>
            <ZoomOut className="size-4.5" />
          </IconButton>
          <output className="min-w-12 text-center text-sm text-ink-2 tabular-nums">{size}</output>
          <IconButton label={t('chat.picture.zoomIn')} onClick={zoomIn}>
            <ZoomIn className="size-4.5" />
          </IconButton>
          <IconButton label={t('chat.picture.fit')} className="me-auto" onClick={reset}>
            <Maximize className="size-4.5" />
          </IconButton>
          {canCopyPictures() && (
            <CopyButton
              label={t('chat.picture.copy')}
              copy={async () => image.current !== null && (await copyPicture(image.current, file))}
            />
          )}
          <IconButton
            label={t('thread.attachments.download', { name: picture.fileName })}
            onClick={() => saveFile(picture.fileName, file)}
          >
            <Download className="size-4.5" />
          </IconButton>
        </div>
      )}
    </Dialog>
  )
}

/** The picture's file and a `blob:` URL of it; null until it is loaded. */
function useFile({ load }: LargePicture) {
  const [loaded, setLoaded] = useState<{ readonly file: Blob; readonly url: string } | null>(null)
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    let made: string | null = null
    let wanted = true
    load().then(
      (file) => {
        if (!wanted) return
        made = URL.createObjectURL(file)
        setLoaded({ file, url: made })
      },
      () => wanted && setFailed(true),
    )
    return () => {
      wanted = false
      if (made !== null) URL.revokeObjectURL(made)
    }
  }, [load])
  return { file: loaded?.file ?? null, url: loaded?.url ?? null, failed }
}
