/**
 * The speech recogniser's language tag for the interface's language; with the region, which some recognisers need, from the browser's languages if listed.
 * @param browser as in `navigator.languages`
 */
export function speechLanguage(tag: string, browser: readonly string[]): string {
  const { language } = new Intl.Locale(tag)
  const own = browser.map((one) => new Intl.Locale(one)).find((one) => one.language === language && one.region)
  const { region } = own ?? new Intl.Locale(language).maximize()
  return region === undefined ? language : `${language}-${region}`
}
