import type { Coverage } from '../judge.ts'
import type { RequirementId } from '../requirements.ts'

const keysTest = 'services/billing/test/keys.test.ts'
const usageTest = 'services/billing/test/usage.test.ts'

/** Tests of API keys, tiers, usage and receipts. */
export const keys = {
  'plan.window': [
    'services/billing/test/plan-window.test.ts › allows exactly 30 of 40 concurrent requests, on two replicas and all paths together',
    'services/billing/test/plan-window.test.ts › counts an admin’s requests and refuses none',
    'services/billing/src/credits/window.test.ts › after %i others is refused with the start of the next window',
  ],
  'warning.shown': [
    'services/billing/test/credit-warning.test.ts › a warning is shown once it is due, until it is acknowledged or the month ends',
  ],
  'key.fields': [
    `${keysTest} › show a new secret once, and store only its hash`,
    `${keysTest} › record their last use, apart from the request and at most once a minute`,
    `${usageTest} › of a key is total, monthly and by day, overall and by model, however often its events are delivered`,
  ],
  'key.secret': [
    `${keysTest} › show a new secret once, and store only its hash`,
    'packages/kit/src/identity/key-secret.test.ts › a secret with a mistyped character, or two swapped neighbours, is malformed',
  ],
  'key.owner': [
    `${keysTest} › of another user are not found (404)`,
    `${keysTest} › cannot be used by guests and banned users: $method $path`,
  ],
  'key.expiry': [
    `${keysTest} › are renamed, and their expiry is set, moved and cleared; the gateway hears of each new expiry`,
    `${keysTest} › are not found after their expiry`,
  ],
  'key.rotation': [
    `${keysTest} › keep everything but the secret in a rotation, and accept the former secret during the overlap`,
  ],
  'key.revocation': [
    `${keysTest} › are revoked at once, on every replica, and the gateway is told`,
    `${keysTest} › are revoked by an admin at once, and the gateway is told`,
  ],
  'key.count': [`${keysTest} › are limited to exactly 100, even when 50 are created concurrently`],
  'key.verify': [`${keysTest} › are verified by secret: found, well-formed but unknown, expired, or malformed`],
  'key.audit': [
    `${keysTest} › have admin acts reported to the audit log, without a secret`,
    `${usageTest} › of one key or of all keys is reset by an admin, while its cost stays in the books`,
  ],
  'key.reset': [`${usageTest} › of one key or of all keys is reset by an admin, while its cost stays in the books`],
  'tier.multipliers': [
    'packages/kit/test/key-tiers.test.ts › of tier %d are the base limit times its multiplier: %d requests',
    `${keysTest} › change their tier, by number or name, with the resulting limits, and back`,
  ],
  'tier.custom-limits': [
    `${keysTest} › with %s are refused with the product’s own text`,
    `${keysTest} › cannot be changed to %s (400)`,
  ],
  'usage.sums': [
    `${usageTest} › of a user is summed by model and day, by web and by key, with exact and estimated counts separate`,
    `${usageTest} › of all users is summed by day, model, user and key, over whole and partial months`,
  ],
  'usage.once': [
    `${usageTest} › of a key is total, monthly and by day, overall and by model, however often its events are delivered`,
    `${usageTest} › of a redelivered event, under one id or another, are one, and its first end stands`,
  ],
  'receipt.reason': [
    'services/billing/src/receipts/receipt.test.ts › when %s',
    `${usageTest} › of an answer state the credits held, charged and returned, and the reason`,
  ],
  'receipt.free': [`${usageTest} › %s is free, and its receipt says so`],
} as const satisfies Partial<Coverage<RequirementId>>
