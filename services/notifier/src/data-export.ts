import type { Subscription } from '@parley/bus'
import { contributeToExport, jsonLines, newId, type ServiceClient } from '@parley/kit'
import type { MailHistory } from './store/mail-history.ts'

export interface ExportDeps {
  readonly stores: { readonly history: MailHistory }
  readonly client: ServiceClient
}

/** Contributes the list of a user's mails. If this fails for good, auth requests it again with a new event. */
export const exportSubscription = ({ stores, client }: ExportDeps): Subscription => ({
  group: 'notifier.data-exports',
  handlers: {
    'auth.data-export-requested': async ({ data: { userId, exportId } }) => {
      const mails = jsonLines(await stores.history.ofUser(userId))
      const contribution = { client, service: 'notifier', exportId, newId } as const
      await contributeToExport(contribution, [{ path: 'mails.json', content: mails }])
    },
  },
})
