import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { copyText } from './copy-text.ts'
import { useText } from './i18n/index.ts'
import { IconButton } from './ui/icon-button.tsx'

interface Props {
  /** The text to copy, or a function that returns it on demand. */
  readonly text: string | (() => string)
  /** The same as HTML, read from around the button; null if there is none. */
  readonly html?: (button: HTMLElement) => string | null
  readonly label: string
  readonly size?: 'small' | 'medium'
  readonly className?: string
}

/** Copies a text and confirms it for two seconds. */
export function CopyButton({ text, html, label, size = 'medium', className }: Props) {
  const { t } = useText()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])
  const Icon = copied ? Check : Copy
  return (
    <IconButton
      label={copied ? t('chat.message.copied') : label}
      size={size}
      className={className ?? ''}
      onClick={({ currentTarget }) =>
        void copyText(typeof text === 'string' ? text : text(), html?.(currentTarget)).then(setCopied)
      }
    >
      <Icon aria-hidden="true" className="size-4" strokeWidth={1.6} />
    </IconButton>
  )
}
