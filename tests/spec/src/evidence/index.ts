import type { Coverage } from '../judge.ts'
import type { RequirementId } from '../requirements.ts'
import { attacks } from './attacks.ts'
import { behaviour } from './behaviour.ts'
import { calls } from './calls.ts'
import { limits } from './limits.ts'
import { screens } from './screens.ts'

/** The tests that show each promise. */
export const coverage: Coverage<RequirementId> = { ...screens, ...behaviour, ...calls, ...limits, ...attacks }
