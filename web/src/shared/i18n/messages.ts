import type account from '../../locales/en/entrance/account.json'
import type auth from '../../locales/en/entrance/auth.json'
import type live from '../../locales/en/entrance/live.json'
import type shared from '../../locales/en/entrance/shared.json'
import type chat from '../../locales/en/inside/chat.json'
import type composer from '../../locales/en/inside/composer.json'
import type credits from '../../locales/en/inside/credits.json'
import type history from '../../locales/en/inside/history.json'
import type info from '../../locales/en/inside/info.json'
import type models from '../../locales/en/inside/models.json'
import type palette from '../../locales/en/inside/palette.json'
import type privacy from '../../locales/en/inside/privacy.json'
import type profile from '../../locales/en/inside/profile.json'
import type thread from '../../locales/en/inside/thread.json'

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
