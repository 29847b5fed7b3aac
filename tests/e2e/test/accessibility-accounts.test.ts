import { checkScenes } from '../src/scene-checks.ts'
import { scenesOfAccounts } from '../src/scenes.ts'

checkScenes('every screen of accounts, in both themes, on a desktop and on a phone', scenesOfAccounts)
