import type { Coverage } from '../judge.ts'
import type { RequirementId } from '../requirements.ts'

const keysTest = 'services/billing/test/keys.test.ts'
const usageTest = 'services/billing/test/usage.test.ts'

/** Tests of API keys, tiers, usage and receipts. */
export const keys = {
  'plan.window': [
    'services/billing/test/plan-window.test.ts › lets exactly its 30 of 40 requests at once through, on two replicas and all paths together',
    'services/billing/test/plan-window.test.ts › counts what an admin asks for and refuses none of it',
    'services/billing/src/credits/window.test.ts › one of a window that %i have come in is told when the next begins',
  ],
  'warning.shown': [
    'services/billing/test/credit-warning.test.ts › a warning is shown once it is due, until it is acknowledged or the month ends',
  ],
  'key.fields': [
    `${keysTest} › a new key shows its secret once and is kept as a hash only`,
    `${keysTest} › a key that was used is noted as used, apart from the request`,
    `${usageTest} › of a key is total, monthly and by day, in all and by model, however often its events come`,
  ],
  'key.secret': [
    `${keysTest} › a new key shows its secret once and is kept as a hash only`,
    'packages/kit/src/key-secret.test.ts › a secret with any one character mistyped, or two neighbours exchanged, is malformed',
  ],
  'key.owner': [
    `${keysTest} › a stranger finds another user's key nowhere (404)`,
    `${keysTest} › guests and banned users may not call $method $path`,
  ],
  'key.expiry': [
    `${keysTest} › is renamed, and its expiry set, moved and cleared; each change of the expiry is told to the gateway`,
    `${keysTest} › an expired key is found no more`,
  ],
  'key.rotation': [
    `${keysTest} › a rotation keeps all of the key but its secret, and lets the former one live until the overlap ends`,
  ],
  'key.revocation': [
    `${keysTest} › a revoked key is gone at once, on every replica, and its revocation is told to the gateway`,
    `${keysTest} › a key that an admin revokes is gone at once, and its revocation is told to the gateway`,
  ],
  'key.count': [`${keysTest} › of 50 keys made at once only as many come about as the limit of 100 allows, exactly`],
  'key.verify': [`${keysTest} › a secret is verified: found, well formed yet of no key, over, or malformed`],
  'key.audit': [
    `${keysTest} › acts of admins are told to the audit log, without a secret`,
    `${usageTest} › of a key is set to nothing by an admin, of one or of all, and what it cost stays in the books`,
  ],
  'key.reset': [
    `${usageTest} › of a key is set to nothing by an admin, of one or of all, and what it cost stays in the books`,
  ],
  'tier.multipliers': [
    'packages/kit/test/key-tiers.test.ts › of tier %d are the base limit times its multiplier: %d requests',
    `${keysTest} › change their tier, with the limits that come of it, and back`,
  ],
  'tier.custom-limits': [
    `${keysTest} › custom limits with %s are refused in the words of the product`,
    `${keysTest} › %s is refused (400)`,
  ],
  'usage.sums': [
    `${usageTest} › of a user is summed by model and day, by web and by key, with exact and estimated counts told apart`,
    `${usageTest} › of everybody is summed by day, model, user and key, over whole months and parts of them`,
  ],
  'usage.once': [
    `${usageTest} › of a key is total, monthly and by day, in all and by model, however often its events come`,
    `${usageTest} › of an event that comes often, under one id or another, is one, and the first end stands`,
  ],
  'receipt.reason': [
    'services/billing/src/receipts/receipt.test.ts › when %s',
    `${usageTest} › of an answer says what it held, cost and gave back, and why`,
  ],
  'receipt.free': [`${usageTest} › %s is free, and its receipt says so`],
} as const satisfies Partial<Coverage<RequirementId>>
