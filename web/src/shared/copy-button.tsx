import { Check, Copy, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useText } from './i18n/index.ts'
import { IconButton } from './ui/icon-button.tsx'

interface Props {
  /** Copies; resolves to false when the browser refuses. Given the button, around which it may read. */
  readonly copy: (button: HTMLElement) => Promise<boolean>
  readonly label: string
  readonly size?: 'small' | 'medium'
  readonly className?: string
}

/** Copies, and says for two seconds whether that succeeded. */
export function CopyButton({ copy, label, size = 'medium', className }: Props) {
  const { t } = useText()
  const [copied, setCopied] = useState<boolean | null>(null)
  useEffect(() => {
    if (copied === null) return
    const timer = setTimeout(() => setCopied(null), 2000)
    return () => clearTimeout(timer)
  }, [copied])
  const Icon = copied === null ? Copy : copied ? Check : X
  return (
    <IconButton
      label={copied === null ? label : t(copied ? 'chat.message.copied' : 'chat.message.copyFailed')}
      size={size}
      className={className ?? ''}
      onClick={({ currentTarget }) => void copy(currentTarget).then(setCopied)}
    >
      <Icon className="size-4" />
    </IconButton>
  )
}
