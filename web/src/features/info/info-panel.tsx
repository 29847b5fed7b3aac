import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { copyText } from '../../shared/copy-text.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Button, Dialog } from '../../shared/ui/index.ts'
import { textOf } from './facts.ts'
import { type InfoInput, useSections } from './use-sections.ts'

/** Information about the open chat and the user, in three sections that can be copied. */
export function InfoPanel({ close, ...input }: InfoInput & { close: () => void }) {
  const { t, locale } = useText()
  const { sections, failed } = useSections(input)
  const [copied, setCopied] = useState<boolean | null>(null)
  const Icon = copied ? Check : Copy
  return (
    <Dialog open onClose={close} title={t('info.title')}>
      {failed && <p className="mb-3 text-sm text-warn">{t('info.failed')}</p>}
      {sections.map(({ title, lines }) => (
        <section key={title} aria-label={title} className="mt-4">
          <h3 className="mb-1 font-medium text-2xs text-ink-3">{title}</h3>
          <dl className="divide-y divide-line">
            {lines.map(({ label, value }) => (
              <div key={label} className="flex items-baseline justify-between gap-4 py-1.5">
                <dt className="shrink-0 text-ink-2 text-sm">{label}</dt>
                <dd dir="auto" className="min-w-0 break-words text-end text-sm tabular-nums">
                  {value}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <div className="mt-5 flex justify-end">
        <Button onClick={() => void copyText(textOf(sections, locale)).then(setCopied)}>
          <Icon className="size-4" />
          {t(copied ? 'chat.message.copied' : 'info.copy')}
        </Button>
      </div>
      <p role="status" className={copied === false ? 'mt-2 text-end text-danger text-sm' : 'sr-only'}>
        {copied !== null && t(copied ? 'chat.message.copied' : 'chat.message.copyFailed')}
      </p>
    </Dialog>
  )
}
