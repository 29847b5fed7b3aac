import type { ListedShare, ShareBody } from '@parley/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { endpoints, messageOf, request, unlessGone } from '../../../shared/api/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { sharesQuery } from '../share-queries.ts'
import { copyLink, type LinkReport } from './copy-link.ts'

/** Creates and revokes links, and reports the result. */
export function useShareActions(report: (said: LinkReport) => void) {
  const { t } = useText()
  const client = useQueryClient()
  const renew = () => client.invalidateQueries({ queryKey: sharesQuery.queryKey })
  const share = useMutation({
    mutationFn: (body: ShareBody) => request(endpoints.share, { body }),
    // Copied first: browsers allow that only shortly after the click.
    onSuccess: ({ url }) => Promise.all([copyLink(url).then(report), renew()]),
  })
  const revoke = useMutation({
    mutationFn: ({ id }: Pick<ListedShare, 'id'>) =>
      request(endpoints.revokeShare, { params: { id } }).catch(unlessGone),
    onSuccess: () => report('revoked'),
    onSettled: renew,
  })
  const error = share.error
    ? messageOf(share.error, t('sharing.failed'))
    : revoke.error
      ? messageOf(revoke.error, t('sharing.revokeFailed'))
      : null
  return { share: share.mutate, revoke: revoke.mutate, isSharing: share.isPending, isRevoking: revoke.isPending, error }
}
