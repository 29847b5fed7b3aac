import type { Person } from './people.ts'
import { chats } from './scenes/chats.ts'
import { composing } from './scenes/composer.ts'
import { conversation } from './scenes/conversation.ts'
import { ends } from './scenes/ends.ts'
import { entrance } from './scenes/entrance.ts'
import { finding, keeping } from './scenes/finding.ts'
import { privacy, profile } from './scenes/profile.ts'
import type { Scene } from './scenes/scene.ts'
import { threads } from './scenes/thread.ts'
import type { World } from './world.ts'

export type { Scene } from './scenes/scene.ts'

/** What stands around chats: ways in and out, settings, and what leads to a chat. */
export const scenesAround: readonly Scene[] = [
  ...entrance,
  ...finding,
  ...[...chats, ...keeping].map((scene) => ({ ...scene, sidebar: true })),
  ...profile,
  ...privacy,
  ...ends,
]

/** What stands in a chat, and where it is written. */
export const scenesInChats: readonly Scene[] = [...conversation, ...threads, ...composing]

/** Every screen in every state that is designed for. */
export const scenes: readonly Scene[] = [...scenesAround, ...scenesInChats]

/** Who looks at a scene; undefined for a visitor. */
export const viewerOf = ({ who }: Scene, world: World): Person | undefined => who && world[who]
