import { copyText } from '../../../shared/copy-text.ts'
import type { Translate } from '../../../shared/i18n/index.ts'
import { notify } from '../../../shared/ui/index.ts'

/** The whole address of a link. @param path as the server gives it */
export const addressOf = (path: string): string => new URL(path, location.origin).href

/** Copies the address of a link, and says whether that worked. */
export async function copyLink(path: string, t: Translate): Promise<void> {
  if (await copyText(addressOf(path))) notify.success(t('sharing.copied'))
  else notify.info(t('sharing.copyFailed'))
}
