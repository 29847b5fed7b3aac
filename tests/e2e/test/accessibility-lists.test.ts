import { checkScenes } from '../src/scene-checks.ts'
import { scenesOfLists } from '../src/scenes.ts'

checkScenes('every list of chats and way to one, in both themes, on a desktop and on a phone', scenesOfLists)
