import { accountStoreContract } from '../src/store/account-store.contract.ts'
import { creditStoreContract } from '../src/store/credit-store.contract.ts'
import { creditWarningContract } from '../src/store/credit-warning.contract.ts'
import { planMoveStoreContract } from '../src/store/plan-move-store.contract.ts'
import { planStoreContract } from '../src/store/plan-store.contract.ts'
import { openPgBillingEngine } from './pg-engine.ts'

for (const [name, open] of [['PostgreSQL', openPgBillingEngine]] as const) {
  creditStoreContract(name, open)
  creditWarningContract(name, open)
  accountStoreContract(name, open)
  planStoreContract(name, open)
  planMoveStoreContract(name, open)
}
