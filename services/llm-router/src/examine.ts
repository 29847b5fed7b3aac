import { type ProviderId, providerIds } from '@parley/contracts'
import type { Finding } from '@parley/kit'
import { type Providers, publicBaseUrls } from './providers.ts'

/** Reports which providers can be called: those with a key, and those with a base URL of their own, which may need none. */
export function examineProviders(providers: Providers): Finding[] {
  const named = (ids: readonly ProviderId[]): string => ids.join(', ')
  const usable = providerIds.filter(
    (id) => providers[id].apiKeys.length > 0 || providers[id].baseUrl !== publicBaseUrls[id],
  )
  const what = 'providers'
  const unused = providerIds.filter((id) => !usable.includes(id))
  if (usable.length === 0)
    return [
      {
        ...{ what, state: 'wrong', found: 'none has a key or a base URL, so no model can answer' },
        advice: 'set one of <P>_API_KEY or <P>_BASE_URL, such as DEEPSEEK_API_KEY',
      },
    ]
  const without = unused.length === 0 ? '' : `; without a key: ${named(unused)}`
  return [{ what, state: 'fine', found: `configured: ${named(usable)}${without}` }]
}
