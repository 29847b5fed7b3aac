/** What holds of the interface in each language. */
export const languageRequirements = {
  Languages: {
    'language.chosen':
      'The interface is in English, Spanish, French, German, Chinese, Japanese or Arabic: the stored choice under app-locale, else the browser’s language, else English.',
    'language.whole': 'Every text exists in every language, with its placeholders and each plural form.',
    'language.live':
      'A language is switched without a reload, stays unchanged if its texts cannot be loaded, and follows the account to every browser.',
    'language.errors': 'Errors and toasts that are shown follow a change of the language.',
    'language.mirrored': 'Arabic is written from right to left and mirrors the layout; the others do not.',
    'language.server': 'Mails and refusals are in the reader’s language.',
    'language.days': 'A shared chat says when it was shared: today, yesterday, N days ago, N weeks ago.',
    'language.fits': 'No button is narrower than its text on a phone, in German and Japanese.',
  },
} as const
