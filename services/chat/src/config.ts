import { z } from 'zod'

/** A service of the internet that a tool uses: there once it has a key. */
const secret = z.string().max(1_000).optional()
const address = (standard: string) => z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).default(standard)

/** Keys and base URLs of what tools use: Exa for web search, Finnhub for quotes. */
export const toolVariables = {
  EXA_API_KEY: secret,
  EXA_BASE_URL: address('https://api.exa.ai'),
  QUOTES_API_KEY: secret,
  QUOTES_BASE_URL: address('https://finnhub.io/api/v1'),
}
/** The values of `toolVariables`; keys are there when they are set. */
type ToolVariables = Partial<z.output<z.ZodObject<typeof toolVariables>>>

/** Where a service of the internet is and the key to it. */
interface ThirdParty {
  readonly apiKey: string
  readonly baseUrl: string
}

/** What the service is told when it is made. */
export interface ChatServiceConfig {
  readonly INTERNAL_SECRET: string
  /** Exa; left out, there is no web search. */
  readonly search?: ThirdParty | undefined
  /** Finnhub; left out, there are no quotes. */
  readonly quotes?: ThirdParty | undefined
}

/** The service's config out of its variables. */
export function chatServiceConfigOf(
  variables: ToolVariables & { readonly INTERNAL_SECRET: string },
): ChatServiceConfig {
  const thirdParty = (apiKey: string | undefined, baseUrl: string | undefined): ThirdParty | undefined =>
    apiKey === undefined || baseUrl === undefined ? undefined : { apiKey, baseUrl }
  return {
    INTERNAL_SECRET: variables.INTERNAL_SECRET,
    search: thirdParty(variables.EXA_API_KEY, variables.EXA_BASE_URL),
    quotes: thirdParty(variables.QUOTES_API_KEY, variables.QUOTES_BASE_URL),
  }
}
