import type { Locale, MailKind } from '@parley/contracts'
import ar from '../locales/ar.json' with { type: 'json' }
import de from '../locales/de.json' with { type: 'json' }
import en from '../locales/en.json' with { type: 'json' }
import es from '../locales/es.json' with { type: 'json' }
import fr from '../locales/fr.json' with { type: 'json' }
import ja from '../locales/ja.json' with { type: 'json' }
import zh from '../locales/zh.json' with { type: 'json' }
import type { MailContent, MailFacts, MailPart, Notice } from './mail.ts'

/** The texts of all mails by language; `{name}` is a placeholder. */
const textsByLocale: Readonly<Record<Locale, typeof en>> = { en, es, fr, de, zh, ja, ar }

/** Replaces the placeholders of a text. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`The text “${text}” has no value for ${name}`)
    return value
  })

/**
 * Formats times, dates, percentages and durations. All languages use the digits of codes and links. In French the first of a month is an ordinal, which
 * Intl ignores.
 */
function formatsOf(locale: Locale) {
  const tag = `${locale}-u-nu-latn`
  const utc = { dateStyle: 'long', timeZone: 'UTC' } as const
  const moment = new Intl.DateTimeFormat(tag, { ...utc, timeStyle: 'short' })
  const date = new Intl.DateTimeFormat(tag, utc)
  const ordinal = (text: string) => (locale === 'fr' ? text.replace(/^1 /, '1er ') : text)
  const share = new Intl.NumberFormat(tag, { style: 'percent' })
  const minutes = new Intl.NumberFormat(tag, { style: 'unit', unit: 'minute', unitDisplay: 'long' })
  return {
    moment: (at: Date) => `${ordinal(moment.format(at))} UTC`,
    date: (at: Date) => ordinal(date.format(at)),
    share: (percentage: number) => share.format(percentage / 100),
    minutes: (count: number) => minutes.format(count),
  }
}

const paragraph = (text: string): MailPart => ({ paragraph: text })
const note = (text: string): MailPart => ({ note: text })

type About<K extends MailKind> = MailFacts[K]
type Written = readonly [subject: string, ...parts: MailPart[]]

function writers(locale: Locale): { readonly [K in MailKind]: (about: About<K>) => Written } {
  const texts = textsByLocale[locale]
  const formats = formatsOf(locale)
  const button = (label: string, link: string): MailPart => ({ button: label, link, otherwise: texts.otherwise })
  const noticed = (
    said: typeof en.passwordChanged | typeof en.identityLinked,
    happened: string,
    about: Notice,
  ): Written => {
    const moment = formats.moment(about.at)
    return [
      said.subject,
      paragraph(fill(happened, { moment })),
      paragraph(said.other),
      button(said.button, about.resetLink),
    ]
  }
  return {
    verification({ code, minutes }) {
      const { subject, enter, once, unasked } = texts.verification
      const duration = formats.minutes(minutes)
      return [fill(subject, { code }), paragraph(enter), { code }, note(fill(once, { duration })), note(unasked)]
    },
    'password-reset'({ link, minutes }) {
      const { subject, asked, button: label, once, unasked } = texts.passwordReset
      const duration = formats.minutes(minutes)
      return [subject, paragraph(asked), button(label, link), note(fill(once, { duration })), note(unasked)]
    },
    'password-changed': (about) => noticed(texts.passwordChanged, texts.passwordChanged.changed, about),
    'identity-linked': (about) => noticed(texts.identityLinked, texts.identityLinked.linked, about),
    'email-changed'({ changedAt }) {
      const { subject, changed, other } = texts.emailChanged
      return [subject, paragraph(fill(changed, { moment: formats.moment(changedAt) })), paragraph(other)]
    },
    'credit-warning'({ usagePercentage, resetDate, link }) {
      const { subject, subjectAll, used, usedAll, next, button: label, once } = texts.creditWarning
      const share = formats.share(usagePercentage)
      const all = usagePercentage >= 100
      return [
        all ? subjectAll : fill(subject, { share }),
        paragraph(all ? usedAll : fill(used, { share })),
        paragraph(fill(next, { date: formats.date(resetDate) })),
        button(label, link),
        note(once),
      ]
    },
    'data-export'({ link, expiresAt }) {
      const { subject, ready, button: label, until, unasked } = texts.dataExport
      const moment = formats.moment(expiresAt)
      return [subject, paragraph(ready), button(label, link), note(fill(until, { moment })), note(unasked)]
    },
    'account-deleted'({ erasedAt }) {
      const { subject, erased, last } = texts.accountDeleted
      return [subject, paragraph(fill(erased, { moment: formats.moment(erasedAt) })), paragraph(last)]
    },
  }
}

/** The content of a mail in a language. @param origin the public address of the product */
export function contentOf<K extends MailKind>(
  kind: K,
  { locale, username, origin }: { locale: Locale; username: string; origin: string },
  about: MailFacts[K],
): MailContent {
  const { greeting, footer } = textsByLocale[locale]
  const [subject, ...parts] = writers(locale)[kind](about)
  return { subject, parts: [paragraph(fill(greeting, { username })), ...parts], footer: fill(footer, { origin }) }
}
