import { setupI18n } from '@lingui/core'
import { expect, it } from 'vitest'
import { createTexts } from './texts.ts'

/** An English interface whose catalogs arrive when they are released; each part has one text, which names its language. */
function given() {
  const i18n = setupI18n()
  const asked: string[] = []
  const held = new Map<string, (failure?: Error) => void>()
  const texts = createTexts(i18n, (locale, part) => {
    const name = `${locale}/${part}`
    asked.push(name)
    return new Promise((resolve, reject) => {
      held.set(name, (failure) => (failure ? reject(failure) : resolve({ [`${part}.name`]: name })))
    })
  })
  i18n.loadAndActivate({ locale: 'en', messages: { 'initial.name': 'en/initial' } })
  const shown: string[][] = []
  i18n.on('change', () => shown.push(['initial.name', 'deferred.name'].map((id) => i18n._(id))))
  /** Responds to the request for a catalog once it is made. */
  const release = async (name: string, failure?: Error): Promise<void> => {
    await expect.poll(() => held.has(name)).toBe(true)
    held.get(name)?.(failure)
    held.delete(name)
  }
  return { i18n, texts, asked, shown, release }
}

it('a change of language becomes visible when all parts loaded in the previous language are loaded', async () => {
  const { texts, asked, shown, release } = given()
  const loaded = texts.load('deferred')
  await release('en/deferred')
  await loaded
  const changed = texts.change('de')
  await release('de/initial')
  await release('de/deferred')
  await changed
  expect(asked).toEqual(['en/deferred', 'de/initial', 'de/deferred'])
  expect(shown).toEqual([
    ['en/initial', 'en/deferred'],
    ['de/initial', 'de/deferred'],
  ])
})

it('a part requested during a change of language is loaded in the new language', async () => {
  const { i18n, texts, asked, release } = given()
  const changed = texts.change('ar')
  const loaded = texts.load('deferred')
  await release('ar/initial')
  await changed
  await release('ar/deferred')
  await loaded
  expect(asked).toEqual(['ar/initial', 'ar/deferred'])
  expect([i18n.locale, i18n.locales, i18n._('deferred.name')]).toEqual(['ar', 'ar-u-nu-latn', 'ar/deferred'])
})

it('a language whose texts cannot be loaded leaves the interface unchanged, and can be chosen again', async () => {
  const { i18n, texts, release } = given()
  const failed = expect(texts.change('fr')).rejects.toThrow('offline')
  await release('fr/initial', new Error('offline'))
  await failed
  expect(i18n.locale).toBe('en')
  const changed = texts.change('fr')
  await release('fr/initial')
  await changed
  expect(i18n._('initial.name')).toBe('fr/initial')
})
