import { ImageIcon } from 'lucide-react'
import { useText } from '../../../shared/i18n/index.ts'

/** Placeholder of an image during generation, with the usual size. */
export function ImagePlaceholder() {
  const { t } = useText()
  return (
    <div
      role="img"
      aria-label={t('thread.image.making')}
      className="mb-3 grid aspect-square w-105 max-w-full animate-pulse place-items-center rounded-card border border-line bg-hover motion-reduce:animate-none"
    >
      <span className="flex flex-col items-center gap-2 text-sm text-ink-3">
        <ImageIcon className="size-7" />
        {t('thread.image.making')}
      </span>
    </div>
  )
}
