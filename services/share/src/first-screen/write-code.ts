import { partsOf } from '@parley/markdown'
import { elementHtml, type Html, textHtml } from './html.ts'

/** A text as it was written. */
export const writePlain = (text: string, className?: string): Html =>
  elementHtml(
    'div',
    { dir: 'auto', class: ['whitespace-pre-wrap wrap-anywhere', ...(className ? [className] : [])].join(' ') },
    ...partsOf(text).map((part) => elementHtml('div', {}, textHtml(part))),
  )

/** A block of code, without its buttons and colours. */
export const writeCode = (code: string, language: string): Html =>
  elementHtml(
    'div',
    { class: 'code-box', dir: 'ltr' },
    elementHtml('div', { class: 'code-bar' }, elementHtml('span', { class: 'me-auto truncate' }, textHtml(language))),
    elementHtml(
      'pre',
      { tabindex: 0 },
      elementHtml('code', {}, ...partsOf(code).map((part) => elementHtml('span', { class: 'block' }, textHtml(part)))),
    ),
  )
