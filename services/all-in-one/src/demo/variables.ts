import { demoNotice, type ProviderId, providerIds } from '@parley/contracts'

/** The key sent to servers that need none. */
export const noKey = 'none'

/** The variables that replace every unconfigured provider by the demo. @param url the demo's base URL */
export const demoVariables = (isConfigured: (id: ProviderId) => boolean, url: string): Record<string, string> =>
  Object.fromEntries(
    providerIds
      .filter((id) => !isConfigured(id))
      .map((id) => id.toUpperCase())
      .flatMap((id) => [
        [`${id}_API_KEY`, noKey],
        [`${id}_BASE_URL`, url],
        [`${id}_NOTICE`, demoNotice],
      ]),
  )
