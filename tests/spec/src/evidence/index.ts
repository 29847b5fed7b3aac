import type { Coverage } from '../judge.ts'
import type { RequirementId } from '../requirements.ts'
import { adminActs } from './admin-acts.ts'
import { adminScreens } from './admin-screens.ts'
import { attacks } from './attacks.ts'
import { behaviour } from './behaviour.ts'
import { calls } from './calls.ts'
import { keys } from './keys.ts'
import { languages } from './languages.ts'
import { limits } from './limits.ts'
import { memory } from './memory.ts'
import { operations } from './operations.ts'
import { programs } from './programs.ts'
import { screens } from './screens.ts'

/** The tests of each requirement. */
export const coverage: Coverage<RequirementId> = {
  ...screens,
  ...behaviour,
  ...calls,
  ...limits,
  ...keys,
  ...adminActs,
  ...attacks,
  ...programs,
  ...memory,
  ...languages,
  ...operations,
  ...adminScreens,
}
