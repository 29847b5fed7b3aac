import { demoNotice, type ProviderId, providerIds } from '@parley/contracts'

/** Sent to servers that ask for no key. */
export const noKey = 'none'

/** The variables that put a demo in the place of every provider that is not configured. @param url its base URL */
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
