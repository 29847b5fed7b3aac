// The page of a shared link begins with this file, under a name that stays the same, as the gateway writes it into the page.
import('./app/shared-chat.tsx').then(({ startSharedChat }) => startSharedChat())
