export { AccountMenu } from './account-menu.tsx'
export { AccountUpdates } from './account-updates.tsx'
