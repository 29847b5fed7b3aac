import type { Coverage } from '../judge.ts'
import type { RequirementId } from '../requirements.ts'

/** Tests of monitoring and operating the running system. */
export const operations = {
  'run.health': [
    'services/all-in-one/test/administration.test.ts › shows every service with its engines and the lag of its consumers',
    'services/all-in-one/test/administration.test.ts › shows the replicas of every service with their version, the outboxes and the mail queue',
    'services/gateway/test/front.test.ts › shows admins which services are ready, lack an engine or do not answer, and the certificates that end first',
  ],
  'run.dead-letters': [
    'services/all-in-one/test/administration.test.ts › replays or drops dead letters of any group, and records both in the audit log',
    'services/all-in-one/test/administration.test.ts › refuses dead letters of an unknown group, and any group to non-admins',
  ],
  'run.doctor': [
    'services/all-in-one/contract/doctor.test.ts › finds nothing wrong in a complete set-up, and names engine, version and schema',
    'services/all-in-one/contract/doctor.test.ts › reports an unreachable database, a service that does not answer and a missing variable, with advice for each',
    'services/all-in-one/contract/doctor.test.ts › reports a database that refuses the user, without the password',
    'services/all-in-one/contract/doctor.test.ts › lists the migrations missing in an older schema',
    'services/all-in-one/contract/doctor.test.ts › names every invalid variable and exits with 1',
  ],
  'run.backup': [
    'services/all-in-one/contract/backup.test.ts › lets a user sign in with the old password and continue the old session',
    'services/all-in-one/contract/backup.test.ts › restores the chats, the balance, the share link and the API key',
    'services/all-in-one/contract/backup.test.ts › has a consistent ledger although it was taken while answers were charged',
  ],
  'run.backup-refused': [
    'services/all-in-one/contract/backup.test.ts › %s is refused and leaves the folder empty',
    'services/all-in-one/contract/backup.test.ts › is not restored over existing data',
    'services/all-in-one/src/backup/manifest.test.ts › a backup of version 0.4.2 is refused by version %s, with both versions named',
  ],
  'run.streams': [
    'web/src/features/admin/health/stream-test.test.ts › a stream whose events arrive together is reported as buffered',
    'services/gateway/test/front.test.ts › sends admins a test stream whose events arrive one by one',
  ],
  'run.breakers': [
    'services/llm-router/test/routing.test.ts › a model with an open circuit breaker is shown as such in the picker, to admins and in the metrics',
  ],
  'model.test': [
    'services/llm-router/test/test-model.test.ts › a saved model is called once for at most 16 tokens, without counting usage',
    'services/llm-router/test/test-model.test.ts › a provider that refuses, hangs or is unreachable is reported with the cause, by status 200 after one call',
  ],
  'money.days': [
    'services/billing/test/money.test.ts › today’s sold, captured and recorded credits are summed once, without unlimited users',
    'services/billing/test/money.test.ts › the cost of providers is that of the latest figures of a day',
    'services/llm-router/test/provider-costs.test.ts › answers are costed by their models’ prices at the time, and days are published by events',
  ],
  'money.alarm': [
    'services/billing/test/money.test.ts › a past day raises one alarm for each difference of its books, but none for figures of providers that began on it',
    'services/billing/src/money/check.test.ts › a day raises an alarm for recorded tokens without a provider’s call',
  ],
  'limits.preview': [
    'services/billing/test/limits-preview.test.ts › a preview shows whom other limits would have affected, from the reports of two gateways',
    'services/gateway/test/limited-routes.test.ts › requests under the web limit are reported to billing once, by minute, without the network',
  ],
} as const satisfies Partial<Coverage<RequirementId>>
