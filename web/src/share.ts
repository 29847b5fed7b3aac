// The entry of a shared link's page, under a fixed name, because the gateway writes it into the page.
import('./app/shared-chat.tsx').then(({ startSharedChat }) => startSharedChat())
