import { copyText } from '../../../shared/copy-text.ts'

/** The absolute URL of a link. @param path as sent by the server */
export const addressOf = (path: string): string => new URL(path, location.origin).href

/** What has become of a link. */
export type LinkReport = 'copied' | 'copyFailed' | 'revoked'

export const copyLink = async (path: string): Promise<LinkReport> =>
  (await copyText(addressOf(path))) ? 'copied' : 'copyFailed'
