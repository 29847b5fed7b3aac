import type { ListedShare } from '@parley/contracts'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Copy, Link2Off } from 'lucide-react'
import { useRef, useState } from 'react'
import { endpoints, messageOf, request } from '../../../shared/api/index.ts'
import { FormAlert } from '../../../shared/forms/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Loaded } from '../../../shared/loaded.tsx'
import { Button, ConfirmDialog, IconButton, notify, useFocusAfter } from '../../../shared/ui/index.ts'
import { copyLink, type LinkReport } from '../dialog/copy-link.ts'
import { factsOf } from '../dialog/link-box.tsx'
import { useShareActions } from '../dialog/use-share-actions.ts'
import { sharesQuery } from '../share-queries.ts'

/** All links of the signed-in user, with their actions. */
export function SharedLinks() {
  const { t } = useText()
  const query = useInfiniteQuery({ ...sharesQuery, select: ({ pages }) => pages.flatMap(({ items }) => items) })
  const list = useRef<HTMLDivElement>(null)
  const focusAfter = useFocusAfter(list, query.data?.length)
  const drawLinks = (links: readonly ListedShare[]) => (
    <>
      <ul className="flex flex-col divide-y divide-line">
        {links.map((link, index) => (
          <LinkRow key={link.id} link={link} onRevoked={() => focusAfter(index)} />
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap gap-3">
        {query.hasNextPage && (
          <Button size="small" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t('sharing.links.more')}
          </Button>
        )}
        <RevokeAll onRevoked={() => focusAfter(0)} />
      </div>
    </>
  )
  const empty = (
    <p data-row tabIndex={-1} className="rounded-sm text-ink-2">
      {t('sharing.links.empty')}
    </p>
  )
  return (
    <Loaded query={query} failed={t('sharing.links.failed')} shape={['70%', '50%']} className="">
      {(links) => <div ref={list}>{links.length === 0 ? empty : drawLinks(links)}</div>}
    </Loaded>
  )
}

function LinkRow({ link, onRevoked }: { link: ListedShare; onRevoked: () => void }) {
  const { t, locale } = useText()
  const actions = useShareActions((said) => {
    if (said === 'revoked') onRevoked()
    showReport(said)
  })
  return (
    <li className="flex items-center gap-2 py-2.5 first:pt-0">
      {/* Gets the focus when an adjacent row is removed. */}
      <div data-row tabIndex={-1} className="min-w-0 flex-1 rounded-sm">
        <a
          href={link.url}
          dir="auto"
          className="block w-fit max-w-full truncate rounded-sm font-medium hover:underline"
        >
          {link.title}
        </a>
        <p className="text-sm text-ink-3 tabular-nums">{factsOf(link, t, locale)}</p>
        {actions.error !== null && (
          <p role="alert" className="text-sm text-danger">
            {actions.error}
          </p>
        )}
      </div>
      <IconButton label={t('sharing.copy')} onClick={() => void copyLink(link.url).then(showReport)}>
        <Copy className="size-4" />
      </IconButton>
      <IconButton label={t('sharing.links.revoke', { title: link.title })} onClick={() => actions.revoke(link)}>
        <Link2Off className="size-4" />
      </IconButton>
    </li>
  )
}

const showReport = (said: LinkReport) =>
  notify[said === 'copyFailed' ? 'info' : 'success']((now) => now(`sharing.${said}`))

function RevokeAll({ onRevoked }: { onRevoked: () => void }) {
  const { t } = useText()
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const revoke = useMutation({
    mutationFn: () => request(endpoints.revokeShares),
    onSuccess: () => {
      setAsking(false)
      onRevoked()
    },
    onSettled: () => client.invalidateQueries({ queryKey: sharesQuery.queryKey }),
  })
  const ask = () => {
    revoke.reset()
    setAsking(true)
  }
  return (
    <>
      <Button size="small" look="danger" onClick={ask}>
        {t('sharing.links.revokeAll')}
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t('sharing.links.revokeAll')}
        text={t('sharing.links.confirm')}
        confirmLabel={t('sharing.links.revokeAll')}
        busy={revoke.isPending}
        onConfirm={() => revoke.mutate()}
      >
        <FormAlert message={revoke.error ? messageOf(revoke.error, t('sharing.revokeFailed')) : undefined} />
      </ConfirmDialog>
    </>
  )
}
