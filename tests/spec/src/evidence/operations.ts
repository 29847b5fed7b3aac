import type { Coverage } from '../judge.ts'
import type { RequirementId } from '../requirements.ts'

/** Tests of monitoring and operating the running system. */
export const operations = {
  'run.health': [
    'services/all-in-one/test/administration.test.ts › shows every service with its engines and the lag of its consumers',
    'services/all-in-one/test/administration.test.ts › shows the replicas of every service with their version, the outboxes and the mail queue',
    'services/gateway/test/front.test.ts › shows admins which services are ready, which lack an engine and which do not answer',
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
    'web/src/features/admin/health/stream-test.test.ts › a stream whose events arrive together is buffered',
    'services/gateway/test/front.test.ts › sends admins a test stream whose events go out one by one',
  ],
  'run.breakers': [
    'services/llm-router/test/routing.test.ts › a model that is kept from calls is shown so in the picker, to admins and in the metrics',
  ],
  'model.test': [
    'services/llm-router/test/test-model.test.ts › a saved model is called once for at most 16 tokens, and its use is not counted',
    'services/llm-router/test/test-model.test.ts › a provider that refuses, hangs or is not there is told with its cause, by status 200 and one call',
  ],
  'money.days': [
    'services/billing/test/money.test.ts › what was sold, captured and recorded today is added up once, and nothing of somebody unlimited',
    'services/billing/test/money.test.ts › the cost of providers is that of the newest figures of a day',
    'services/llm-router/test/provider-costs.test.ts › answers cost what their models’ prices were, and days are told by events',
  ],
  'money.alarm': [
    'services/billing/test/money.test.ts › a past day whose ledger and usage differ raises one alarm, and one whose books agree none',
    'services/billing/src/money/check.test.ts › a day raises an alarm for recorded tokens that no provider was asked for',
  ],
  'limits.preview': [
    'services/billing/test/limits-preview.test.ts › a preview tells whom other limits would have limited, from what two gateways told once',
    'services/gateway/test/limited-routes.test.ts › limited requests of users and of networks are told to billing, by minute and once, without the network',
  ],
} as const satisfies Partial<Coverage<RequirementId>>
