import { demoNotice } from '@parley/contracts/constants'
import type { Translate } from '../../shared/i18n/index.ts'

/** What is said beside a provider's models: as its operator wrote it, but for the demo, which is named in the interface's language. */
export const providerNotice = (notice: string, t: Translate): string =>
  notice === demoNotice ? t('models.demo') : notice
