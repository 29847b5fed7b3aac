import type { SharedMessage, SharePreview } from '@parley/contracts'
import { useState } from 'react'
import { useFileUrl } from '../../../shared/api/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/index.ts'
import { SharedThread } from '../shared-thread.tsx'
import { CheckRow } from './check-row.tsx'
import { type ShareOptions, toggled } from './options.ts'

interface Props {
  readonly all: SharePreview['messages']
  /** The included messages, as visitors will see them. */
  readonly shown: SharePreview['messages']
  readonly title: string
  readonly options: ShareOptions
  readonly onChange: (options: ShareOptions) => void
}

const atFirst = 30

/** A preview of what visitors will see, with a checkbox to exclude each message. */
export function Preview({ all, shown, title, options, onChange }: Props) {
  const { t } = useText()
  const [count, setCount] = useState(atFirst)
  const byId = new Map(shown.map((message) => [message.id, message]))
  const part = all.slice(0, count)
  const messages = part.map((message) => byId.get(message.id) ?? excluded(message, t))
  return (
    <section aria-label={t('sharing.preview')} className="rounded-card border border-line bg-page p-4">
      <h3 className="mb-1 text-sm font-medium text-ink-3">{t('sharing.preview')}</h3>
      <p dir="auto" className="mb-5 text-lg font-semibold wrap-anywhere">
        {title}
      </p>
      <SharedThread
        messages={messages}
        image={(image, label) => <OwnImage url={image.url} label={label} />}
        aside={(nth) => (
          <CheckRow
            checked={!options.excluded.has(part[nth]?.id ?? '')}
            onChange={(included) =>
              onChange({ ...options, excluded: toggled(options.excluded, part[nth]?.id ?? '', !included) })
            }
          >
            <span className="text-ink-3">{t('sharing.include')}</span>
          </CheckRow>
        )}
      />
      {count < all.length && (
        <Button size="small" className="mt-5" onClick={() => setCount(all.length)}>
          {t('sharing.preview.more', { count: all.length - count })}
        </Button>
      )}
    </section>
  )
}

/** A placeholder for an excluded message, which can be included again. */
const excluded = ({ role, content, createdAt }: SharedMessage, t: ReturnType<typeof useText>['t']): SharedMessage => ({
  role: role === 'user' ? role : 'user',
  content: t('sharing.excluded', { text: content.slice(0, 60) }),
  createdAt,
})

/** An image in its owner's view, which is loaded with the session: its address alone gives no access. */
function OwnImage({ url, label }: { url: string; label: string }) {
  const file = useFileUrl(url.split('/').at(-1) ?? '')
  if (file.url === null) return <div className="h-40 w-60 rounded-card bg-hover" />
  return <img src={file.url} alt={label} className="max-h-80 max-w-full rounded-card border border-line" />
}
