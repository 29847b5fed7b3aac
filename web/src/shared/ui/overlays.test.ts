import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeEach, expect, it, vi } from 'vitest'
import { givenEnglish } from '../i18n/given-english.ts'
import { TextProvider } from '../i18n/index.ts'
import { LoadingOverlay, SuspensionOverlay } from './overlays.tsx'

const delay = vi.hoisted(() => ({ ms: 0, over: false }))
vi.mock('./use-delayed.ts', () => ({
  useDelayed: (ms: number) => {
    delay.ms = ms
    return delay.over
  },
}))
beforeEach(() => {
  delay.over = true
})

const i18n = givenEnglish()
const textOf = (markup: string): string => markup.replace(/<[^>]*>/g, '')
const overlay = (what: 'authenticating' | 'admin' | 'page'): string =>
  textOf(renderToStaticMarkup(TextProvider({ i18n, children: createElement(LoadingOverlay, { what }) })))

it('the loading overlay is blank for 150 ms', () => {
  delay.over = false
  expect(overlay('page')).toBe('')
  expect(delay.ms).toBe(150)
})

it.each([
  ['authenticating', 'Authenticating…'],
  ['admin', 'Loading admin data…'],
  ['page', 'Loading…'],
] as const)('the loading overlay of %s reads “%s”', (what, text) => {
  expect(overlay(what)).toBe(text)
})

it('the suspension overlay says so and offers nothing but to sign out', () => {
  const suspended = createElement(SuspensionOverlay, { onSignOut: () => undefined })
  const markup = renderToStaticMarkup(TextProvider({ i18n, children: suspended }))
  expect(textOf(markup)).toBe(
    'Account SuspendedYour account has been banned. Please contact support for assistance.Sign out',
  )
})
