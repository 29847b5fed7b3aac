import type chat from '../../locales/en/deferred/chat.json'
import type composer from '../../locales/en/deferred/composer.json'
import type credits from '../../locales/en/deferred/credits.json'
import type history from '../../locales/en/deferred/history.json'
import type info from '../../locales/en/deferred/info.json'
import type models from '../../locales/en/deferred/models.json'
import type palette from '../../locales/en/deferred/palette.json'
import type privacy from '../../locales/en/deferred/privacy.json'
import type profile from '../../locales/en/deferred/profile.json'
import type thread from '../../locales/en/deferred/thread.json'
import type account from '../../locales/en/initial/account.json'
import type auth from '../../locales/en/initial/auth.json'
import type live from '../../locales/en/initial/live.json'
import type shared from '../../locales/en/initial/shared.json'

type Catalog = typeof account &
  typeof auth &
  typeof chat &
  typeof composer &
  typeof credits &
  typeof history &
  typeof info &
  typeof live &
  typeof models &
  typeof palette &
  typeof privacy &
  typeof profile &
  typeof shared &
  typeof thread

/** Every id of the English catalogs; an unknown one is a type error. A new catalog file is added to the union here. */
export type MessageId = keyof Catalog & string

/** What a message's placeholders are filled with. */
export type MessageValues = Readonly<Record<string, string | number | Date>>
