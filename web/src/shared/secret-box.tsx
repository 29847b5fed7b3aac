import { Check, Copy } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { copyText } from './copy-text.ts'
import { useText } from './i18n/index.ts'
import { Button } from './ui/index.ts'

/** A newly created secret, shown only once, to be copied and stored elsewhere. It takes the focus. */
export function SecretBox({ label, secret, onDone }: { label: string; secret: string; onDone: () => void }) {
  const { t } = useText()
  const id = useId()
  const copyButton = useRef<HTMLDivElement>(null)
  const [copied, setCopied] = useState<boolean | null>(null)
  useEffect(() => {
    copyButton.current?.querySelector('button')?.focus()
  }, [])
  const Icon = copied ? Check : Copy
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div role="group" aria-labelledby={id} className="rounded-card border border-brand bg-brand-weak p-4 md:p-5">
      <h2 id={id} className="font-semibold">
        {t('keys.secret.title', { label })}
      </h2>
      <p className="mt-0.5 text-sm text-ink-2">{t('keys.secret.text')}</p>
      <code dir="ltr" className="mt-3 block rounded-row bg-code px-3 py-2.5 font-mono text-sm break-all select-all">
        {secret}
      </code>
      <div ref={copyButton} className="mt-3 flex flex-wrap items-center gap-2">
        <Button look="primary" onClick={() => void copyText(secret).then(setCopied)}>
          <Icon className="size-4" />
          {t('keys.secret.copy')}
        </Button>
        <Button onClick={onDone}>{t('keys.secret.done')}</Button>
        <p role="status" className="text-sm text-ink-2">
          {copied !== null && t(copied ? 'chat.message.copied' : 'keys.secret.notCopied')}
        </p>
      </div>
    </div>
  )
}
