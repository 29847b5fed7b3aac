import type { ListedShare } from '@parley/contracts'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { LaterTexts, useText } from '../../../shared/i18n/index.ts'
import { LoadFailure } from '../../../shared/loaded.tsx'
import { Button, Dialog, Skeleton } from '../../../shared/ui/index.ts'
import { chatShareQuery, sharePreviewQuery } from '../share-queries.ts'
import type { LinkReport } from './copy-link.ts'
import { LinkBox } from './link-box.tsx'
import { OptionFields } from './option-fields.tsx'
import { bodyOf, expiresAt, faultOf, optionsFor } from './options.ts'
import { Preview } from './preview.tsx'
import { useShareActions } from './use-share-actions.ts'

interface Props {
  readonly chatId: string
  readonly onClose: () => void
}

/** Creates, updates and revokes the link of a chat, with a preview of exactly what visitors see. */
export function ShareDialog({ chatId, onClose }: Props) {
  const { t } = useText()
  const { data: link, error, refetch } = useQuery(chatShareQuery(chatId))
  return (
    <Dialog open wide onClose={onClose} title={t('sharing.title')}>
      <p className="mb-4 text-sm text-ink-2">{t('sharing.lead')}</p>
      {link !== undefined ? (
        <Suspense fallback={<Opening />}>
          <LaterTexts part="share">
            <ShareForm chatId={chatId} link={link} />
          </LaterTexts>
        </Suspense>
      ) : error ? (
        // A link that is not known of would lose its password and its end.
        <LoadFailure error={error} failed={t('sharing.links.failed')} onRetry={refetch} className="" />
      ) : (
        <Opening />
      )}
    </Dialog>
  )
}

const Opening = () => <Skeleton widths={['60%', '100%', '80%']} />

function ShareForm({ chatId, link }: { chatId: string; link: ListedShare | null }) {
  const { t } = useText()
  const [options, setOptions] = useState(() => optionsFor(link?.expiresAt, new Date()))
  const [asked, setAsked] = useState(false)
  const all = useQuery(sharePreviewQuery({ chatId, includeImages: true }))
  const found = all.data?.found ?? []
  const ids = all.data?.messages.map(({ id }) => id) ?? []
  const body = bodyOf(chatId, options, { ids, found: found.map(({ text }) => text) })
  const hasMessages = options.excluded.size < ids.length
  const shown = useQuery({ ...sharePreviewQuery(body), enabled: all.data !== undefined && hasMessages })
  // Said in the dialog: toasts are behind it, where they can be neither seen on a phone nor heard.
  const [said, setSaid] = useState<LinkReport | null>(null)
  const actions = useShareActions(setSaid)
  const fault = faultOf(options, ids.length)
  const share = () => {
    setAsked(true)
    setSaid(null)
    if (fault !== null) return
    const end = expiresAt(options.expiry, new Date())
    const password = options.hasPassword ? { password: options.password } : {}
    actions.share({ ...body, ...password, ...(end !== undefined && { expiresAt: end }) })
  }
  const error = all.error ?? shown.error
  if (error) {
    const { refetch } = all.error ? all : shown
    return <LoadFailure error={error} failed={t('sharing.preview.failed')} onRetry={refetch} className="" />
  }
  if (!all.data || (hasMessages && !shown.data)) return <Skeleton widths={['100%', '70%', '95%', '80%']} />
  return (
    <div className="flex flex-col gap-5">
      {link && <LinkBox link={link} report={setSaid} />}
      <OptionFields
        options={options}
        onChange={setOptions}
        found={found}
        hasImages={all.data.messages.some(({ images }) => images !== undefined)}
        wasProtected={link?.hasPassword ?? false}
        fault={asked ? fault : null}
      />
      <Preview
        all={all.data.messages}
        shown={hasMessages ? (shown.data?.messages ?? []) : []}
        title={shown.data?.title ?? all.data.title}
        options={options}
        onChange={setOptions}
      />
      <div className="sticky bottom-0 -mx-5 -mb-5 border-t border-line bg-overlay px-5 py-3">
        {asked && fault === 'none' && (
          <p role="alert" className="mb-2 text-sm text-danger">
            {t('sharing.none')}
          </p>
        )}
        {actions.error !== null && (
          <p role="alert" className="mb-2 text-sm text-danger">
            {actions.error}
          </p>
        )}
        <p role="status" className="mb-2 text-sm text-ink-2 empty:mb-0">
          {said && t(`sharing.${said}`)}
        </p>
        <div className="flex flex-wrap justify-end gap-2">
          {link && (
            <Button look="danger" busy={actions.isRevoking} onClick={() => actions.revoke(link)}>
              {t('sharing.revoke')}
            </Button>
          )}
          <Button look="primary" busy={actions.isSharing} onClick={share}>
            {t(link ? 'sharing.update' : 'sharing.create')}
          </Button>
        </div>
      </div>
    </div>
  )
}
