import { copyText } from '../../../shared/copy-text.ts'
import { notify } from '../../../shared/ui/index.ts'

/** The absolute URL of a link. @param path as sent by the server */
export const addressOf = (path: string): string => new URL(path, location.origin).href

/** Copies the URL of a link, and reports the result. */
export async function copyLink(path: string): Promise<void> {
  if (await copyText(addressOf(path))) notify.success((now) => now('sharing.copied'))
  else notify.info((now) => now('sharing.copyFailed'))
}
