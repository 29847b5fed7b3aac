import { inBrowser } from '../browser.ts'
import { startParley } from '../parley.ts'
import type { Plan } from '../plan.ts'
import { seedUsers } from '../seed-users.ts'
import type { Row } from '../table.ts'
import { measureAdminLists } from './admin-lists.ts'
import { measureAdminRows } from './admin-rows.ts'

/** No model is called. */
const noProvider = 'http://127.0.0.1:9/v1'

/** W8 and W9: the administration of a large installation, on data of its own. */
export async function measureAdministration(plan: Plan): Promise<Row[]> {
  const parley = await startParley(noProvider)
  try {
    await seedUsers(parley, plan.seededUsers)
    await parley.signIn()
    const lists = await measureAdminLists(plan, parley)
    await parley.signIn()
    return [...lists, ...(await inBrowser((browser) => measureAdminRows(plan, parley, browser)))]
  } finally {
    await parley.stop()
  }
}
