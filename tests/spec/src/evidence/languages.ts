import type { Coverage } from '../judge.ts'
import type { RequirementId } from '../requirements.ts'

const languagesTest = 'tests/e2e/test/languages.test.ts'
const textsTest = 'web/src/shared/i18n/texts.test.ts'
const catalogs = 'web/src/shared/i18n/translations.test.ts'

/** Tests of the languages of interface, mails and refusals. */
export const languages = {
  'language.chosen': [
    'web/src/shared/i18n/locale.test.ts › uses an offered language, or else English',
    `${languagesTest} › Arabic, chosen in the account menu, mirrors the chat at once, and stays after a reload`,
  ],
  'language.whole': [
    `${catalogs} › has exactly the files and ids of English`,
    `${catalogs} › has the same values and tags as English in each message`,
    `${catalogs} › has exactly its plural categories in every plural`,
    'tests/architecture/error-texts.test.ts › every refusal that users can see has a text in each language, and no text belongs to a removed refusal',
  ],
  'language.live': [
    `${languagesTest} › a language chosen at registration applies without a reload, to the mail and to every browser of the account`,
    `${textsTest} › a change of language becomes visible when all parts loaded in the previous language are loaded`,
    `${textsTest} › a language whose texts cannot be loaded leaves the interface unchanged, and can be chosen again`,
    'web/src/shared/language/synced-locale.test.ts › an account without a language adopts the one chosen in the browser',
  ],
  'language.errors': [
    `${languagesTest} › errors of a form follow a change of the language: of its fields, of the whole form, and of the server`,
    `${languagesTest} › toasts and their buttons follow a change of the language`,
    'web/src/features/chat/thread/state/failure.test.ts › that an answer broke off, which is stored in English, is said in the language of the interface',
    'web/src/shared/forms/server-errors.test.ts › gives way to a text in the new language, at the same field, once the language has been changed',
  ],
  'language.mirrored': [
    'web/src/shared/i18n/locale.test.ts › sets the direction of Arabic from right to left',
    `${languagesTest} › Arabic, chosen in the account menu, mirrors the chat at once, and stays after a reload`,
  ],
  'language.server': [
    'services/auth/test/registration.test.ts › an account has the language of the browser that registered, also in mails',
    'services/notifier/src/mail/write.test.ts › is written in %s, and declares the language',
    `${languagesTest} › a refusal is in the caller’s accepted language, but in English under /api/v1`,
  ],
  'language.days': [
    'web/src/features/share/page/days-ago.test.ts › a chat shared at %s was shared %s (%i) by the calendar of the visitor',
  ],
  'language.fits': [
    `${languagesTest} › no button of the main screens is narrower than its text on a phone, in German and in Japanese`,
    'tests/e2e/test/small-screens.test.ts › show the active section in the bar of sections, also of another section and in another language',
  ],
} as const satisfies Partial<Coverage<RequirementId>>
