import { demoNotice } from '@parley/contracts/constants'
import type { Translate } from '../../shared/i18n/index.ts'

/** The notice next to a provider's models: the operator's text, or for the demo its localised name. */
export const providerNotice = (notice: string, t: Translate): string =>
  notice === demoNotice ? t('models.demo') : notice
