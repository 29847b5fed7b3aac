import { checkScenes } from '../src/scene-checks.ts'
import { scenesOfAdmins } from '../src/scenes.ts'

checkScenes('every screen of the administration, in both themes, on a desktop and on a phone', scenesOfAdmins)
