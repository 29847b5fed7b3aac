import type admin from '../../locales/en/admin/admin.json'
import type audit from '../../locales/en/admin/audit.json'
import type health from '../../locales/en/admin/health.json'
import type limits from '../../locales/en/admin/limits.json'
import type money from '../../locales/en/admin/money.json'
import type overview from '../../locales/en/admin/overview.json'
import type people from '../../locales/en/admin/people.json'
import type plans from '../../locales/en/admin/plans.json'
import type registry from '../../locales/en/admin/registry.json'
import type settings from '../../locales/en/admin/settings.json'
import type tiers from '../../locales/en/admin/tiers.json'
import type account from '../../locales/en/deferred/account.json'
import type chat from '../../locales/en/deferred/chat.json'
import type composer from '../../locales/en/deferred/composer.json'
import type credits from '../../locales/en/deferred/credits.json'
import type history from '../../locales/en/deferred/history.json'
import type info from '../../locales/en/deferred/info.json'
import type live from '../../locales/en/deferred/live.json'
import type memory from '../../locales/en/deferred/memory.json'
import type models from '../../locales/en/deferred/models.json'
import type palette from '../../locales/en/deferred/palette.json'
import type sharing from '../../locales/en/deferred/sharing.json'
import type thread from '../../locales/en/deferred/thread.json'
import type viewing from '../../locales/en/deferred/viewing.json'
import type docs from '../../locales/en/docs/docs.json'
import type auth from '../../locales/en/initial/auth.json'
import type shared from '../../locales/en/initial/shared.json'
import type chatPanel from '../../locales/en/panels/chat.json'
import type composerPanel from '../../locales/en/panels/composer.json'
import type historyPanel from '../../locales/en/panels/history.json'
import type infoPanel from '../../locales/en/panels/info.json'
import type keys from '../../locales/en/panels/keys.json'
import type memoryPanel from '../../locales/en/panels/memory.json'
import type palettePanel from '../../locales/en/panels/palette.json'
import type privacy from '../../locales/en/panels/privacy.json'
import type profile from '../../locales/en/panels/profile.json'
import type sharingPanel from '../../locales/en/panels/sharing.json'
import type usage from '../../locales/en/panels/usage.json'
import type viewingPanel from '../../locales/en/panels/viewing.json'
import type share from '../../locales/en/share/share.json'

type Catalog = typeof account &
  typeof admin &
  typeof overview &
  typeof health &
  typeof limits &
  typeof money &
  typeof audit &
  typeof auth &
  typeof chat &
  typeof composer &
  typeof composerPanel &
  typeof credits &
  typeof docs &
  typeof chatPanel &
  typeof history &
  typeof historyPanel &
  typeof info &
  typeof infoPanel &
  typeof keys &
  typeof live &
  typeof memory &
  typeof memoryPanel &
  typeof models &
  typeof palette &
  typeof palettePanel &
  typeof people &
  typeof privacy &
  typeof plans &
  typeof profile &
  typeof registry &
  typeof settings &
  typeof share &
  typeof shared &
  typeof sharing &
  typeof sharingPanel &
  typeof thread &
  typeof tiers &
  typeof usage &
  typeof viewing &
  typeof viewingPanel

/** Every id of the English catalogues; an unknown one is a type error. Add new catalogue files to this union. */
export type MessageId = keyof Catalog & string

/** Values for a message's placeholders. */
export type MessageValues = Readonly<Record<string, string | number | Date>>
