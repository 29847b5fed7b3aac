/**
 * The tag by which a recogniser knows the interface's language: with a region, which some of them need, of the browser's own languages where it is among them.
 * @param browser as in `navigator.languages`
 */
export function speechLanguage(tag: string, browser: readonly string[]): string {
  const { language } = new Intl.Locale(tag)
  const own = browser.map((one) => new Intl.Locale(one)).find((one) => one.language === language && one.region)
  const { region } = own ?? new Intl.Locale(language).maximize()
  return region === undefined ? language : `${language}-${region}`
}
