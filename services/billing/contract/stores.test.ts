import { openBillingEngine } from './engine.ts'
import { accountStoreContract } from './suites/accounts.ts'
import { creditWarningContract } from './suites/credit-warning.ts'
import { creditStoreContract } from './suites/credits.ts'
import { planMoveStoreContract } from './suites/plan-moves.ts'
import { planStoreContract } from './suites/plans.ts'

for (const contract of [
  creditStoreContract,
  creditWarningContract,
  accountStoreContract,
  planStoreContract,
  planMoveStoreContract,
]) {
  contract('PostgreSQL', openBillingEngine)
}
