import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { givenEnglish } from '../../testing/given-english.ts'
import { TextProvider } from '../i18n/index.ts'
import { LoadingOverlay } from './overlays.tsx'
import { SuspensionOverlay } from './suspension.tsx'

const i18n = givenEnglish()
const textOf = (markup: string): string => markup.replace(/<[^>]*>/g, '')
type Props = Parameters<typeof LoadingOverlay>[0]
const overlay = (props: Props): string =>
  textOf(renderToStaticMarkup(TextProvider({ i18n, children: createElement(LoadingOverlay, props) })))

it('the loading overlay is blank at first', () => {
  expect(overlay({ what: 'page' })).toBe('')
})

it.each([
  ['authenticating', 'Authenticating…'],
  ['admin', 'Loading admin data…'],
  ['page', 'Loading…'],
] as const)('the loading overlay of %s reads “%s”', (what, text) => {
  expect(overlay({ what, delayMs: 0 })).toBe(text)
})

it('the suspension overlay offers only to sign out', () => {
  const suspended = createElement(SuspensionOverlay, { onSignOut: () => undefined })
  const markup = renderToStaticMarkup(TextProvider({ i18n, children: suspended }))
  expect(textOf(markup)).toBe(
    'Account SuspendedYour account has been banned. Please contact support for assistance.Sign out',
  )
})
