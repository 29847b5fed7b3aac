import { firstTokenSeconds, type Secrets, secrets } from '@parley/kit'
import { z } from 'zod'

/** An internet service that a tool uses: available once it has a key. */
const secret = z.string().max(1_000).optional()
const address = (standard: string) => z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).default(standard)

/**
 * Chat's own variables: its secrets; keys and base URLs of what tools use, Exa for web search, Finnhub for quotes; and how long first tokens are awaited.
 */
export const chatVariables = {
  /** Sign the sessions of guests; no other service has them. */
  CHAT_SECRETS: secrets,
  EXA_API_KEY: secret,
  EXA_BASE_URL: address('https://api.exa.ai'),
  QUOTES_API_KEY: secret,
  QUOTES_BASE_URL: address('https://finnhub.io/api/v1'),
  FIRST_TOKEN_SECONDS: firstTokenSeconds,
}
/** Their values; keys of tools are there when they are set. */
type ChatVariables = z.output<z.ZodObject<typeof chatVariables>>

/** The address of an internet service and the key for it. */
interface ThirdParty {
  readonly apiKey: string
  readonly baseUrl: string
}

/** The service's settings. */
export interface ChatServiceConfig {
  readonly CHAT_SECRETS: Secrets
  /** Exa; left out, there is no web search. */
  readonly search?: ThirdParty | undefined
  /** Finnhub; left out, there are no quotes. */
  readonly quotes?: ThirdParty | undefined
}

/** The service's config out of its variables. */
export function chatServiceConfigOf(
  variables: Pick<ChatVariables, 'CHAT_SECRETS'> & Partial<ChatVariables>,
): ChatServiceConfig {
  const thirdParty = (apiKey: string | undefined, baseUrl: string | undefined): ThirdParty | undefined =>
    apiKey === undefined || baseUrl === undefined ? undefined : { apiKey, baseUrl }
  return {
    CHAT_SECRETS: variables.CHAT_SECRETS,
    search: thirdParty(variables.EXA_API_KEY, variables.EXA_BASE_URL),
    quotes: thirdParty(variables.QUOTES_API_KEY, variables.QUOTES_BASE_URL),
  }
}
