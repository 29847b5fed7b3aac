import type { Subscription } from '@parley/bus'
import { contributeToExport, jsonLines, type NewId, type ServiceClient } from '@parley/kit'
import type { ResponseStore } from './store/response-store.ts'

export interface ExportDeps {
  readonly stores: { readonly responses: ResponseStore }
  readonly client: Pick<ServiceClient, 'call'>
  readonly newId: NewId
}

/** Contributes a user's stored responses. If this fails for good, auth requests them again with a new event. */
export const exportSubscription = ({ stores, client, newId }: ExportDeps): Subscription => ({
  group: 'llm-router.data-exports',
  handlers: {
    'auth.data-export-requested': async ({ data: { userId, exportId } }) => {
      const content = jsonLines(stores.responses.all(userId))
      await contributeToExport({ client, service: 'llm-router', exportId, newId }, [
        { path: 'api-responses.json', content },
      ])
    },
  },
})
