import type { MailKind } from '@parley/contracts'
import type { MailFacts } from './mail.ts'

const at = new Date('2030-01-15T14:30:00.000Z')
const token = 'Wm9rZW4tb2YtYS1zYW1wbGUtbWFpbC0wMTIzNDU2Nzg5'

/** Sample facts of every kind of mail. */
export const sampleFacts = (origin: string): { readonly [K in MailKind]: MailFacts[K] } => ({
  verification: { code: '481207', minutes: 10 },
  'password-reset': {
    link: `${origin}/password-reset?token=${token}&email=ann%40example.com`,
    minutes: 30,
  },
  'password-changed': { at, resetLink: `${origin}/password-reset` },
  'identity-linked': { at, resetLink: `${origin}/password-reset` },
  'email-changed': { changedAt: at },
  'credit-warning': { usagePercentage: 80, resetDate: new Date('2030-02-01T00:00:00.000Z'), link: `${origin}/` },
  'data-export': {
    link: `${origin}/data-export#id=9b1f27c04d5e4a6c8f3a2b1c0d9e8f7a&token=${token}`,
    expiresAt: new Date('2030-01-22T14:30:00.000Z'),
  },
  'account-deleted': { erasedAt: at },
})
